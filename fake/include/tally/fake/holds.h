#pragma once

#include <tally/detail/cpp20.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>

#include <tally/fake/hold.h>
#include <tally/fake/service_part.h>

namespace tally::fake {

/// Locks and concurrency that a test holds, as requests in progress do. Made by Service::holds(). Functions
/// throw std::invalid_argument for an unknown key. Thread-safe, cheap to copy, and may outlive the Service.
class Holds : public detail::ServicePart {
 public:
  using ServicePart::ServicePart;

  /// Locks an object of the account and mode of `key`, as another process would, until the result is released
  /// or `duration`, from 0 to 100 years, has passed on the service's clock. The object need not exist. Throws
  /// std::invalid_argument for a duration out of range.
  Hold lockObject(std::string_view key, std::string_view id,
                  std::optional<std::chrono::nanoseconds> duration = std::nullopt);

  /// Takes units of the concurrency limits of the account and mode of `key`, as requests in progress for
  /// `operation` would. If `operation` is empty, takes units only of the global limit. Throws
  /// std::invalid_argument for an unknown operation, or if `units` is not from 1 to 10^12.
  Hold takeConcurrency(std::string_view key, std::string_view operation, std::int64_t units = 1);
};

}  // namespace tally::fake

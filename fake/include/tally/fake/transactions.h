#pragma once

#include <tally/detail/cpp20.h>

#include <cstdint>
#include <string_view>

#include <tally/fake/service_part.h>

namespace tally::fake {

/// The transactions that determine the read allocations of a Service. Made by Service::transactions().
/// Thread-safe, cheap to copy, and may outlive the Service.
class Transactions : public detail::ServicePart {
 public:
  using ServicePart::ServicePart;

  /// Adds transactions, at the current time, to the account and mode of `key`; they determine its read
  /// allocation. Throws std::invalid_argument for an unknown key, for a `count` that is not from 1 to 10^12,
  /// or for a total of 2^62 or more within 30 days. Spec: "Limits", "Read (GET) request allocation".
  void record(std::string_view key, std::int64_t count = 1);
};

}  // namespace tally::fake

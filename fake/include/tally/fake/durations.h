#pragma once

#include <tally/detail/cpp20.h>

#include <chrono>
#include <string_view>

#include <tally/fake/service_part.h>

namespace tally::fake {

/// How long requests to a Service take. Made by Service::durations(). Functions throw std::invalid_argument
/// for an unknown operation. Thread-safe, cheap to copy, and may outlive the Service.
class Durations : public detail::ServicePart {
 public:
  using ServicePart::ServicePart;

  /// Sets how long requests for one operation take from now on. Throws std::invalid_argument for a duration
  /// that is negative or more than 100 years.
  void set(std::string_view operation, std::chrono::nanoseconds duration);

  /// Resets the duration of one operation, or of all if `operation` is empty, to ServiceOptions::duration.
  void reset(std::string_view operation = {});
};

}  // namespace tally::fake

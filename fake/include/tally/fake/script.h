#pragma once

#include <string>

namespace tally::fake {

/// A fault that a test arranges: the next requests that match are answered with an error and are not
/// processed, then the service works again.
struct Script {
  std::string operation{};  ///< Such as `payment_records.report_failed`; empty: any.
  std::string object{};     ///< The identifier in the request's path; empty: any, and none.
  int times = 1;            ///< How many requests; at least 1.
  std::string error{};      ///< Any error answer of the API description, as `lock_timeout`.
  /// What `Service-Rate-Limited-Reason` says, for an error that bears it; empty: `global-rate`.
  std::string rateLimitedReason{};

  bool operator==(const Script&) const = default;
};

}  // namespace tally::fake

#pragma once

#include <tally/detail/cpp20.h>

#include <string_view>
#include <vector>

#include <tally/fake/accounts.h>
#include <tally/fake/allocation_forecast.h>
#include <tally/fake/limit_history.h>
#include <tally/fake/limit_usage.h>
#include <tally/fake/service_part.h>

namespace tally::fake {

/// How much of each limit of a Service is used. Made by Service::usage(). Functions throw
/// std::invalid_argument for an unknown key, account or limit. Thread-safe, cheap to copy, and may outlive
/// the Service. Spec: "Limits".
class Usage : public detail::ServicePart {
 public:
  using ServicePart::ServicePart;

  /// The limits of an account that are on or in use, in both modes. Limits per object are included only for
  /// those objects of the account that requests have accessed, regardless of who made the requests.
  [[nodiscard]] std::vector<LimitUsage> list(const Account& account) const;

  /// The same for a key or token: the limits that its requests count against. If a platform acts with the
  /// token for a connected account, these are the limits of the platform, except for limits that count
  /// against the connected account.
  [[nodiscard]] std::vector<LimitUsage> list(std::string_view key) const;

  /// One limit, for the account and mode of `key`; `each` is the operation or object if the limit applies to
  /// each operation or object.
  [[nodiscard]] LimitUsage of(std::string_view key, std::string_view limit, std::string_view each = {}) const;

  /// What happened during the last 24 hours at the limits of an account, in both modes. Limits that refused
  /// requests come first, in the order of their first refusal; other used limits follow, by name. A snapshot
  /// or a fork contains the history up to the moment at which it was made. Limits::reset() keeps the history.
  [[nodiscard]] std::vector<LimitHistory> history(const Account& account) const;

  /// The same for the limits that the requests of a key or token count against, as list() selects them.
  [[nodiscard]] std::vector<LimitHistory> history(std::string_view key) const;

  /// How read allocations will change if nothing else happens, for the account and mode against which reads
  /// with `key` count: the allocation for the account's own reads, and the allocation for its reads on behalf
  /// of connected accounts.
  [[nodiscard]] std::vector<AllocationForecast> forecast(std::string_view key) const;
};

}  // namespace tally::fake

#pragma once

#include <tally/detail/cpp20.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <iosfwd>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <tally/rate_limited_reason.h>

namespace [[gnu::visibility("default")]] tally {

/// What a limit counts.
enum class LimitMetric : std::uint8_t {
  requests,    ///< Requests that were admitted, whatever their result.
  changes,     ///< Requests that changed something; refused and failed requests do not count.
  inProgress,  ///< Requests in progress at the same moment.
};

std::ostream& operator<<(std::ostream& out, LimitMetric value);

/// What is counted separately within an account and mode.
enum class LimitScope : std::uint8_t {
  account,    ///< The account: all requests count together.
  operation,  ///< Each operation, across all objects.
  object,     ///< Each object.
};

std::ostream& operator<<(std::ostream& out, LimitScope value);

/// A rate or concurrency limit of the service: one row of the table in the specification. All limits are in
/// <tally/limits.h>. Spec: "Limits".
struct Limit {
  std::string_view name{};  ///< Such as `global_rate`.
  /// The value of `Service-Rate-Limited-Reason` if this limit refuses a request.
  RateLimitedReason reason = RateLimitedReason::globalRate;
  LimitMetric metric = LimitMetric::requests;
  LimitScope scope = LimitScope::account;
  /// The operations to which it applies, such as `files.create`; empty: all.
  std::span<const std::string_view> operations{};
  /// Counts only requests that have this parameter; empty: all.
  std::string_view onlyWithParam{};
  /// The parameter that names the object; empty: the identifier in the path.
  std::string_view object{};
  /// True: a request counts against the account on whose behalf it is made, even if a platform makes it.
  /// False: it counts against the account whose key made the request. Always true for per-object limits.
  bool countsForConnectedAccount = false;
  /// True: applies in addition to the rate limit of each operation. False: a rate limit that names operations
  /// replaces their rate limit for the requests that it counts.
  bool addsToEndpointRate = false;
  std::optional<std::int64_t> live{};     ///< The value in live mode; empty: not documented.
  std::optional<std::int64_t> sandbox{};  ///< The value in the sandbox; empty: not documented.
  std::chrono::seconds window{0};         ///< The length of the window; zero for concurrency limits.
};

std::ostream& operator<<(std::ostream& out, const Limit& value);

/// Overrides the value of a limit, for example after support has granted an increase. Spec: "Limits".
struct LimitOverride {
  std::string limit{};  ///< The name, such as `global_rate`; see <tally/limits.h>.
  /// At least 0; 0 refuses everything. Empty: the limit is switched off.
  std::optional<std::int64_t> value{};
  std::optional<bool> livemode{};  ///< Only in this mode; empty: in both.
  /// Only for this operation, if the limit applies to each operation; empty: for all.
  std::string operation{};
  std::string country{};   ///< Only for accounts in this country; empty: in any.
  std::string industry{};  ///< Only for accounts in this industry; empty: in any.

  bool operator==(const LimitOverride&) const = default;
};

std::ostream& operator<<(std::ostream& out, const LimitOverride& value);

/// How many reads an account may make, depending on its transactions. Spec: "Limits", "Read (GET) request
/// allocation".
struct ReadAllocation {
  std::int64_t readsPerTransaction = 0;
  std::int64_t minimum = 0;        ///< Allowed regardless of the number of transactions.
  std::chrono::seconds window{0};  ///< How long a read or a transaction counts.

  /// How many reads are allowed with this number of transactions in the window. Saturates instead of
  /// overflowing.
  [[nodiscard]] constexpr std::int64_t allowed(std::int64_t transactions) const noexcept {
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    if (transactions > most / std::max<std::int64_t>(readsPerTransaction, 1)) return most;
    return std::max(minimum, readsPerTransaction * transactions);
  }
};

std::ostream& operator<<(std::ostream& out, const ReadAllocation& value);

}  // namespace tally

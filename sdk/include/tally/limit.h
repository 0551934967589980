#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <tally/rate_limited_reason.h>

namespace tally {

/// What a limit counts.
enum class LimitCounts : std::uint8_t {
  requests,    ///< Requests that were admitted, whatever became of them.
  changes,     ///< Requests that changed something; one that was refused or failed does not count.
  inProgress,  ///< Requests in progress at one moment.
};

/// What has a count of its own within an account and mode.
enum class LimitScope : std::uint8_t {
  account,    ///< The account: everything counts together.
  operation,  ///< Each operation, whatever objects it is about.
  object,     ///< Each object.
};

/// A rate or concurrency limit of the service, one row of the specification's table. Those that there are
/// stand in <tally/limits.h>. Spec: "Limits".
struct Limit {
  std::string_view name{};  ///< Such as `global_rate`.
  /// What `Service-Rate-Limited-Reason` says where this limit refuses a request.
  RateLimitedReason reason = RateLimitedReason::globalRate;
  LimitCounts counts = LimitCounts::requests;
  LimitScope scope = LimitScope::account;
  /// For which it holds, such as `files.create`; empty: for every operation.
  std::span<const std::string_view> operations{};
  /// Only requests that give this parameter count; empty: all.
  std::string_view given{};
  /// The parameter that names the object; empty: the identifier in the path.
  std::string_view object{};
  /// Whose number and count it is: those of the account that a request acts for, also where a platform made
  /// the request; false: of the account whose key made it.
  bool ofConnectedAccount = false;
  /// Holds together with the limit on each operation; false: a rate limit that names operations takes its
  /// place.
  bool besideEndpointRate = false;
  std::optional<std::int64_t> live{};     ///< How many in live mode; nothing: no number is documented.
  std::optional<std::int64_t> sandbox{};  ///< How many in the sandbox; likewise.
  std::chrono::seconds window{0};         ///< In how long; zero for what is in progress.
};

/// Another number for a limit of the API description, as support grants a limit increase.
struct LimitSetting {
  std::string limit{};  ///< Its name, such as `global_rate`; <tally/limits.h> has all of them.
  /// How many; 0 refuses everything. Nothing: the limit is switched off.
  std::optional<std::int64_t> number{};
  std::optional<bool> livemode{};  ///< In one mode; nothing: in both.
  std::string operation{};         ///< For a limit on each operation: for this one; empty: for each.
  std::string country{};           ///< For accounts in that country; empty: wherever they are.
  std::string industry{};          ///< For accounts in that industry; empty: whatever they do.
};

/// How many reads an account may make, by how many transactions it has. Spec: "Limits".
struct ReadAllocation {
  std::int64_t readsPerTransaction = 0;
  std::int64_t minimum = 0;        ///< Whatever the number of transactions.
  std::chrono::seconds window{0};  ///< Reads and transactions count for so long.

  /// How many reads an account with so many transactions may make.
  [[nodiscard]] constexpr std::int64_t allowed(std::int64_t transactions) const noexcept {
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    if (transactions > most / std::max<std::int64_t>(readsPerTransaction, 1)) return most;
    return std::max(minimum, readsPerTransaction * transactions);
  }
};

}  // namespace tally

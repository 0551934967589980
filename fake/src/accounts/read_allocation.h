#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include <tally/fake/allocation_forecast.h>
#include <tally/fake/limit_history.h>
#include <tally/fake/limit_usage.h>
#include <tally/limit_types.h>

#include "accounts/accounts.h"

namespace tally::fake::detail {

/// One of the two read allocations of an account in each mode: for its own reads, and for its reads on behalf
/// of connected accounts. Spec: "Limits", "Read (GET) request allocation".
class ReadQuota {
 public:
  ReadQuota(const ReadAllocation& allocation, const AccountState& payer, bool livemode, bool onBehalf)
      : allocation_(allocation), mode_(payer.mode(livemode)), livemode_(livemode), onBehalf_(onBehalf) {}

  /// The quota that the reads of a caller count against.
  ReadQuota(const ReadAllocation& allocation, const Caller& caller)
      : ReadQuota(allocation, *caller.payer, caller.livemode, caller.payer != caller.account) {}

  [[nodiscard]] static std::string_view nameOf(bool onBehalf) noexcept;
  [[nodiscard]] std::string_view name() const noexcept { return nameOf(onBehalf_); }

  /// Counts a read of a caller.
  static void count(const Caller& caller, Instant now);

  /// Notes that a read of a caller was refused.
  static void noteRefusal(const Caller& caller, Instant now);

  /// The number of reads allowed at `time`, which may be in the future, if nothing happens until then.
  [[nodiscard]] std::int64_t allowed(const Accounts& accounts, Instant time) const;

  [[nodiscard]] bool isUsedUp(const Accounts& accounts, Instant now) const;

  [[nodiscard]] LimitUsage usage(const Accounts& accounts, Instant now) const;

  [[nodiscard]] LimitHistory history(const Accounts& accounts, Instant now) const;

  [[nodiscard]] AllocationForecast forecast(const Accounts& accounts, Instant now) const;

 private:
  [[nodiscard]] const SlidingWindow& reads() const noexcept;
  [[nodiscard]] std::int64_t transactions(const Accounts& accounts, Instant time) const;
  [[nodiscard]] std::optional<Instant> frees(const Accounts& accounts, Instant now) const;

  const ReadAllocation& allocation_;
  const ModeState& mode_;
  bool livemode_;
  bool onBehalf_;
};

}  // namespace tally::fake::detail

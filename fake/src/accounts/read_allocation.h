#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include <tally/fake/allocation_forecast.h>
#include <tally/fake/limit_usage.h>
#include <tally/limit_types.h>

#include "accounts/accounts.h"

namespace tally::fake::detail {

/// One of the two read allocations of an account in each mode: for its own reads, and for its reads on behalf
/// of connected accounts. Spec: "Limits", "Read (GET) request allocation".
class ReadQuota {
 public:
  ReadQuota(const ReadAllocation& allocation, AccountState& payer, bool livemode, bool onBehalf)
      : allocation_(allocation), mode_(payer.mode(livemode)), livemode_(livemode), onBehalf_(onBehalf) {}

  /// The quota that the reads of a caller count against.
  ReadQuota(const ReadAllocation& allocation, const Caller& caller)
      : ReadQuota(allocation, *caller.payer, caller.livemode, caller.payer != caller.account) {}

  [[nodiscard]] std::string_view name() const noexcept;

  [[nodiscard]] SlidingWindow& reads() const noexcept;

  /// The number of reads allowed at `time`, which may be in the future, if nothing happens until then.
  [[nodiscard]] std::int64_t allowed(Accounts& accounts, Instant time) const;

  [[nodiscard]] bool isUsedUp(Accounts& accounts, Instant now) const;

  [[nodiscard]] LimitUsage usage(Accounts& accounts, Instant now) const;

  [[nodiscard]] AllocationForecast forecast(Accounts& accounts, Instant now) const;

 private:
  [[nodiscard]] std::int64_t transactions(Accounts& accounts, Instant time) const;
  [[nodiscard]] std::optional<Instant> frees(Accounts& accounts, Instant now) const;

  const ReadAllocation& allocation_;
  ModeState& mode_;
  bool livemode_;
  bool onBehalf_;
};

}  // namespace tally::fake::detail

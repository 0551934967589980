#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include <tally/fake/limits.h>
#include <tally/limit.h>

#include "accounts/accounts.h"

namespace tally::fake::detail {

/// One of the two read allocations that an account has in each mode: for its own reads, and, where it is a
/// platform, for those on behalf of its connected accounts. Spec: "Limits", "Read (GET) request allocation".
class ReadQuota {
 public:
  ReadQuota(const ReadAllocation& allocation, AccountState& payer, bool livemode, bool onBehalf)
      : allocation_(allocation), mode_(payer.mode(livemode)), livemode_(livemode), onBehalf_(onBehalf) {}

  /// The one that a caller's reads count against.
  ReadQuota(const ReadAllocation& allocation, const Caller& caller)
      : ReadQuota(allocation, *caller.payer, caller.livemode, caller.payer != caller.account) {}

  [[nodiscard]] std::string_view name() const noexcept;

  /// The reads that count now.
  [[nodiscard]] SlidingWindow& reads() const noexcept;

  /// How many reads there may be at a time that may lie ahead, if nothing happens until then.
  [[nodiscard]] std::int64_t allowed(Accounts& accounts, Instant time) const;

  [[nodiscard]] bool isUsedUp(Accounts& accounts, Instant now) const;

  [[nodiscard]] LimitUsage usage(Accounts& accounts, Instant now) const;

 private:
  [[nodiscard]] std::int64_t transactions(Accounts& accounts, Instant time) const;
  [[nodiscard]] std::optional<Instant> frees(Accounts& accounts, Instant now) const;

  const ReadAllocation& allocation_;
  ModeState& mode_;
  bool livemode_;
  bool onBehalf_;
};

}  // namespace tally::fake::detail

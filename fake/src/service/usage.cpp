#include <utility>

#include <tally/fake/usage.h>

#include "accounts/account_limits.h"
#include "accounts/read_allocation.h"
#include "engine/engine.h"

namespace tally::fake {

using detail::AccountState;
using detail::Viewer;

std::vector<LimitUsage> Usage::list(const Account& account) const {
  engine_->settle();
  const auto reading = engine_->read();
  const Instant now = engine_->clock()->now();
  const AccountState& state = reading->accounts.stateOf(account.id);
  std::vector<LimitUsage> lines = usageOf(engine_->catalog(), reading->accounts, state, true, now);
  for (LimitUsage& line : usageOf(engine_->catalog(), reading->accounts, state, false, now))
    lines.push_back(std::move(line));
  return lines;
}

/// The lines of the account that each limit belongs to.
std::vector<LimitUsage> Usage::list(std::string_view key) const {
  engine_->settle();
  const auto reading = engine_->read();
  const Instant now = engine_->clock()->now();
  const Viewer owner = reading->accounts.ownerOf(key);
  std::vector<const AccountState*> holders{owner.payer.get()};
  if (owner.account != owner.payer) holders.push_back(owner.account.get());
  std::vector<LimitUsage> lines;
  for (const bool livemode : {true, false})
    for (const AccountState* holder : holders)
      for (LimitUsage& line : usageOf(engine_->catalog(), reading->accounts, *holder, livemode, now))
        if (&holderOf(engine_->catalog(), line.limit, owner) == holder) lines.push_back(std::move(line));
  return lines;
}

LimitUsage Usage::of(std::string_view key, std::string_view limit, std::string_view each) const {
  engine_->settle();
  const auto reading = engine_->read();
  const Instant now = engine_->clock()->now();
  const Viewer owner = reading->accounts.ownerOf(key);
  const AccountState& holder = holderOf(engine_->catalog(), limit, owner);
  for (LimitUsage& line : usageOf(engine_->catalog(), reading->accounts, holder, owner.livemode, now))
    if (line.limit == limit && line.operation + line.object == each) return std::move(line);
  return unusedLimit(engine_->catalog(), holder, owner.livemode, limit, each, now);
}

std::vector<AllocationForecast> Usage::forecast(std::string_view key) const {
  const auto reading = engine_->read();
  const Viewer owner = reading->accounts.ownerOf(key);
  std::vector<AllocationForecast> forecasts;
  for (const bool onBehalf : {false, true})
    forecasts.push_back(
        detail::ReadQuota{engine_->catalog().readAllocation(), *owner.payer, owner.livemode, onBehalf}
            .forecast(reading->accounts, engine_->clock()->now()));
  return forecasts;
}

}  // namespace tally::fake

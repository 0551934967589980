#include <algorithm>
#include <tuple>
#include <utility>

#include <tally/fake/usage.h>

#include "accounts/account_limits.h"
#include "accounts/read_allocation.h"
#include "engine/engine.h"

namespace tally::fake {

using detail::AccountState;
using detail::Viewer;

namespace {

/// What `linesOf` says about an account in both modes.
template <class LinesOf>
auto ofAccount(detail::Engine& engine, const Account& account, const LinesOf& linesOf) {
  engine.settle();
  const auto reading = engine.read();
  const Instant now = engine.clock()->now();
  const AccountState& state = reading->accounts.stateOf(account.id);
  auto lines = linesOf(engine.catalog(), reading->accounts, state, true, now);
  for (auto& line : linesOf(engine.catalog(), reading->accounts, state, false, now))
    lines.push_back(std::move(line));
  return lines;
}

/// The lines of the account that each limit belongs to.
template <class LinesOf>
auto ofKey(detail::Engine& engine, std::string_view key, const LinesOf& linesOf) {
  engine.settle();
  const auto reading = engine.read();
  const Instant now = engine.clock()->now();
  const Viewer owner = reading->accounts.ownerOf(key);
  std::vector<const AccountState*> holders{owner.payer.get()};
  if (owner.account != owner.payer) holders.push_back(owner.account.get());
  decltype(linesOf(engine.catalog(), reading->accounts, *owner.payer, true, now)) lines;
  for (const bool livemode : {true, false})
    for (const AccountState* holder : holders)
      for (auto& line : linesOf(engine.catalog(), reading->accounts, *holder, livemode, now))
        if (&holderOf(engine.catalog(), line.limit, owner) == holder) lines.push_back(std::move(line));
  return lines;
}

/// Those that refused come first.
std::vector<LimitHistory> inOrder(std::vector<LimitHistory> histories) {
  std::ranges::sort(histories, {}, [](const LimitHistory& history) {
    return std::tuple{history.firstRefusal.value_or(Instant::max()), !history.livemode, history.limit,
                      history.operation};
  });
  return histories;
}

}  // namespace

std::vector<LimitUsage> Usage::list(const Account& account) const {
  return ofAccount(*engine_, account, detail::usageOf);
}

std::vector<LimitUsage> Usage::list(std::string_view key) const {
  return ofKey(*engine_, key, detail::usageOf);
}

std::vector<LimitHistory> Usage::history(const Account& account) const {
  return inOrder(ofAccount(*engine_, account, detail::historyOf));
}

std::vector<LimitHistory> Usage::history(std::string_view key) const {
  return inOrder(ofKey(*engine_, key, detail::historyOf));
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

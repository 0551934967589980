#include "accounts/read_allocation.h"

#include <algorithm>
#include <limits>

#include "time/saturating.h"

namespace tally::fake::detail {

using tally::detail::saturatingAdd;

namespace {

UseHistory& historyOf(const Caller& caller) {
  ReadCounters& reads = caller.payerMode().reads;
  return caller.payer == caller.account ? reads.ownHistory : reads.onBehalfHistory;
}

}  // namespace

std::string_view ReadQuota::nameOf(bool onBehalf) noexcept {
  return onBehalf ? "read_allocation_on_behalf" : "read_allocation";
}

void ReadQuota::count(const Caller& caller, Instant now) {
  ReadCounters& reads = caller.payerMode().reads;
  SlidingWindow& window = caller.payer == caller.account ? reads.own : reads.onBehalf;
  window.add(now);
  historyOf(caller).noteUse(now, window.lastCount());
}

void ReadQuota::noteRefusal(const Caller& caller, Instant now) {
  historyOf(caller).noteRefusal(now);
}

const SlidingWindow& ReadQuota::reads() const noexcept {
  return onBehalf_ ? mode_.reads.onBehalf : mode_.reads.own;
}

std::int64_t ReadQuota::transactions(const Accounts& accounts, Instant time) const {
  if (!onBehalf_) return mode_.reads.transactions.countAt(time);
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  std::int64_t sum = 0;
  for (const std::size_t number : mode_.connected)
    sum += std::min(accounts.at(number)->mode(livemode_).reads.transactions.countAt(time), most - sum);
  return sum;
}

std::int64_t ReadQuota::allowed(const Accounts& accounts, Instant time) const {
  return allocation_.allowed(transactions(accounts, time));
}

/// Sums the transactions of connected accounts only once the minimum is used up.
bool ReadQuota::isUsedUp(const Accounts& accounts, Instant now) const {
  const std::int64_t used = reads().countAt(now);
  return used >= allocation_.minimum && used >= allowed(accounts, now);
}

/// By the time enough reads expire, transactions may have expired too, which lowers the allowance. Hence the
/// loop.
std::optional<Instant> ReadQuota::frees(const Accounts& accounts, Instant now) const {
  for (Instant time = now;;) {
    const auto next = reads().fallsBelow(allowed(accounts, time), time);
    if (!next || *next == time) return next;
    time = *next;
  }
}

LimitUsage ReadQuota::usage(const Accounts& accounts, Instant now) const {
  LimitUsage usage{.limit = std::string{name()}, .livemode = livemode_, .used = reads().countAt(now)};
  usage.allowed = allowed(accounts, now);
  usage.remaining = std::max<std::int64_t>(*usage.allowed - usage.used, 0);
  usage.availableAt = frees(accounts, now);
  usage.freesAt = reads().fallsBelow(usage.used, now);
  return usage;
}

LimitHistory ReadQuota::history(const Accounts& accounts, Instant now) const {
  LimitHistory history{
      .limit = std::string{name()}, .livemode = livemode_, .allowed = allowed(accounts, now)};
  (onBehalf_ ? mode_.reads.onBehalfHistory : mode_.reads.ownHistory).addTo(history, now);
  return history;
}

AllocationForecast ReadQuota::forecast(const Accounts& accounts, Instant now) const {
  constexpr int steps = 120;
  AllocationForecast forecast{.limit = std::string{name()}, .livemode = livemode_};
  for (int i = 0; i <= steps; ++i) {
    const Instant time = saturatingAdd(now, std::chrono::nanoseconds{allocation_.window} * i / steps);
    forecast.points.push_back({time, reads().countAt(time), allowed(accounts, time)});
  }
  return forecast;
}

}  // namespace tally::fake::detail

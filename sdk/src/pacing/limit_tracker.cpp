#include "pacing/limit_tracker.h"

#include <algorithm>
#include <utility>

#include "time/saturating.h"

namespace tally::detail {

using std::chrono::nanoseconds;

namespace {

int breadth(const Limit& limit) {
  if (limit.scope == LimitScope::object) return 0;
  if (limit.scope == LimitScope::operation) return 1;
  return limit.operations.empty() ? 3 : 2;
}

/// Concurrency limits come last in their breadth, so that their units are held less while a call waits for
/// other limits.
int rankOf(const Limit& limit) {
  return 2 * breadth(limit) + (limit.metric == LimitMetric::inProgress ? 1 : 0);
}

/// The tolerance for refusals that the number did not cause.
nanoseconds fractionOf(nanoseconds window) {
  return window / 20;
}

}  // namespace

LimitTracker::LimitTracker(const Slot& slot, std::optional<std::int64_t> number, const PaceTerms& terms,
                           std::uint64_t serial)
    : slot_(slot),
      terms_(terms),
      order_(rankOf(*slot.limit), serial),
      recovery_(std::max<nanoseconds>(terms.recovery, slot.limit->window)),
      number_(number, recovery_),
      window_(slot.limit->window + terms.margin + fractionOf(slot.limit->window)) {}

std::optional<std::int64_t> LimitTracker::shared(std::optional<std::int64_t> number, Instant now) const {
  return number && share_ ? std::min(*number, share_->at(now)) : number;
}

/// No units before then: requests of an earlier process may still count.
Instant LimitTracker::opens() const {
  const bool full = isRate() && number_.full() && terms_.start && limit().window <= terms_.assumeUsed;
  return full ? std::max(closedUntil_, saturatingAdd(*terms_.start, firstWindow())) : closedUntil_;
}

bool LimitTracker::isStretched(Instant now) const {
  return stretched_ && saturatingSince(*stretched_, now) < recovery_;
}

/// By how much a request stops counting before the window drops it.
nanoseconds LimitTracker::slack(Instant now) const {
  return isStretched(now) ? nanoseconds{0} : fractionOf(limit().window);
}

PaceUse LimitTracker::use(Instant now) const {
  if (!isRate()) return {.used = held_, .lately = held_};
  const PaceUse sent{.used = held_ + window_.countAt(saturatingAdd(now, slack(now))),
                     .lately = held_ + window_.countAt(now)};
  if (now >= opens()) return sent;
  return {.used = std::max(sent.used, allowed(now).value_or(0)), .lately = sent.lately};
}

bool LimitTracker::hasRoom(Instant now) const {
  const auto number = allowed(now);
  return !number || used(now) < *number;
}

bool LimitTracker::hasUnit(Instant now) const {
  return now >= opens() && hasRoom(now);
}

void LimitTracker::take(const PaceUse& before) noexcept {
  ++held_;
  demand_.used = std::max(demand_.used, before.used + 1);
}

void LimitTracker::noteWait() noexcept {
  demand_.waiting = std::max(demand_.waiting, static_cast<std::int64_t>(line_.size()));
}

PaceDemand LimitTracker::measureDemand() noexcept {
  return std::exchange(demand_, {.used = held_, .waiting = static_cast<std::int64_t>(line_.size())});
}

void LimitTracker::expect() {
  if (isRate()) window_.reserve(calls_);
}

void LimitTracker::finish(Instant arrived, Instant now) {
  --held_;
  if (isRate()) window_.addLate(arrived, now);
}

/// From `now` on; nullopt if `number` is not positive.
std::optional<Instant> LimitTracker::windowFallsBelow(std::int64_t number, Instant now) const {
  const nanoseconds sooner = slack(now);
  const auto falls = window_.fallsBelow(number, saturatingAdd(now, sooner));
  return falls ? std::optional{*falls - sooner} : std::nullopt;
}

std::optional<Instant> LimitTracker::frees(Instant now) const {
  now = std::max(now, opens());
  if (hasRoom(now)) return now;
  const auto rises = number_.rises(now);
  if (!isRate()) return rises;
  const auto falls = windowFallsBelow(*allowed(now) - held_, now);
  return falls ? std::min(*falls, rises.value_or(*falls)) : rises;
}

/// A share may grow at any time, and requests in flight may turn out not to count.
Instant LimitTracker::freesAtBest(Instant now, std::int64_t own) const {
  now = std::max(now, opens());
  const auto number = number_.at(now);
  if (!number || !isRate()) return now;
  const Instant rises = number_.rises(now).value_or(Instant::max());
  return std::min(windowFallsBelow(*number - own, now).value_or(rises), rises);
}

Instant LimitTracker::earliest(std::int64_t ahead, Instant now) const {
  now = std::max(now, opens());
  const auto full = number_.full();
  if (!full || !isRate()) return now;
  const Instant first = *windowFallsBelow(*full - ahead % *full, now);
  const nanoseconds each = limit().window + terms_.margin;
  const std::int64_t windows = ahead / *full;
  if (windows > saturatingSince(first, Instant::max()) / each) return Instant::max();
  return saturatingAdd(first, windows * each);
}

/// Concurrency limits have no window: within 1 s, requests of an earlier process have probably ended.
nanoseconds LimitTracker::firstWindow() const {
  return (isRate() ? limit().window : std::chrono::seconds{1}) + terms_.margin;
}

bool LimitTracker::onRefusal(const PaceUse& before, Instant sent, Instant now) {
  if (terms_.start && saturatingSince(*terms_.start, sent) < firstWindow()) {
    closeForPredecessor(now);
    return false;
  }
  // A request sent before the last adaptation can't tell whether that was enough.
  if (isRate() && learnedSince(sent)) return false;
  const auto number = allowed(now);
  const bool borderline = isRate() && number && before.lately >= *number;
  if (borderline && !isStretched(now)) {
    stretched_ = now;
    return false;
  }
  lower(before.used, now);
  return true;
}

bool LimitTracker::onRefusalOfConnected(const LimitTracker& connected, Instant now) noexcept {
  const bool isAnother = lastRefused_ && lastRefused_->connected != connected.order() &&
                         saturatingSince(lastRefused_->time, now) < recovery_;
  lastRefused_ = Refused{.connected = connected.order(), .time = now};
  return isAnother;
}

/// The first window may take a day to end; the oldest requests of the earlier process stop counting much
/// sooner.
void LimitTracker::closeForPredecessor(Instant now) {
  const nanoseconds most = std::max<nanoseconds>(fractionOf(limit().window), std::chrono::seconds{1});
  const Instant over = std::min(saturatingAdd(*terms_.start, firstWindow()), saturatingAdd(now, most));
  closedUntil_ = std::max(closedUntil_, over);
}

bool LimitTracker::learnedSince(Instant time) const {
  return number_.loweredSince(time) || (stretched_ && *stretched_ >= time);
}

void LimitTracker::lower(std::int64_t before, Instant now) {
  const std::int64_t was = before + 1;
  if (!isRate()) return number_.lower(std::max<std::int64_t>(before, 1), was, now);
  const std::int64_t most = std::min(was, allowed(now).value_or(was));
  number_.lower(std::max<std::int64_t>(most / 2, 1), was, now);
}

bool LimitTracker::isIdle(Instant now) const {
  return !share_ && calls_ == 0 && use(now).lately == 0 && now >= opens() && !isStretched(now) &&
         !number_.isLowered(now);
}

}  // namespace tally::detail

#include "pacing/reservation.h"

#include <algorithm>
#include <chrono>

namespace tally::detail {

namespace {

/// Whether the reason is the rate of an endpoint or a resource.
bool isNarrowRate(RateLimitedReason reason) {
  return reason == RateLimitedReason::endpointRate || reason == RateLimitedReason::resourceSpecific;
}

}  // namespace

void Reservation::add(Unit unit) {
  units_.push_back(unit);
  unit.count->join();
}

void Reservation::add(LimitTracker& connected, LimitTracker& platform) {
  add(Unit{.count = &platform, .learns = false});
  add(Unit{.count = &connected, .platform = &platform});
}

void Reservation::sort() noexcept {
  std::ranges::sort(units_, {}, [](const Unit& unit) { return unit.count->order(); });
}

void Reservation::expect() {
  for (const Unit& unit : units_)
    unit.count->expect();
  if (following_ != nullptr) following_->expect();
}

bool Reservation::needs(const LimitTracker& count) const noexcept {
  return std::ranges::find(units_, &count, &Unit::count) != units_.end();
}

bool Reservation::holds(const LimitTracker& count) const noexcept {
  const auto held = units().first(taken_);
  return std::ranges::find(held, &count, &Unit::count) != held.end();
}

bool Reservation::canInclude(const Reservation& following, Instant now) const noexcept {
  return std::ranges::none_of(following.units_, [&](const Unit& unit) {
    const auto most = unit.count->ceiling(now);
    return most && *most < 2 && unit.count->isRate() && needs(*unit.count);
  });
}

bool Reservation::excludeIfImpossible(Instant now) noexcept {
  if (following_ == nullptr || canInclude(*following_, now)) return false;
  following_->release();
  exclude();
  return true;
}

/// Of the same count, the first request takes its unit first.
bool Reservation::isFollowingNext() const noexcept {
  if (following_ == nullptr || following_->isComplete()) return false;
  return isComplete() || following_->ownNext().order() < ownNext().order();
}

LimitTracker& Reservation::next() const {
  return isFollowingNext() ? following_->ownNext() : ownNext();
}

std::int64_t Reservation::ownOfNext() const {
  return isFollowingNext() && needs(following_->ownNext()) ? 1 : 0;
}

/// Of a concurrency limit, the second request needs no room of its own.
void Reservation::take(Instant now) noexcept {
  LimitTracker& count = next();
  const PaceUse before = count.use(now);
  if (isFollowingNext()) return following_->takeOwn(before);
  takeOwn(before);
  const bool both = following_ != nullptr && !following_->isComplete() && &following_->ownNext() == &count;
  if (both && !count.isRate()) following_->takeOwn(before);
}

void Reservation::takeOwn(const PaceUse& before) noexcept {
  Unit& unit = units_[taken_++];
  unit.before = before;
  unit.kept = false;
  unit.count->take(before);
}

/// The unit of a concurrency limit that the other request holds has no room of its own, even once it is
/// excluded. Otherwise, two calls that have their units could withdraw in turn, each because of the other.
bool Reservation::isCovered(Instant now, const Reservation* excluded) const {
  const auto isOfBoth = [&](const LimitTracker& count) {
    if (count.isRate() || !needs(count)) return false;
    return following_ != nullptr ? following_->needs(count) : excluded != nullptr && excluded->holds(count);
  };
  const auto isCovered = [&](const Unit& unit) {
    return unit.count->isCovered(now, isOfBoth(*unit.count) ? 1 : 0);
  };
  return std::ranges::all_of(units_, isCovered) &&
         (following_ == nullptr || std::ranges::all_of(following_->units_, isCovered));
}

const LimitTracker* Reservation::fullUntil(Instant until, Instant now) const {
  for (const Unit& unit : units().subspan(taken_))
    if (unit.count->freesAtBest(now, 0) >= until) return unit.count;
  return following_ == nullptr ? nullptr : following_->fullUntil(until, now);
}

bool Reservation::dependsOnRequests(Instant now) const {
  const auto isTaken = [&](const Unit& unit) { return !unit.count->frees(now); };
  return std::ranges::any_of(units().subspan(taken_), isTaken) ||
         (following_ != nullptr && following_->dependsOnRequests(now));
}

void Reservation::release() noexcept {
  if (following_ != nullptr) following_->release();
  for (; taken_ > 0; --taken_)
    units_[taken_ - 1].count->giveBack();
}

/// A refused request counts against no limit, except one whose number the refusal lowered: there it counts as
/// a pause.
void Reservation::end(const PacedOutcome& outcome, Instant sent, Instant arrived, Instant now) noexcept {
  if (outcome.refusedBy) learn(*outcome.refusedBy, sent, now);
  for (const Unit& unit : units_) {
    const bool admitted = !outcome.refusedBy || unit.kept;
    const bool matters = outcome.changed || unit.count->limit().metric != LimitMetric::changes;
    if (outcome.counted && admitted && matters) {
      unit.count->finish(arrived, now);
    } else {
      unit.count->giveBack();
    }
  }
  taken_ = 0;
}

void Reservation::leave() noexcept {
  release();
  exclude();
  for (const Unit& unit : units_)
    unit.count->part();
  units_.clear();
}

/// Applies a refusal to the limits that its reason names. A refusal of a narrow rate (endpoint or resource)
/// without such a limit applies to the request's other narrow rates. Among several, those with the shortest
/// window are lowered, which is enough to make progress.
void Reservation::learn(RateLimitedReason reason, Instant sent, Instant now) noexcept {
  const auto isNamed = [&](const Unit& unit) { return unit.learns && unit.count->limit().reason == reason; };
  const bool named = std::ranges::any_of(units_, isNamed);
  const auto isMeant = [&](const Unit& unit) {
    if (named) return isNamed(unit);
    return unit.learns && isNarrowRate(reason) && isNarrowRate(unit.count->limit().reason);
  };
  auto shortest = std::chrono::seconds::max();
  for (const Unit& unit : units_)
    if (isMeant(unit)) shortest = std::min(shortest, unit.count->limit().window);
  for (Unit& unit : units_) {
    if (!isMeant(unit) || unit.count->limit().window != shortest) continue;
    Unit& cause = causeOf(unit, now);
    cause.kept = cause.count->onRefusal(cause.before, sent, now);
  }
}

/// The unit of the count that explains a refusal: that of a connected account, or else of its platform.
Reservation::Unit& Reservation::causeOf(Unit& refused, Instant now) noexcept {
  if (refused.platform == nullptr || !refused.platform->onRefusalOfConnected(*refused.count, now))
    return refused;
  return *std::ranges::find(units_, refused.platform, &Unit::count);
}

}  // namespace tally::detail

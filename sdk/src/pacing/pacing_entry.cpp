#include "pacing/pacing_entry.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

namespace tally::detail {

namespace {

/// Whether the reason is the rate of an endpoint or a resource.
bool isNarrowRate(RateLimitedReason reason) {
  return reason == RateLimitedReason::endpointRate || reason == RateLimitedReason::resourceSpecific;
}

}  // namespace

void PacingEntry::begin(WindowedMin& responseTimes, std::size_t places) {
  responseTimes_ = &responseTimes;
  ticket_.places.reserve(places + (next_ == nullptr ? 0 : next_->ticket_.places.size()));
}

void PacingEntry::addPlace(LimitTracker& count, bool learns) {
  count.join();
  ticket_.places.push_back({.count = &count, .learns = learns});
}

void PacingEntry::sortPlaces() noexcept {
  std::ranges::sort(ticket_.places, {}, [](const PaceTicket::Place& place) { return place.count->order(); });
}

void PacingEntry::ask(PacingQueue& lines, Instant now, PaceWoken& woken) {
  takeInNext(lines);
  for (const PaceTicket::Place& place : ticket_.places)
    place.count->expect();
  if (!ticket_.hasAll()) (void)lines.ask(ticket_, now, woken);
}

void PacingEntry::leave(PacingQueue& lines) noexcept {
  lines.withdraw(ticket_);
  letNextGo();
  for (const PaceTicket::Place& place : ticket_.places)
    place.count->part();
}

/// Merges the places of `next_` into this ticket. The two calls share one place in a concurrency limit, since
/// they are not in flight at the same time.
void PacingEntry::takeInNext(PacingQueue& lines) noexcept {
  if (next_ == nullptr || hasNextIn_ || !bothFit()) return;
  std::vector<PaceTicket::Place>& theirs = next_->ticket_.places;
  lines.withdraw(next_->ticket_);
  for (PaceTicket::Place& place : theirs)
    place.ofNext = !isSharedInTurn(*place.count);
  std::ranges::copy_if(theirs, std::back_inserter(ticket_.places), &PaceTicket::Place::ofNext);
  std::erase_if(theirs, &PaceTicket::Place::ofNext);
  sortPlaces();
  hasNextIn_ = true;
}

/// Returns the places of `next_`: all of them taken, or none.
void PacingEntry::letNextGo() noexcept {
  if (!std::exchange(hasNextIn_, false)) return;
  std::vector<PaceTicket::Place>& theirs = next_->ticket_.places;
  const bool taken = ticket_.taken != 0;
  if (taken) std::ranges::for_each(theirs, [this](PaceTicket::Place& shared) { share(shared); });
  std::ranges::copy_if(ticket_.places, std::back_inserter(theirs), &PaceTicket::Place::ofNext);
  std::erase_if(ticket_.places, &PaceTicket::Place::ofNext);
  next_->sortPlaces();
  if (!taken) return;
  ticket_.taken = ticket_.places.size();
  next_->ticket_.taken = theirs.size();
}

/// Takes the place in a concurrency limit that both calls share.
void PacingEntry::share(PaceTicket::Place& place) noexcept {
  place.before = std::ranges::find(ticket_.places, place.count, &PaceTicket::Place::count)->before;
  place.count->take();
}

/// False if both calls count against a rate limit that admits only one request per window.
bool PacingEntry::bothFit() const noexcept {
  return std::ranges::none_of(next_->ticket_.places, [this](const PaceTicket::Place& place) {
    const auto full = place.count->number().full();
    return full && *full < 2 && !isSharedInTurn(*place.count) &&
           std::ranges::find(ticket_.places, place.count, &PaceTicket::Place::count) != ticket_.places.end();
  });
}

bool PacingEntry::isSharedInTurn(const LimitTracker& count) const noexcept {
  return count.limit().metric == LimitMetric::inProgress &&
         std::ranges::find(ticket_.places, &count, &PaceTicket::Place::count) != ticket_.places.end();
}

PaceVerdict PacingEntry::decide(Instant now, Instant until) {
  if (ticket_.hasAll()) {
    letNextGo();
    return PaceVerdict::go;
  }
  limit_ = ticket_.next().limit().name;
  wakeUp_ = PacingQueue::wakeUp(ticket_, now);
  if (std::max(PacingQueue::earliest(ticket_, now), wakeUp_.value_or(now)) >= until)
    return PaceVerdict::tooLong;
  ticket_.wake = std::make_shared<PaceWake>();
  ticket_.sleepsUntil = wakeUp_.value_or(Instant::max());
  return PaceVerdict::wait;
}

void PacingEntry::send(Instant now) noexcept {
  sent_ = now;
  usual_ = responseTimes_->isSettled(now) ? responseTimes_->value() : std::nullopt;
}

/// A refused request counts against no limit, except one whose number the refusal lowered: there it counts as
/// a pause.
void PacingEntry::end(Instant now, const PacedOutcome& outcome) noexcept {
  if (outcome.refusedBy) learn(*outcome.refusedBy, now);
  if (outcome.responded) responseTimes_->add(now - *sent_, now);
  for (const PaceTicket::Place& place : ticket_.places) {
    const bool admitted = !outcome.refusedBy || place.kept;
    const bool matters = outcome.changed || place.count->limit().metric != LimitMetric::changes;
    if (outcome.counted && admitted && matters) {
      place.count->finish(arrivedBy(now), now);
    } else {
      place.count->giveBack();
    }
  }
  ticket_.taken = 0;
  sent_.reset();
}

/// Estimates the latest time at which the service counted the request: the shortest known response time
/// before the response.
Instant PacingEntry::arrivedBy(Instant responded) const {
  if (!usual_) return responded;
  const auto least = std::min(*usual_, responseTimes_->value().value_or(*usual_));
  return std::max(*sent_, responded - least);
}

/// Applies a refusal to the limits that its reason names. A refusal of a narrow rate (endpoint or resource)
/// without such a limit applies to the request's other narrow rates. Among several, those with the shortest
/// window are lowered, which is enough to make progress.
void PacingEntry::learn(RateLimitedReason reason, Instant now) noexcept {
  const auto isNamed = [&](const PaceTicket::Place& place) {
    return place.learns && place.count->limit().reason == reason;
  };
  const bool named = std::ranges::any_of(ticket_.places, isNamed);
  const auto isMeant = [&](const PaceTicket::Place& place) {
    if (named) return isNamed(place);
    return place.learns && isNarrowRate(reason) && isNarrowRate(place.count->limit().reason);
  };
  auto shortest = std::chrono::seconds::max();
  for (const PaceTicket::Place& place : ticket_.places)
    if (isMeant(place)) shortest = std::min(shortest, place.count->limit().window);
  for (PaceTicket::Place& place : ticket_.places) {
    const bool learns = isMeant(place) && place.count->limit().window == shortest;
    place.kept = learns && place.count->onRefusal(place.before, *sent_, now);
  }
}

}  // namespace tally::detail

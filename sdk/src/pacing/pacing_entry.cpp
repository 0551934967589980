#include "pacing/pacing_entry.h"

#include <algorithm>
#include <optional>

namespace tally::detail {

void PacingEntry::begin(WindowedMin& responseTimes, std::size_t units) {
  responseTimes_ = &responseTimes;
  units_.reserve(units);
}

void PacingEntry::ask(PacingQueue& lines, Instant now, PaceWoken& woken) {
  if (units_.hasAll()) return;
  takeInNext(lines, now);
  units_.expect();
  (void)lines.ask(ticket_, now, woken);
}

void PacingEntry::leave(PacingQueue& lines) noexcept {
  lines.withdraw(ticket_);
  units_.leave();
}

/// First, gives back the units of `next`: otherwise, this entry could wait for them.
void PacingEntry::takeInNext(PacingQueue& lines, Instant now) noexcept {
  if (next_ == nullptr || units_.includesAnother()) return;
  lines.withdraw(next_->ticket_);
  if (units_.canInclude(next_->units_, now)) units_.include(next_->units_);
}

/// Whether it would certainly wait until then: for the next unit, or for a later one. Notes for which limit.
bool PacingEntry::isTooLong(Instant now, Instant until) {
  if (PacingQueue::earliest(ticket_, now) >= until) return true;
  const LimitTracker* later = units_.fullUntil(until, now);
  if (later == nullptr) return false;
  limit_ = later->limit().name;
  return true;
}

/// A call that waited for one limit may hold units of others for longer than the share to which they belong.
PaceVerdict PacingEntry::decide(PacingQueue& lines, Instant now, Instant until, PaceWoken& woken) {
  const bool isCovered = units_.isCovered(now, next_ == nullptr ? nullptr : &next_->units_);
  if (units_.hasAll() && !isCovered) lines.askAnew(ticket_, now, woken);
  if (units_.hasAll()) {
    // `next` has never asked, but needs a position of its own if it has to queue again.
    if (units_.includesAnother()) next_->ticket_.number = ticket_.number;
    units_.exclude();
    return PaceVerdict::go;
  }
  limit_ = units_.next().limit().name;
  if (until != Instant::max() && isTooLong(now, until)) return PaceVerdict::tooLong;
  if (waitsOnlyForTime_ && units_.dependsOnRequests(now)) return PaceVerdict::mustNotWait;
  wakeUp_ = waitsOnlyForTime_ ? units_.next().frees(now) : PacingQueue::wakeUp(ticket_, now);
  if (wakeUp_) wakeUp_ = std::min(*wakeUp_, until);
  ticket_.wake = std::make_shared<PaceWake>();
  ticket_.sleepsUntil = wakeUp_.value_or(Instant::max());
  return PaceVerdict::wait;
}

void PacingEntry::rejoin(PacingQueue& lines, Instant now, PaceWoken& woken) noexcept {
  if (ticket_.waits || units_.hasAll()) return;
  takeInNext(lines, now);
  lines.askAnew(ticket_, now, woken);
}

void PacingEntry::send(Instant now) noexcept {
  sent_ = now;
  departed_ = now;
  usual_ = responseTimes_->isSettled(now) ? responseTimes_->value() : std::nullopt;
}

void PacingEntry::end(Instant now, const PacedOutcome& outcome) noexcept {
  departed_ = std::max(departed_, *sent_);
  if (outcome.responded) responseTimes_->add(now - departed_, now);
  units_.end(outcome, *sent_, arrivedBy(now), now);
  sent_.reset();
}

/// Estimates the latest time at which the service counted the request: the shortest known response time
/// before the response. Response times count from the departure: what delays the departure of one request
/// need not delay that of the next.
Instant PacingEntry::arrivedBy(Instant responded) const {
  if (!usual_) return responded;
  const auto least = std::min(*usual_, responseTimes_->value().value_or(*usual_));
  return std::max(departed_, responded - least);
}

}  // namespace tally::detail

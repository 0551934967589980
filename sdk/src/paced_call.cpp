#include "paced_call.h"

#include <algorithm>
#include <mutex>
#include <string>
#include <utility>

#include "header_in.h"
#include "redaction.h"
#include "wire.h"

namespace tally::detail {

namespace {

using Guard = std::lock_guard<std::mutex>;

/// Whether it is about the rate of an endpoint or a resource.
bool isNarrowRate(RateLimitedReason reason) {
  return reason == RateLimitedReason::endpointRate || reason == RateLimitedReason::resourceSpecific;
}

}  // namespace

PacedCall::PacedCall(Pacing& pacing, const Operation& operation) noexcept
    : pacing_(pacing), operation_(operation) {}

/// Made by another constructor first: so if anything throws here, the destructor undoes what was done.
PacedCall::PacedCall(Pacing& pacing, const Operation& operation, const PacedRequest& paced,
                     const HttpRequest& request)
    : PacedCall(pacing, operation) {
  const std::string_view key = keyOf(request);
  const std::string* connected = headerIn(request.headers, header::connectedAccount);
  const bool forItself = connected == nullptr || connected->empty();
  const Guard guard{pacing_.mutex_};
  answerTimes_ = &pacing_.answerTimes_[&operation_];
  ticket_.places.reserve(forItself ? paced.size() : 2 * paced.size());
  addPlaces(paced, pacing_.accountOf(key, {}), forItself);
  if (!forItself) addPlaces(paced, pacing_.accountOf(key, *connected), true);
  std::ranges::sort(ticket_.places, {}, [](const PaceTicket::Place& place) { return place.count->order(); });
}

void PacedCall::addPlaces(const PacedRequest& paced, const PacedAccount& account, bool learns) {
  for (const PacedLimit& limit : paced) {
    PacedCount& count = pacing_.count(account, limit);
    count.join();
    ticket_.places.push_back({.count = &count, .learns = learns});
  }
}

PacedCall::~PacedCall() {
  PaceWoken woken{};
  const Guard guard{pacing_.mutex_};
  if (sent_) settle(pacing_.latest_, {});  // nobody will say what became of it
  pacing_.lines_.withdraw(ticket_);
  for (const PaceTicket::Place& place : ticket_.places)
    place.count->part();
  pacing_.lines_.serve(pacing_.latest_, woken);
}

PacedCall::Verdict PacedCall::ask(Instant now, Instant until) {
  PaceWoken woken{};
  const Guard guard{pacing_.mutex_};
  now = pacing_.present(now);
  for (const PaceTicket::Place& place : ticket_.places)
    place.count->expect();
  if (pacing_.lines_.ask(ticket_, now, woken)) return Verdict::go;
  return verdict(now, until);
}

/// For one that waits, also when to look again.
PacedCall::Verdict PacedCall::verdict(Instant now, Instant until) {
  if (ticket_.hasAll()) return Verdict::go;
  limit_ = ticket_.next().limit().name;
  wakeUp_ = PaceLines::wakeUp(ticket_, now);
  if (std::max(PaceLines::earliest(ticket_, now), wakeUp_.value_or(now)) >= until) return Verdict::tooLong;
  ticket_.wake = std::make_shared<PaceWake>();
  ticket_.sleepsUntil = wakeUp_.value_or(Instant::max());
  return Verdict::wait;
}

bool PacedCall::await(Clock& clock, Instant until, const std::stop_token& stop) {
  Verdict found = look(clock.now(), until);
  while (found == Verdict::wait && !stop.stop_requested()) {
    sleep(clock, until, stop);
    found = look(clock.now(), until);
  }
  return found == Verdict::go && !stop.stop_requested();
}

PacedCall::Verdict PacedCall::look(Instant now, Instant until) {
  PaceWoken woken{};
  const Guard guard{pacing_.mutex_};
  now = pacing_.present(now);
  ticket_.sleepsUntil = Instant::min();
  pacing_.lines_.serve(now, woken);
  return verdict(now, until);
}

/// Where it depends on requests under way, time passes by their doing.
void PacedCall::sleep(Clock& clock, Instant until, const std::stop_token& stop) const {
  const std::stop_callback interrupted{stop, [wake = ticket_.wake] { wake->source.request_stop(); }};
  if (wakeUp_) {
    clock.sleepUntil(*wakeUp_, ticket_.wake->source.get_token());
  } else {
    clock.awaitUntil(until, ticket_.wake->source.get_token());
  }
}

void PacedCall::sending(Instant now) noexcept {
  const Guard guard{pacing_.mutex_};
  sent_ = pacing_.present(now);
  usual_ = answerTimes_->value();
  ++pacing_.underWay_;
}

void PacedCall::answered(Instant now, const PacedOutcome& outcome) noexcept {
  PaceWoken woken{};
  const Guard guard{pacing_.mutex_};
  now = pacing_.present(now);
  if (outcome.refusedBy) learn(*outcome.refusedBy, now);
  if (outcome.answered) answerTimes_->add(now - *sent_, now);
  settle(now, outcome);
  pacing_.lines_.serve(now, woken);
}

/// What a limit refused no limit has counted; only where that lowered a number it counts, as a pause.
void PacedCall::settle(Instant now, const PacedOutcome& outcome) noexcept {
  for (const PaceTicket::Place& place : ticket_.places) {
    const bool admitted = !outcome.refusedBy || place.kept;
    const bool matters = outcome.changed || place.count->limit().counts != LimitCounts::changes;
    if (outcome.counted && admitted && matters) {
      place.count->settle(arrivedBy(now), now);
    } else {
      place.count->giveBack();
    }
  }
  ticket_.taken = 0;
  sent_.reset();
  --pacing_.underWay_;
}

/// No later than this has the service counted it: as long as an answer takes at the least it took from there.
Instant PacedCall::arrivedBy(Instant answered) const {
  if (!usual_) return answered;
  const auto least = std::min(*usual_, answerTimes_->value().value_or(*usual_));
  return std::max(*sent_, answered - least);
}

/// What is said of an endpoint for which no such limit is known is taken to be about the limit that it has.
/// Of several that may be meant, the one that recovers soonest is lowered: that is enough to get on.
void PacedCall::learn(RateLimitedReason reason, Instant now) noexcept {
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
    place.kept = learns && place.count->refused(place.before, *sent_, now);
  }
}

}  // namespace tally::detail

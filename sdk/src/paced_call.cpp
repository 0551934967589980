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

/// Wakes threads when it goes: made before a Guard, it does so without the lock.
struct WakeLater {
  WakeLater() = default;
  WakeLater(const WakeLater&) = delete;
  WakeLater& operator=(const WakeLater&) = delete;
  ~WakeLater() {
    for (std::stop_source& source : threads)
      source.request_stop();
  }

  PaceLines::Woken threads{};
};

/// Whether it is about the rate of an endpoint or a resource.
bool isNarrowRate(RateLimitedReason reason) {
  return reason == RateLimitedReason::endpointRate || reason == RateLimitedReason::resourceSpecific;
}

}  // namespace

PacedCall::PacedCall(Pacing& pacing, const Operation& operation, const PacedRequest& paced,
                     const HttpRequest& request)
    : pacing_(pacing), operation_(operation) {
  const std::string_view key = keyOf(request);
  const std::string* connected = headerIn(request.headers, header::connectedAccount);
  const bool forItself = connected == nullptr || connected->empty();
  const Guard guard{pacing_.mutex_};
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
  WakeLater woken{};
  const Guard guard{pacing_.mutex_};
  if (sent_) settle(pacing_.latest_, {});  // nobody will say what became of it
  pacing_.lines_.withdraw(ticket_);
  for (const PaceTicket::Place& place : ticket_.places)
    place.count->part();
  pacing_.lines_.serve(pacing_.latest_, woken.threads);
}

PacedCall::Verdict PacedCall::ask(Instant now, Instant until) {
  WakeLater woken{};
  const Guard guard{pacing_.mutex_};
  now = pacing_.present(now);
  if (pacing_.lines_.ask(ticket_, now, woken.threads)) return Verdict::go;
  return verdict(now, until);
}

/// For one that waits, also when to look again.
PacedCall::Verdict PacedCall::verdict(Instant now, Instant until) {
  if (ticket_.hasAll()) return Verdict::go;
  limit_ = ticket_.next().limit().name;
  wakeUp_ = PaceLines::wakeUp(ticket_, now);
  if (std::max(PaceLines::earliest(ticket_, now), wakeUp_.value_or(now)) >= until) return Verdict::tooLong;
  ticket_.wake = std::stop_source{};
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
  WakeLater woken{};
  const Guard guard{pacing_.mutex_};
  now = pacing_.present(now);
  ticket_.sleepsUntil = Instant::min();
  pacing_.lines_.serve(now, woken.threads);
  return verdict(now, until);
}

/// Where it depends on requests under way, time passes by their doing.
void PacedCall::sleep(Clock& clock, Instant until, const std::stop_token& stop) const {
  const std::stop_callback interrupted{stop, [wake = ticket_.wake]() mutable { wake.request_stop(); }};
  if (wakeUp_) {
    clock.sleepUntil(*wakeUp_, ticket_.wake.get_token());
  } else {
    clock.awaitUntil(until, ticket_.wake.get_token());
  }
}

void PacedCall::sending(Instant now) {
  const Guard guard{pacing_.mutex_};
  sent_ = pacing_.present(now);
  usual_ = pacing_.answerTimes_[&operation_].value();
  ++pacing_.underWay_;
}

void PacedCall::answered(Instant now, const PacedOutcome& outcome) {
  WakeLater woken{};
  const Guard guard{pacing_.mutex_};
  now = pacing_.present(now);
  if (outcome.refusedBy) learn(*outcome.refusedBy, now);
  if (outcome.answered && !outcome.refusedBy) pacing_.answerTimes_[&operation_].add(now - *sent_, now);
  settle(now, outcome);
  pacing_.lines_.serve(now, woken.threads);
}

void PacedCall::settle(Instant now, const PacedOutcome& outcome) {
  for (const PaceTicket::Place& place : ticket_.places) {
    const bool counts =
        outcome.counted && (outcome.changed || place.count->limit().counts != LimitCounts::changes);
    if (counts) {
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
  return usual_ ? std::max(*sent_, answered - *usual_) : answered;
}

/// What is said of an endpoint for which no such limit is known is taken to be about the limit that it has.
/// Of several that may be meant, the one that recovers soonest is lowered: that is enough to get on.
void PacedCall::learn(RateLimitedReason reason, Instant now) {
  const auto isMeant = [&](const PaceTicket::Place& place) {
    return place.learns && place.count->limit().reason == reason;
  };
  const auto mayBeMeant = [&](const PaceTicket::Place& place) {
    return place.learns && isNarrowRate(reason) && isNarrowRate(place.count->limit().reason);
  };
  const bool known = std::ranges::any_of(ticket_.places, isMeant);
  std::vector<const PaceTicket::Place*> places;
  for (const PaceTicket::Place& place : ticket_.places)
    if (known ? isMeant(place) : mayBeMeant(place)) places.push_back(&place);
  const auto window = [](const PaceTicket::Place* place) { return place->count->limit().window; };
  const auto shortest = std::ranges::min_element(places, {}, window);
  for (const PaceTicket::Place* place : places)
    if (window(place) == window(*shortest)) place->count->refused(place->before, *sent_, now);
}

}  // namespace tally::detail

#include "pacing/paced_call.h"

#include <algorithm>
#include <iterator>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "http/redaction.h"
#include "text/find_header.h"
#include "wire.h"

namespace tally::detail {

namespace {

using Guard = std::lock_guard<std::mutex>;

/// Whether the reason is the rate of an endpoint or a resource.
bool isNarrowRate(RateLimitedReason reason) {
  return reason == RateLimitedReason::endpointRate || reason == RateLimitedReason::resourceSpecific;
}

}  // namespace

PacedCall::PacedCall(Pacing& pacing, const Operation& operation, PacedCall* next) noexcept
    : pacing_(pacing), operation_(operation), next_(next) {}

/// Delegates first, so that the destructor runs if anything below throws.
PacedCall::PacedCall(Pacing& pacing, const Operation& operation, const PacedRequest& paced,
                     const HttpRequest& request, PacedCall* next)
    : PacedCall(pacing, operation, next) {
  const std::string_view key = keyOf(request);
  const std::string* given = findHeader(request.headers, header::connectedAccount);
  const std::string_view connected = given == nullptr ? std::string_view{} : *given;
  const Guard guard{pacing_.mutex_};
  responseTimes_ = &pacing_.responseTimes_[&operation_];
  ticket_.places.reserve((connected.empty() ? paced.size() : 2 * paced.size()) +
                         (next == nullptr ? 0 : next->ticket_.places.size()));
  for (const PacedLimit& limit : paced)
    addPlaces(limit, key, connected);
  sortPlaces();
}

void PacedCall::sortPlaces() noexcept {
  std::ranges::sort(ticket_.places, {}, [](const PaceTicket::Place& place) { return place.count->order(); });
}

void PacedCall::addPlaces(const PacedLimit& limit, std::string_view key, std::string_view connected) {
  const PacedAccount maker = pacing_.accountOf(key, {});
  if (connected.empty()) return addPlace(maker, limit, true);
  const PacedAccount actedFor = pacing_.accountOf(key, connected);
  if (pacing_.isOfConnectedAccount(limit)) return addPlace(whoeverMakesIt(actedFor), limit, true);
  addPlace(maker, limit, false);
  addPlace(actedFor, limit, true);
}

void PacedCall::addPlace(const PacedAccount& account, const PacedLimit& limit, bool learns) {
  LimitTracker& count = pacing_.count(account, limit);
  count.join();
  ticket_.places.push_back({.count = &count, .learns = learns});
}

PacedCall::~PacedCall() {
  PaceWoken woken{};
  const Guard guard{pacing_.mutex_};
  if (sent_) settle(pacing_.latest_, {});  // its outcome will not be reported
  pacing_.lines_.withdraw(ticket_);
  letNextGo();
  for (const PaceTicket::Place& place : ticket_.places)
    place.count->part();
  pacing_.lines_.serve(pacing_.latest_, woken);
}

PacedCall::Verdict PacedCall::ask(Instant now, Instant until) {
  PaceWoken woken{};
  const Guard guard{pacing_.mutex_};
  now = pacing_.present(now);
  takeInNext();
  for (const PaceTicket::Place& place : ticket_.places)
    place.count->expect();
  if (!ticket_.hasAll()) (void)pacing_.lines_.ask(ticket_, now, woken);
  return verdict(now, until);
}

/// Merges the places of `next_` into this ticket. The two calls share one place in a concurrency limit, since
/// they are not in flight at the same time.
void PacedCall::takeInNext() noexcept {
  if (next_ == nullptr || hasNextIn_ || !bothFit()) return;
  std::vector<PaceTicket::Place>& theirs = next_->ticket_.places;
  pacing_.lines_.withdraw(next_->ticket_);
  for (PaceTicket::Place& place : theirs)
    place.ofNext = !isSharedInTurn(*place.count);
  std::ranges::copy_if(theirs, std::back_inserter(ticket_.places), &PaceTicket::Place::ofNext);
  std::erase_if(theirs, &PaceTicket::Place::ofNext);
  sortPlaces();
  hasNextIn_ = true;
}

/// Returns the places of `next_`: all of them taken, or none.
void PacedCall::letNextGo() noexcept {
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
void PacedCall::share(PaceTicket::Place& place) noexcept {
  place.before = std::ranges::find(ticket_.places, place.count, &PaceTicket::Place::count)->before;
  place.count->take();
}

/// False if both calls count against a rate limit that admits only one request per window.
bool PacedCall::bothFit() const noexcept {
  return std::ranges::none_of(next_->ticket_.places, [this](const PaceTicket::Place& place) {
    const auto full = place.count->number().full();
    return full && *full < 2 && !isSharedInTurn(*place.count) &&
           std::ranges::find(ticket_.places, place.count, &PaceTicket::Place::count) != ticket_.places.end();
  });
}

bool PacedCall::isSharedInTurn(const LimitTracker& count) const noexcept {
  return count.limit().metric == LimitMetric::inProgress &&
         std::ranges::find(ticket_.places, &count, &PaceTicket::Place::count) != ticket_.places.end();
}

/// If the call has to wait, also sets when to look again.
PacedCall::Verdict PacedCall::verdict(Instant now, Instant until) {
  if (ticket_.hasAll()) {
    letNextGo();
    return Verdict::go;
  }
  limit_ = ticket_.next().limit().name;
  wakeUp_ = PacingQueue::wakeUp(ticket_, now);
  if (std::max(PacingQueue::earliest(ticket_, now), wakeUp_.value_or(now)) >= until) return Verdict::tooLong;
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

/// If only requests in flight can end the wait, a virtual clock must not advance for it.
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
  usual_ = responseTimes_->value();
  ++pacing_.inFlight_;
}

void PacedCall::responded(Instant now, const PacedOutcome& outcome) noexcept {
  PaceWoken woken{};
  const Guard guard{pacing_.mutex_};
  now = pacing_.present(now);
  if (outcome.refusedBy) learn(*outcome.refusedBy, now);
  if (outcome.responded) responseTimes_->add(now - *sent_, now);
  settle(now, outcome);
  pacing_.lines_.serve(now, woken);
}

/// A refused request counts against no limit, except one whose number the refusal lowered: there it counts as
/// a pause.
void PacedCall::settle(Instant now, const PacedOutcome& outcome) noexcept {
  for (const PaceTicket::Place& place : ticket_.places) {
    const bool admitted = !outcome.refusedBy || place.kept;
    const bool matters = outcome.changed || place.count->limit().metric != LimitMetric::changes;
    if (outcome.counted && admitted && matters) {
      place.count->settle(arrivedBy(now), now);
    } else {
      place.count->giveBack();
    }
  }
  ticket_.taken = 0;
  sent_.reset();
  --pacing_.inFlight_;
}

/// Estimates the latest time at which the service counted the request: the shortest known response time
/// before the response.
Instant PacedCall::arrivedBy(Instant responded) const {
  if (!usual_) return responded;
  const auto least = std::min(*usual_, responseTimes_->value().value_or(*usual_));
  return std::max(*sent_, responded - least);
}

/// Applies a refusal to the limits that its reason names. A refusal of a narrow rate (endpoint or resource)
/// without such a limit applies to the request's other narrow rates. Among several, those with the shortest
/// window are lowered, which is enough to make progress.
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

#include "attempt/call_state_machine.h"

#include <algorithm>
#include <cassert>
#include <iterator>
#include <utility>

#include "attempt/backoff_delay.h"
#include "http/response_reader.h"
#include "time/saturating.h"

namespace tally::detail {

using std::chrono::nanoseconds;

namespace {

/// Whether an error indicates trouble at the service or on the way to it, so that a retry costs a token.
bool tellsOfTrouble(const Error& error) {
  return error.kind() == ErrorKind::connection || error.kind() == ErrorKind::timeout ||
         error.kind() == ErrorKind::server;
}

Error withoutRetry(const Error& error) {
  Error::Details details = error.details();
  details.message += "; not retried: retry budget exhausted";
  return Error{std::move(details)};
}

}  // namespace

CallStateMachine::Step CallStateMachine::enter(Step step) noexcept {
  static constexpr Phase phases[] = {Phase::queued,   Phase::throttled, Phase::admission,
                                     Phase::inFlight, Phase::backoff,   Phase::ended};
  static_assert(std::size(phases) == std::variant_size_v<Step>);
  phase_ = phases[step.index()];
  return step;
}

CallStateMachine::Step CallStateMachine::start(Instant now) {
  assert(phase_ == Phase::notStarted);
  if (!rules_.queued) return enter(attempt(now));
  return enter(Queue{rules_.deadline.value_or(Instant::max())});
}

CallStateMachine::Step CallStateMachine::turnCame(Instant now) {
  assert(phase_ == Phase::queued);
  return enter(attempt(now));
}

CallStateMachine::Step CallStateMachine::turnDidNotCome() {
  assert(phase_ == Phase::queued);
  return enter(
      endAs(ErrorKind::deadlineExceeded, "other calls on the object did not finish before the deadline"));
}

CallStateMachine::Step CallStateMachine::queueFull() {
  assert(phase_ == Phase::queued);
  return enter(endAs(ErrorKind::queueFull, "too many calls are waiting for the object"));
}

CallStateMachine::Step CallStateMachine::mustNotWait() {
  assert(phase_ == Phase::queued || phase_ == Phase::throttled);
  return enter(endAs(ErrorKind::queueFull,
                     "a call made during another call would wait for calls that may wait for that one"));
}

CallStateMachine::Step CallStateMachine::cannotWait() {
  assert(phase_ == Phase::queued || phase_ == Phase::throttled);
  return enter(endAs(ErrorKind::queueFull,
                     "a blocking call in the thread of an AsyncClient would wait for its own thread"));
}

CallStateMachine::Step CallStateMachine::paced(Instant now) {
  assert(phase_ == Phase::throttled);
  return enter(admit(now));
}

CallStateMachine::Step CallStateMachine::paceTooLong(std::string_view limit) {
  assert(phase_ == Phase::throttled);
  return enter(endAs(ErrorKind::deadlineExceeded,
                     "waiting for the limit " + std::string{limit} + " would overrun the deadline"));
}

CallStateMachine::Step CallStateMachine::admitted(Instant now) {
  assert(phase_ == Phase::admission);
  return enter(send(now));
}

CallStateMachine::Pace CallStateMachine::heldBack() {
  assert(phase_ == Phase::admission && rules_.paced);
  phase_ = Phase::throttled;
  return Pace{rules_.deadline.value_or(Instant::max())};
}

CallStateMachine::Step CallStateMachine::notAdmitted() {
  assert(phase_ == Phase::admission);
  return enter(endAs(ErrorKind::deadlineExceeded, "too many requests were in flight until the deadline"));
}

CallStateMachine::Step CallStateMachine::succeeded() {
  assert(phase_ == Phase::inFlight);
  tokens_.succeeded();
  return enter(Done{});
}

CallStateMachine::Step CallStateMachine::failed(Instant now, const Error& error) {
  assert(phase_ == Phase::inFlight);
  if (wasRefusedUnsent(error)) unmake();
  if (error.effect() != Effect::none) effect_ = error.effect();
  return enter(afterFailure(now, error));
}

CallStateMachine::Step CallStateMachine::gaveUp(const Error& reason) {
  assert(phase_ == Phase::inFlight);
  unmake();
  return enter(end(reason));
}

CallStateMachine::Step CallStateMachine::notSent(const ParameterFault& fault) {
  assert(phase_ == Phase::inFlight);
  unmake();
  Error::Details details =
      endAs(ErrorKind::invalidParameter, fault.param + " " + fault.what).error->details();
  details.param = fault.param;
  return enter(Done{Error{std::move(details)}});
}

CallStateMachine::Step CallStateMachine::waited(Instant now) {
  assert(phase_ == Phase::backoff);
  return enter(attempt(now));
}

CallStateMachine::Step CallStateMachine::canceled() {
  assert(phase_ != Phase::inFlight && phase_ != Phase::ended);
  return enter(endAs(ErrorKind::canceled, "the caller requested a stop"));
}

CallStateMachine::Step CallStateMachine::attempt(Instant now) {
  if (!rules_.paced) return admit(now);
  if (past(now)) return atDeadline();
  return Pace{rules_.deadline.value_or(Instant::max())};
}

CallStateMachine::Step CallStateMachine::admit(Instant now) {
  if (!rules_.bounded) return send(now);
  if (past(now)) return atDeadline();
  return Admit{rules_.deadline.value_or(Instant::max())};
}

CallStateMachine::Done CallStateMachine::atDeadline() const {
  return endAs(ErrorKind::deadlineExceeded, "the deadline has passed");
}

CallStateMachine::Step CallStateMachine::send(Instant now) {
  if (past(now)) return atDeadline();
  ++made_;
  tookToken_ = std::exchange(hasToken_, false);
  const Instant until = saturatingAdd(now, rules_.timeout);
  return Send{now, rules_.deadline ? std::min(until, *rules_.deadline) : until};
}

/// Nothing was sent after all: the attempt does not count.
void CallStateMachine::unmake() noexcept {
  --made_;
  hasToken_ = tookToken_;
}

CallStateMachine::Step CallStateMachine::afterFailure(Instant now, const Error& error) {
  if (error.kind() == ErrorKind::timeout && past(now)) {
    Error::Details late = error.details();
    late.kind = ErrorKind::deadlineExceeded;
    return end(Error{std::move(late)});
  }
  const auto wait = waitBeforeRetry(now, error);
  if (!wait) return end(error);
  if (tellsOfTrouble(error)) {
    hasToken_ = tokens_.take();
    if (!hasToken_) return end(withoutRetry(error));
  }
  return retry(now, error, *wait);
}

/// Returns the token of a retry that was not sent because of a deadline, a stop or an exception.
void CallStateMachine::giveTokenBack() noexcept {
  if (hasToken_) tokens_.giveBack();
}

CallStateMachine::Step CallStateMachine::retry(Instant now, const Error& error, nanoseconds wait) {
  last_ = error;
  const Instant until = saturatingAdd(now, wait);
  if (past(until)) return endAs(ErrorKind::deadlineExceeded, "a retry would overrun the deadline");
  return Wait{until};
}

/// Null: the call ends.
std::optional<nanoseconds> CallStateMachine::waitBeforeRetry(Instant now, const Error& error) {
  if (!isSafeToRetry(error)) return std::nullopt;
  if (rules_.policy == nullptr) return waitByDefault(error);
  if (rules_.mostRetries && made_ > *rules_.mostRetries) return std::nullopt;
  auto wait = rules_.policy->waitBeforeRetry({.error = error,
                                              .operation = operation_,
                                              .attempt = made_,
                                              .time = now,
                                              .deadline = rules_.deadline,
                                              .waitByDefault = waitByDefault(error)});
  if (wait) wait = std::max(*wait, nanoseconds{0});
  return wait;
}

std::optional<nanoseconds> CallStateMachine::waitByDefault(const Error& error) {
  if (!retriesByDefault(error)) return std::nullopt;
  return saturatingAdd(backoffDelay(rules_.backoff, made_, random_), retryAfterDelay(rules_.backoff, error));
}

/// Whether the call certainly had no effect, according to the error or to a lookup before each attempt. A
/// read never has an effect. No policy is asked about a request that nothing permits.
bool CallStateMachine::isSafeToRetry(const Error& error) const {
  if (error.effect() != Effect::none && !rules_.lookedUp) return false;
  return error.kind() != ErrorKind::canceled && !wasRefusedUnsent(error);
}

/// An untrusted certificate stays untrusted a second later.
bool CallStateMachine::retriesByDefault(const Error& error) const {
  if (made_ > rules_.maxNetworkRetries) return false;
  switch (error.kind()) {
    case ErrorKind::connection:
      return error.failure() != TransportFailure::Kind::tls;
    case ErrorKind::lockTimeout:
    case ErrorKind::timeout:
    case ErrorKind::server:
      return true;
    case ErrorKind::rateLimited:
      return rules_.retryRateLimited;
    default:
      return false;
  }
}

CallStateMachine::Done CallStateMachine::end(const Error& error) const {
  Error::Details details = error.details();
  details.effect = effect_;
  details.attemptCount = made_;
  return {Error{std::move(details)}};
}

/// Ends the call between attempts: nothing is in flight, and the effect of earlier attempts remains.
CallStateMachine::Done CallStateMachine::endAs(ErrorKind kind, const std::string& message) const {
  Error::Details details = last_ ? last_->details() : Error::Details{};
  details.kind = kind;
  details.effect = effect_;
  details.message = last_ ? message + "; last attempt: " + last_->message() : message;
  details.operation = operation_;
  details.attemptCount = made_;
  return {Error{std::move(details)}};
}

}  // namespace tally::detail

#include "attempts.h"

#include <algorithm>

#include "random.h"

namespace tally::detail {

using std::chrono::nanoseconds;

namespace {

/// Whether an error tells of a service, or a way to it, in trouble.
bool tellsOfTrouble(const Error& error) {
  return error.kind() == ErrorKind::connection || error.kind() == ErrorKind::timeout ||
         error.kind() == ErrorKind::server;
}

Error withoutRetry(const Error& error) {
  Error::Details details = error.details();
  details.message += "; it is not sent again, for the retry budget is used up";
  return Error{std::move(details)};
}

}  // namespace

Attempts::Step Attempts::start(Instant now) {
  if (!policy_.queued) return attempt(now);
  return Queue{policy_.deadline.value_or(Instant::max())};
}

Attempts::Step Attempts::turnDidNotCome() {
  return endAs(ErrorKind::deadlineExceeded, "the deadline passed before other calls on the object were over");
}

Attempts::Step Attempts::queueFull() {
  return endAs(ErrorKind::queueFull, "too many calls wait for the object");
}

Attempts::Step Attempts::paceTooLong(std::string_view limit) {
  return endAs(ErrorKind::deadlineExceeded,
               "the deadline leaves no time to wait for the limit " + std::string{limit});
}

Attempts::Step Attempts::succeeded() {
  tokens_.succeeded();
  return Done{};
}

Attempts::Step Attempts::attempt(Instant now) {
  if (!policy_.paced) return send(now);
  if (past(now)) return atDeadline();
  return Pace{policy_.deadline.value_or(Instant::max())};
}

Attempts::Done Attempts::atDeadline() const {
  return endAs(ErrorKind::deadlineExceeded, "the deadline has passed");
}

Attempts::Step Attempts::send(Instant now) {
  if (past(now)) return atDeadline();
  ++made_;
  const Instant until = now + policy_.timeout;
  return Send{now, policy_.deadline ? std::min(until, *policy_.deadline) : until};
}

Attempts::Step Attempts::failed(Instant now, const Error& error) {
  if (error.kind() == ErrorKind::timeout && past(now)) {
    Error::Details late = error.details();
    late.kind = ErrorKind::deadlineExceeded;
    return end(Error{std::move(late)});
  }
  if (!mayRetry(error)) return end(error);
  if (tellsOfTrouble(error) && !tokens_.take()) return end(withoutRetry(error));
  return retry(now, error);
}

Attempts::Step Attempts::retry(Instant now, const Error& error) {
  last_ = error;
  const Instant until = now + nextDelay(error);
  if (past(until)) return endAs(ErrorKind::deadlineExceeded, "the deadline leaves no time to try again");
  return Wait{until};
}

/// Only what certainly had no effect is sent again. A read has none, whatever became of it. A certificate
/// that is not trusted will not be so a second later.
bool Attempts::mayRetry(const Error& error) const {
  if (made_ > policy_.maxNetworkRetries || error.effect() != Effect::none) return false;
  switch (error.kind()) {
    case ErrorKind::connection:
      return error.failure() != TransportFailure::Kind::tls;
    case ErrorKind::lockTimeout:
    case ErrorKind::timeout:
    case ErrorKind::server:
      return true;
    case ErrorKind::rateLimited:
      return policy_.retryRateLimited;
    default:
      return false;
  }
}

/// Those who were all told to come back at once should not all come back at once.
nanoseconds Attempts::nextDelay(const Error& error) {
  constexpr int maxDoublings = 30;
  const nanoseconds cap{policy_.backoff.cap};
  const double doubled = static_cast<double>(nanoseconds{policy_.backoff.initial}.count()) *
                         static_cast<double>(1U << static_cast<unsigned>(std::min(made_ - 1, maxDoublings)));
  const double full = std::min(doubled, static_cast<double>(cap.count()));
  const nanoseconds drawn{static_cast<nanoseconds::rep>(full * (0.5 + nextFraction(random_) / 2))};
  const nanoseconds asked = error.retryAfter().value_or(std::chrono::seconds{0});
  return drawn + std::min<nanoseconds>(asked, policy_.backoff.retryAfterCap);
}

Attempts::Step Attempts::canceled() {
  return endAs(ErrorKind::canceled, "the caller asked to stop");
}

Attempts::Done Attempts::end(const Error& error) const {
  Error::Details details = error.details();
  details.attempts = made_;
  return {Error{std::move(details)}};
}

/// Ends between two attempts: nothing is under way, and none of those before had an effect.
Attempts::Done Attempts::endAs(ErrorKind kind, const std::string& message) const {
  Error::Details details = last_ ? last_->details() : Error::Details{};
  details.kind = kind;
  details.effect = Effect::none;
  details.message = last_ ? message + "; the last attempt ended in: " + last_->message() : message;
  details.operation = operation_;
  details.attempts = made_;
  return {Error{std::move(details)}};
}

}  // namespace tally::detail

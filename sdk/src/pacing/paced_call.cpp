#include "pacing/paced_call.h"

#include <string>

#include "http/redaction.h"
#include "text/find_header.h"
#include "wire.h"

namespace tally::detail {

PacedCall::PacedCall(Pacing& pacing, const AnyOperation& operation, PacedCall* next) noexcept
    : pacing_(pacing), entry_(operation, next == nullptr ? nullptr : &next->entry_) {}

/// Delegates first, so that the destructor runs if anything below throws.
PacedCall::PacedCall(Pacing& pacing, const AnyOperation& operation, const PacedRequest& paced,
                     const HttpRequest& request, PacedCall* next)
    : PacedCall(pacing, operation, next) {
  const std::string* connected = findHeader(request.headers, header::connectedAccount);
  pacing_.join(entry_, paced, keyOf(request), connected == nullptr ? std::string_view{} : *connected);
}

PacedCall::~PacedCall() {
  pacing_.leave(entry_);
}

PacedCall::Verdict PacedCall::ask(Instant now, Instant until) {
  return pacing_.ask(entry_, now, until);
}

PacedCall::Verdict PacedCall::askAgain(Instant now, Instant until) {
  return pacing_.askAgain(entry_, now, until);
}

void PacedCall::withdraw() noexcept {
  pacing_.withdraw(entry_);
}

PacedCall::Verdict PacedCall::await(Clock& clock, Instant until, const StopToken& stop) {
  Verdict found = askAgain(clock.now(), until);
  while (found == Verdict::wait && !stop.stop_requested()) {
    sleep(clock, until, stop);
    found = askAgain(clock.now(), until);
  }
  return found;
}

/// If only requests in flight can end the wait, a virtual clock must not advance for it.
void PacedCall::sleep(Clock& clock, Instant until, const StopToken& stop) const {
  const StopCallback interrupted{stop, [wake = entry_.waker()] { wake->source.request_stop(); }};
  if (const auto time = wakeUp()) {
    clock.sleepUntil(*time, wakeToken());
  } else {
    clock.waitUntil(until, wakeToken());
  }
}

void PacedCall::sending(Instant now) noexcept {
  pacing_.sending(entry_, now);
}

void PacedCall::departs(const Clock& clock) noexcept {
  try {
    entry_.depart(clock.now());
  } catch (...) {  // NOLINT(bugprone-empty-catch): the time of sending() remains
  }
}

void PacedCall::responded(Instant now, const PacedOutcome& outcome) noexcept {
  pacing_.responded(entry_, now, outcome);
}

}  // namespace tally::detail

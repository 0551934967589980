#include "call/blocking_driver.h"

#include <functional>
#include <utility>
#include <variant>

#include "attempt/driven_call.h"
#include "event/departure.h"
#include "event/event_loop.h"

namespace tally::detail {

namespace {

using Step = CallStateMachine::Step;

class BlockingDriver;

/// The innermost call of this thread: observers and transports may make calls within a call.
thread_local const BlockingDriver* innermost = nullptr;

class BlockingDriver final : private DepartureListener {
 public:
  BlockingDriver(CallStateMachine& machine, const CallReport::Description& call, const Reader& reader,
                 const Means& means)
      : machine_(machine),
        call_(call),
        reader_(reader),
        means_(means),
        now_(means.clock.now()),
        report_(call, means.observer, now_),
        outer_(std::exchange(innermost, this)) {}
  BlockingDriver(const BlockingDriver&) = delete;
  BlockingDriver& operator=(const BlockingDriver&) = delete;
  ~BlockingDriver() { innermost = outer_; }

  std::optional<Error> run() {
    try {
      const auto error = outcome();  // updates now_
      return report_.ended(now_, error);
    } catch (...) {
      if (machine_.phase() == CallStateMachine::Phase::throttled) means_.paced->withdraw();
      report_.abandoned(now_);
      throw;
    }
  }

 private:
  [[nodiscard]] std::optional<Error> outcome() {
    Step step = stopped() ? machine_.canceled() : machine_.start(now_);
    while (!std::holds_alternative<CallStateMachine::Done>(step))
      step = std::visit([this](const auto& next) { return this->carryOut(next); }, step);
    return std::get<CallStateMachine::Done>(std::move(step)).error;
  }

  [[nodiscard]] bool stopped() const { return call_.options.stop.stop_requested(); }
  [[nodiscard]] bool holdsTurn() const { return means_.place && means_.place->joined(); }
  [[nodiscard]] bool holdsUnits() const { return means_.paced != nullptr && means_.paced->holdsUnits(); }
  [[nodiscard]] bool competesWith(const BlockingDriver& other) const;
  template <class Property>
  [[nodiscard]] bool isWithin(Property property) const;
  [[nodiscard]] TransportResult exchange(const CallStateMachine::Send& send);
  void departs() noexcept override {
    if (means_.paced != nullptr) means_.paced->departs(means_.clock);
  }

  Step carryOut(const CallStateMachine::Queue& queue);
  Step carryOut(const CallStateMachine::Pace& pace);
  Step awaitPacer(Instant until);
  Step notPaced(PacedCall::Verdict verdict);
  /// A thread is the room that its call needs.
  Step carryOut(const CallStateMachine::Admit&) { return machine_.admitted(now_); }
  Step carryOut(const CallStateMachine::Send& send);
  Step carryOut(const CallStateMachine::Wait& wait);
  static Step carryOut(const CallStateMachine::Done& done) { return done; }

  CallStateMachine& machine_;
  const CallReport::Description& call_;
  const Reader& reader_;
  const Means& means_;
  Instant now_;  // updated after anything that may take time
  CallReport report_;
  const BlockingDriver* outer_;  // the enclosing call, or null
};

/// Whether calls like these may wait for each other.
bool BlockingDriver::competesWith(const BlockingDriver& other) const {
  if (&means_.queues == &other.means_.queues) return true;
  return means_.paced != nullptr && other.means_.paced != nullptr &&
         means_.paced->sharesPacer(*other.means_.paced);
}

/// Whether an enclosing call for which others may wait has the property.
template <class Property>
bool BlockingDriver::isWithin(Property property) const {
  for (const BlockingDriver* call = outer_; call != nullptr; call = call->outer_)
    if (competesWith(*call) && std::invoke(property, *call)) return true;
  return false;
}

/// Against deadlocks, calls wait in one order: for turns, for units, for time. A thread that holds a turn or
/// units waits for no turn, and one that holds units waits for none that others hold.
Step BlockingDriver::carryOut(const CallStateMachine::Queue& queue) {
  std::optional<MutationQueues::Place>& place = means_.place;
  if (place && place->joined()) return machine_.turnCame(now_);  // acquired by an earlier call
  place.emplace(means_.queues, call_.object);
  if (!place->joined()) return machine_.queueFull();
  if (place->first()) return machine_.turnCame(now_);
  if (isWithin([](const BlockingDriver& call) { return call.holdsTurn() || call.holdsUnits(); }))
    return machine_.mustNotWait();
  if (EventLoop::isAnyCurrent()) return machine_.cannotWait();
  if (EventLoop::isAlone()) return machine_.mustNotWait();
  report_.queued(now_);
  const bool came = place->await(means_.clock, queue.until, call_.options.stop);
  now_ = means_.clock.now();
  if (stopped()) return machine_.canceled();
  if (!came) return machine_.turnDidNotCome();
  report_.turnCame(now_);
  return machine_.turnCame(now_);
}

Step BlockingDriver::carryOut(const CallStateMachine::Pace& pace) {
  PacedCall& paced = *means_.paced;
  if (isWithin(&BlockingDriver::holdsUnits) || EventLoop::isAlone()) paced.waitOnlyForTime();
  const auto verdict = paced.ask(now_, pace.until);
  if (verdict == PacedCall::Verdict::go) return machine_.paced(now_);
  paced.withdraw();  // calls made by the observer must not wait for this one
  if (verdict != PacedCall::Verdict::wait) return notPaced(verdict);
  if (EventLoop::isAnyCurrent()) return machine_.cannotWait();
  report_.pacing(now_);
  return awaitPacer(pace.until);
}

Step BlockingDriver::awaitPacer(Instant until) {
  PacedCall& paced = *means_.paced;
  const auto verdict = paced.await(means_.clock, until, call_.options.stop);
  now_ = means_.clock.now();
  if (verdict == PacedCall::Verdict::go && !stopped()) {
    report_.paced(now_);
    return machine_.paced(now_);
  }
  paced.withdraw();
  return stopped() ? machine_.canceled() : notPaced(verdict);
}

Step BlockingDriver::notPaced(PacedCall::Verdict verdict) {
  if (verdict == PacedCall::Verdict::mustNotWait) return machine_.mustNotWait();
  return machine_.paceTooLong(means_.paced->limit());
}

/// Sends the request and updates now_.
TransportResult BlockingDriver::exchange(const CallStateMachine::Send& send) {
  const DepartureScope scope{this};
  departs();  // the observer and the provider of the key may have taken time
  try {
    TransportResult result = means_.transport.send(
        call_.request, {.deadline = send.until, .stop = call_.options.stop, .startedAt = send.from});
    now_ = means_.clock.now();
    return result;
  } catch (...) {
    reader_.abandoned(now_);
    throw;
  }
}

Step BlockingDriver::carryOut(const CallStateMachine::Send& send) {
  if (means_.renewed != nullptr) {
    const auto fault = means_.renewed->renew(report_, send.from);
    now_ = means_.clock.now();
    if (fault) return machine_.notSent(*fault);
  }
  const DrivenCall call{machine_, report_, reader_, call_.request, means_.paced};
  call.sending(send.from);
  TransportResult result = exchange(send);
  return call.ended(now_, result);
}

Step BlockingDriver::carryOut(const CallStateMachine::Wait& wait) {
  report_.waiting(now_, wait.until);
  const bool waited = means_.clock.sleepUntil(wait.until, call_.options.stop);
  now_ = means_.clock.now();
  if (!waited || stopped()) return machine_.canceled();
  report_.retrying(now_);
  return machine_.waited(now_);
}

}  // namespace

std::optional<Error> drive(CallStateMachine& machine, const CallReport::Description& call,
                           const Reader& reader, const Means& means) {
  return BlockingDriver{machine, call, reader, means}.run();
}

}  // namespace tally::detail

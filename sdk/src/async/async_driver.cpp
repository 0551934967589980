#include "async/async_driver.h"

#include <new>
#include <utility>

#include "attempt/attempt_request.h"
#include "call/client_core.h"
#include "call/read_counter.h"
#include "http/redaction.h"

namespace tally::detail {

/// Passes responses to a call.
class AsyncDriver::CallReader final : public Reader {
 public:
  explicit CallReader(AsyncDriver& call) : call_(call) {}

  [[nodiscard]] std::optional<Error> read(TransportResult& result, Instant now) const override {
    return call_.detached_ ? errorIn(result, call_.operation_, now) : call_.read(result, now);
  }

 private:
  AsyncDriver& call_;
};

AsyncDriver::AsyncDriver(std::shared_ptr<ActivityHost> engine, AsyncRequest&& request)
    : Activity(std::move(engine)),
      operation_(request.operation),
      object_(std::move(request.object)),
      request_(std::move(request.request)),
      limits_(std::move(request.paced)),
      options_(std::move(request.options)),
      turn_(request.turn == nullptr ? &ownTurn_ : request.turn),
      queued_(request.queued),
      precedes_(request.precedes) {}

const ClientCore& AsyncDriver::core() const noexcept {
  return engine().core();
}

/// Invokes `function` with what a DrivenCall needs.
template <class Function>
auto AsyncDriver::withCall(Function function) {
  const CallReader reader{*this};
  const CountedReader counted{reader, core().readCounter(), core().payerOf(options_)};
  const bool counts = operation_.countsAsRead();
  return function(DrivenCall{*machine_, *report_, counts ? static_cast<const Reader&>(counted) : reader,
                             std::get<KeyedRequest>(request_), paced_});
}

void AsyncDriver::begin() {
  if (const auto* fault = std::get_if<Error>(&request_)) return fail(*fault);
  now_ = engine().loop().now();
  prepare();
  stopped_.emplace(options_.stop, Notify{this, canceling});
  const bool stops = isCanceled() || options_.stop.stop_requested();
  advance(stops ? machine_->canceled() : machine_->start(now_));
}

void AsyncDriver::prepare() {
  const auto& request = std::get<KeyedRequest>(request_);
  report_.emplace(CallReport::Description{operation_.name, object_, request, options_},
                  core().options().observer.get(), now_);
  if (precedes_) {
    preceding_ = std::make_unique<Turn>();
    core().pace(preceding_->paced, operation_, limits_, request, turn_->paced ? &*turn_->paced : nullptr);
  } else if (!turn_->paced) {
    core().pace(turn_->paced, operation_, limits_, request);
  }
  std::optional<PacedCall>& paced = precedes_ ? preceding_->paced : turn_->paced;
  paced_ = paced ? &*paced : nullptr;
  AttemptRules rules = core().rulesOf(options_);
  rules.queued = queued_;
  rules.paced = paced_ != nullptr;
  rules.bounded = true;
  const std::uint64_t jitterSeed = core().nextJitterSeed();
  renewal_.emplace(core().options(), options_, jitterSeed);
  machine_.emplace(rules, operation_.name, jitterSeed, core().retryTokens());
}

void AsyncDriver::advance(Step step) {
  NextStep next{std::move(step)};
  while (next)
    next = std::visit([this](const auto& current) { return this->carryOut(current); }, *next);
}

AsyncDriver::NextStep AsyncDriver::carryOut(const CallStateMachine::Queue& queue) {
  std::optional<MutationQueues::Place>& place = turn_->place;
  if (place && place->joined()) return machine_->turnCame(now_);  // acquired by an earlier call
  if (turn_ != &ownTurn_) turn_->object = object_;
  place.emplace(core().mutationQueues(), turn_ == &ownTurn_ ? object_ : turn_->object);
  if (!place->joined()) return machine_->queueFull();
  if (place->first()) return machine_->turnCame(now_);
  report_->queued(now_);
  until_ = queue.until;
  await(until_, place->wakeToken());
  return std::nullopt;
}

AsyncDriver::NextStep AsyncDriver::carryOut(const CallStateMachine::Pace& pace) {
  const auto verdict = paced_->ask(now_, pace.until);
  if (verdict == PacedCall::Verdict::go) return afterPacer();
  if (verdict == PacedCall::Verdict::tooLong) return machine_->paceTooLong(paced_->limit());
  paced_->withdraw();  // nobody waits for what the observer does
  report_->pacing(now_);
  until_ = pace.until;
  return awaitPacer();
}

AsyncDriver::NextStep AsyncDriver::awaitPacer() {
  const auto verdict = paced_->askAgain(now_, until_);
  if (verdict == PacedCall::Verdict::tooLong) return machine_->paceTooLong(paced_->limit());
  if (verdict == PacedCall::Verdict::wait) {
    await(paced_->wakeUp().value_or(until_), paced_->wakeToken());
    return std::nullopt;
  }
  report_->paced(now_);
  return afterPacer();
}

AsyncDriver::NextStep AsyncDriver::afterPacer() {
  passedPacer();
  return machine_->paced(now_);
}

AsyncDriver::NextStep AsyncDriver::carryOut(const CallStateMachine::Admit& admit) {
  hasSlot_ = engine().slots().acquire(*this);
  if (hasSlot_) return machine_->admitted(now_);
  until_ = admit.until;
  await(until_);
  return std::nullopt;
}

/// While it waited for room, a refusal may have shown that the service admits no request for a time.
AsyncDriver::NextStep AsyncDriver::afterRoom() {
  if (paced_ == nullptr || paced_->askAgain(now_, until_) == PacedCall::Verdict::go)
    return machine_->admitted(now_);
  paced_->withdraw();
  releaseSlot();
  until_ = machine_->heldBack().until;
  report_->pacing(now_);
  return awaitPacer();
}

AsyncDriver::NextStep AsyncDriver::carryOut(const CallStateMachine::Send& send) {
  if (renewal_->isNeeded())
    if (const auto fault = renewal_->renew(std::get<KeyedRequest>(request_), *report_, send.from))
      return machine_->notSent(*fault);
  return withCall([&](const DrivenCall& call) -> NextStep {
    call.sending(send.from);
    departs();  // the observer and the provider of the key may have taken time
    try {
      transfer_ = engine().transport().start(call.request, send.until, *this);
    } catch (...) {
      call.reader.abandoned(now_);
      throw;
    }
    return std::nullopt;
  });
}

AsyncDriver::NextStep AsyncDriver::carryOut(const CallStateMachine::Wait& wait) {
  report_->waiting(now_, wait.until);
  until_ = wait.until;
  await(until_);
  return std::nullopt;
}

AsyncDriver::NextStep AsyncDriver::carryOut(const CallStateMachine::Done& done) {
  endWith(done.error);
  return std::nullopt;
}

/// The call continues with resume() at `time`, or once `woken` is requested to stop.
void AsyncDriver::await(Instant time, const StopToken& woken) {
  setTimer(time);
  woken_.emplace(woken, Notify{this, waking});
}

void AsyncDriver::resume() {
  now_ = engine().loop().now();
  if (isCanceled()) return cancel();
  if (NextStep next = afterWait()) {
    stopTimer();
    advance(*std::move(next));
  }
}

/// The step after the wait of the present phase; nothing while it lasts.
AsyncDriver::NextStep AsyncDriver::afterWait() {
  using Phase = CallStateMachine::Phase;
  switch (machine_->phase()) {
    case Phase::queued:
      if (turn_->place->first()) {
        report_->turnCame(now_);
        return machine_->turnCame(now_);
      }
      return isPastUntil() ? NextStep{machine_->turnDidNotCome()} : std::nullopt;
    case Phase::throttled:
      return awaitPacer();
    case Phase::admission:
      if (hasSlot_) return afterRoom();
      if (!isPastUntil()) return std::nullopt;
      OutgoingRequest::unlink();
      return machine_->notAdmitted();
    case Phase::backoff:
      if (!isPastUntil()) return std::nullopt;
      report_->retrying(now_);
      return machine_->waited(now_);
    case Phase::notStarted:
    case Phase::inFlight:
    case Phase::ended:
      break;
  }
  return std::nullopt;
}

void AsyncDriver::admit() noexcept {
  hasSlot_ = true;
  signal(waking);
}

void AsyncDriver::cancel() {
  if (machine_->phase() == CallStateMachine::Phase::inFlight) return cancelInFlight();
  advance(machine_->canceled());
}

/// A report that may have been sent continues, for the sake of the calls after it: only its end tells that
/// the service no longer works on the object.
void AsyncDriver::cancelInFlight() {
  const bool sent = transfer_->mayHaveBeenSent();
  TransportResult canceled = TransportFailure{
      .kind = TransportFailure::Kind::canceled,
      .mayHaveBeenSent = sent,
      .message = sent ? "stopped during the transfer" : "stopped before the request was sent"};
  if (sent && operation_.writes()) return detachRequest(*errorIn(canceled, operation_, now_));
  ended(std::move(canceled));
}

void AsyncDriver::detachRequest(const Error& error) {
  const auto done = std::get<CallStateMachine::Done>(machine_->failed(now_, error));
  detached_ = report_->detached(now_, *done.error);
  options_.attempts = nullptr;  // the caller's
  stopped_.reset();
  setError(*detached_);
  addRef();  // of the request
  engine().detached(*this);
  const Error told = *detached_;
  end(&told);
}

void AsyncDriver::departs() noexcept {
  if (paced_ != nullptr) paced_->departs(core().clock());
}

void AsyncDriver::ended(TransportResult&& received) {
  guarded([&] {
    TransportResult result = std::move(received);  // which may belong to the transfer
    transfer_.reset();
    releaseSlot();
    if (detached_) return detachedEnded(result);
    now_ = engine().loop().now();
    advance(withCall([&](const DrivenCall& call) { return call.ended(now_, result); }));
  });
}

void AsyncDriver::threw(const std::exception_ptr& exception) {
  if (detached_) return detachedThrew();
  guarded([&] {
    now_ = engine().loop().now();
    withCall([&](const DrivenCall& call) { call.reader.abandoned(now_); });
    std::rethrow_exception(exception);
  });
}

/// The observer learns how the request ended.
void AsyncDriver::detachedEnded(TransportResult& result) {
  const ActivityRef requests{this};
  try {
    now_ = engine().loop().now();
    withCall([&](const DrivenCall& call) { (void)call.detachedEnded(now_, result); });
    (void)report_->ended(now_, detached_);
  } catch (...) {  // the caller has its result
    report_->abandoned(now_);
  }
  releaseDetached();
}

void AsyncDriver::detachedThrew() noexcept {
  const ActivityRef requests{this};
  report_->abandoned(now_);
  releaseDetached();
}

void AsyncDriver::abort() noexcept {
  const ActivityRef requests{this};
  report_->aborted(now_, *detached_);
  releaseDetached();
}

/// The turn too, since the operation that shares it leaves it to a detached request.
void AsyncDriver::releaseDetached() noexcept {
  releaseHeld();
  turn_->paced.reset();
  turn_->place.reset();
  engine().detachedEnded();
}

void AsyncDriver::endWith(const std::optional<Error>& error) {
  const auto told = report_->ended(now_, error);
  releaseHeld();
  if (told) setError(*told);
  end(told ? &*told : nullptr);
}

void AsyncDriver::fail(const Error& error) {
  const Error told = described(error, report_ ? report_->abandoned(now_) : error);
  releaseHeld();
  setError(told);
  end(&told);
}

/// The text of an exception may contain the key. Without memory, it is the error that was reported to the
/// observer.
Error AsyncDriver::described(const Error& error, const Error& reported) const noexcept {
  try {
    Error::Details details = error.details();
    if (details.operation.empty()) details.operation = operation_.name;
    details.effect = reported.effect();
    if (machine_) details.attemptCount = machine_->made();
    const Error told{std::move(details)};
    const auto* const request = std::get_if<KeyedRequest>(&request_);
    return request == nullptr ? told : withoutKey(told, *request);
  } catch (const std::bad_alloc&) {
    return reported;
  }
}

/// Everything that other calls may wait for.
void AsyncDriver::releaseHeld() noexcept {
  woken_.reset();
  stopped_.reset();
  transfer_.reset();
  OutgoingRequest::unlink();
  releaseSlot();
  preceding_.reset();
  ownTurn_.paced.reset();
  ownTurn_.place.reset();
}

void AsyncDriver::releaseSlot() noexcept {
  if (std::exchange(hasSlot_, false)) engine().slots().release();
}

}  // namespace tally::detail

#include "async/async_reports.h"

#include <new>
#include <variant>

#include "async/async_call.h"
#include "async/async_engine.h"
#include "json/reset.h"

namespace tally::detail {

void AsyncReportDriver::describe(const LostReport& report, ObjectRef target) {
  report_.emplace(report);
  target_ = target;
}

void AsyncReportDriver::begin() {
  if (const auto fault = faultOf(*report_)) return failWith(*fault);
  options_ = engine().core().fromNowOn(options_);
  heed(options_.stop);
  if (!sends_) return read();
  resolution_.emplace(*report_, target_, facts_, engine().loop().now());
  carryOut(ReportResolution::Action::readInTurn);
}

void AsyncReportDriver::carryOut(ReportResolution::Action action) {
  action_ = action;
  switch (action) {
    case ReportResolution::Action::wait:
      // The call that failed may have ended before it could be canceled.
      return isCanceled() ? canceled() : setTimer(resolution_->waitsUntil());
    case ReportResolution::Action::readInTurn:
      return readInTurn();
    case ReportResolution::Action::read:
      releaseTurn();
      return read();
    case ReportResolution::Action::send:
      return send();
    case ReportResolution::Action::done:
      return endWith(resolution_->error());
  }
}

void AsyncReportDriver::waited() {
  const Instant now = engine().loop().now();
  if (action_ == ReportResolution::Action::wait && now >= resolution_->waitsUntil())
    carryOut(resolution_->waited(now));
}

void AsyncReportDriver::canceled() {
  stopTimer();
  carryOut(resolution_->canceled());
}

void AsyncReportDriver::partEnded(const std::optional<Error>& error) {
  const Instant now = engine().loop().now();
  if (!sends_) {
    if (error) return endWith(undetermined(*report_, *error));
    tell(compare(*report_, target_, attemptOf(*report_)), facts_);
    return endWith(std::nullopt);
  }
  carryOut(action_ == ReportResolution::Action::send ? resolution_->sendEnded(now, error)
                                                     : resolution_->readEnded(error));
}

void AsyncReportDriver::startPart(AsyncRequest request, const AnyOperation& operation) {
  reset(target_);
  Composite::startPart(std::move(request), [this, &operation](TransportResult& result, Instant now) {
    return ResponseReader{operation, report_->id, target_}.read(result, now);
  });
}

void AsyncReportDriver::read() {
  const AnyOperation& retrieve = retrieveOf(*report_);
  startPart(asyncRequest(engine().core(), retrieve, report_->id, {}, forReading(options_)), retrieve);
}

/// A resend that is still in flight keeps the turn, so nothing else may use it.
void AsyncReportDriver::readInTurn() {
  if (hasDetachedRequest()) return read();
  const ClientCore& core = engine().core();
  const AnyOperation& retrieve = retrieveOf(*report_);
  AsyncRequest request = asyncRequest(core, retrieve, report_->id, {}, forReading(options_));
  if (const auto* http = std::get_if<KeyedRequest>(&request.request))
    core.pace(turn_.paced, report_->operation,
              core.pacedRequest(report_->operation, report_->id, report_->params), *http);
  request.queued = core.queues(report_->operation, report_->id);
  request.turn = &turn_;
  request.precedes = true;
  startPart(std::move(request), retrieve);
}

void AsyncReportDriver::send() {
  AsyncRequest request =
      asyncRequest(engine().core(), report_->operation, report_->id, report_->params, sentOnce(options_));
  request.turn = &turn_;
  startPart(std::move(request), report_->operation);
}

/// A detached request keeps the turn.
void AsyncReportDriver::releaseTurn() noexcept {
  if (hasDetachedRequest()) return;
  turn_.paced.reset();
  turn_.place.reset();
}

void AsyncReportDriver::endWith(const std::optional<Error>& error) {
  if (error) return failWith(*error);
  releaseTurn();
  setFacts(std::move(facts_));
  end(nullptr);
}

/// The engine has refused the call, or an exception has ended it. Either way, the status of the report is
/// unknown.
void AsyncReportDriver::fail(const Error& error) {
  try {
    failWith(undetermined(*report_, error, facts_.resends));
  } catch (const std::bad_alloc&) {
    failWith(unexplained_);
  }
}

const Error& AsyncReportDriver::unexplained() {
  static const Error error{{.kind = ErrorKind::exception,
                            .effect = Effect::unknown,
                            .message = "an exception ended the call; the status of the report is unknown"}};
  return error;
}

void AsyncReportDriver::failWith(const Error& error) {
  releaseTurn();
  setError(error);
  end(&error);
}

}  // namespace tally::detail

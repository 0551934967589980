#include "reports/report_resolution.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <variant>

namespace tally::detail {

RequestOptions sentOnce(const RequestOptions& options) {
  RequestOptions once = options;
  once.maxNetworkRetries = 0;
  return once;
}

RequestOptions forReading(const RequestOptions& options) {
  RequestOptions reading = options;
  reading.extraParams.clear();
  return reading;
}

ReportResolution::ReportResolution(const LostReport& report, ObjectRef target, CheckFacts& facts, Instant now)
    : report_(report),
      target_(target),
      facts_(facts),
      machine_(report.core.machineFor(report.operation, report.options)),
      step_(machine_.start(now)),
      attempt_(attemptOf(report)) {}

ReportResolution::Action ReportResolution::waited(Instant now) {
  step_ = machine_.waited(now);
  return Action::readInTurn;
}

ReportResolution::Action ReportResolution::canceled() {
  step_ = machine_.canceled();
  return Action::readInTurn;
}

/// If the turn does not come, the object is read without it; not if no request can be sent.
ReportResolution::Action ReportResolution::readEnded(const std::optional<Error>& error) {
  if (!error) return look();
  const bool mayCome = error->attemptCount() == 0 && error->kind() != ErrorKind::invalidParameter;
  if (turnless_ || !mayCome) return undeterminedBy(*error);
  turnless_ = *error;
  return Action::read;
}

ReportResolution::Action ReportResolution::undeterminedBy(const Error& error) {
  error_ = undetermined(report_, error, facts_.resends);
  return Action::done;
}

/// If the caller specifies no attempt, the report is taken to be about the one read first.
ReportResolution::Action ReportResolution::look() {
  if (!attempt_) attempt_ = ownerOfStates(*report_.operation.resource, target_);
  tell(compare(report_, target_, attempt_), facts_);
  return maySend() ? Action::send : finish();
}

bool ReportResolution::maySend() {
  if (facts_.noResendReason != NoResendReason::checkOnly) return false;
  if (turnless_ && !std::holds_alternative<CallStateMachine::Done>(step_))
    step_ = machine_.gaveUp(ofReport(*turnless_));
  if (!std::holds_alternative<CallStateMachine::Done>(step_)) return true;
  facts_.noResendReason = NoResendReason::failed;
  return false;
}

/// After a failure without effect, which the next read shows, the report may be sent again.
ReportResolution::Action ReportResolution::sendEnded(Instant now, const std::optional<Error>& error) {
  facts_.resends += error ? error->attemptCount() : 1;
  turnless_.reset();
  if (!error) {
    step_ = CallStateMachine::Done{};
    accepted();
    return finish();
  }
  std::ranges::copy(error->attempts(), std::back_inserter(sent_));
  step_ = machine_.failed(now, *error);
  return std::holds_alternative<CallStateMachine::Wait>(step_) ? Action::wait : Action::readInTurn;
}

ReportResolution::Action ReportResolution::finish() {
  if (facts_.status != ReportStatus::applied) facts_.error = lastError();
  return Action::done;
}

/// Only the response shows which attempt the service applied the report to.
void ReportResolution::accepted() {
  const ReportReading reading = compare(report_, target_, attempt_);
  if (reading.reason == NoResendReason::otherAttempt) {
    tell({.reason = NoResendReason::sentToOtherAttempt}, facts_);
  } else {
    tell({.status = ReportStatus::applied, .isFinal = reading.isFinal, .reason = NoResendReason::applied},
         facts_);
  }
}

/// The error of the last send, if it failed. Covers everything sent.
std::optional<Error> ReportResolution::lastError() {
  const auto* done = std::get_if<CallStateMachine::Done>(&step_);
  const auto error = done == nullptr ? machine_.lastError() : done->error;
  if (!error) return std::nullopt;
  Error::Details details = error->details();
  details.attemptCount = facts_.resends;
  details.attempts = std::move(sent_);
  return Error{std::move(details)};
}

Error ReportResolution::ofReport(const Error& error) const {
  Error::Details details = error.details();
  details.operation = report_.operation.name;
  return Error{std::move(details)};
}

}  // namespace tally::detail

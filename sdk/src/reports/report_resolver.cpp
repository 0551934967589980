#include "reports/report_resolver.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "call/call_state_machine.h"
#include "call/request_builder.h"
#include "call/turn.h"
#include "codec/reset.h"
#include "codec/validation.h"
#include "reports/report_comparison.h"

namespace tally::detail {

namespace {

using Fault = std::optional<ParameterFault>;

/// The error of a call that could not read the object: the status is as unknown as before.
Error undetermined(const LostReport& report, const Error& error, int resends = 0) {
  Error::Details details = error.details();
  details.effect = Effect::unknown;
  const std::string sent = resends == 0 ? "" : " (resends by this call: " + std::to_string(resends) + ")";
  details.message = "the status of the report could not be read" + sent + ": " + details.message;
  details.operation = report.operation.name;
  return Error{std::move(details)};
}

/// Why no client could have sent this report.
Fault faultOfReport(const LostReport& report) {
  if (auto fault = checkId("id", report.operation.resource->idPrefix, report.id)) return fault;
  return checkParams(report.params);
}

/// What is wrong with the caller's additional information.
Fault faultOfCheck(const LostReport& report) {
  const Resource& resource = *report.operation.resource;
  if (report.attempt != nullptr)
    if (auto fault =
            checkId("attempt", resource.model->find(resource.machine->of)->idPrefix, *report.attempt))
      return fault;
  if (!report.before) return std::nullopt;
  if (textIn(report.before, "id") != report.id) return ParameterFault{"before", "is a different object"};
  if (report.attempt != nullptr && ownerOfStates(resource, report.before) != *report.attempt)
    return ParameterFault{"before", "belongs to an attempt other than 'attempt'"};
  return std::nullopt;
}

std::optional<Error> faultOf(const LostReport& report) {
  if (auto fault = faultOfReport(report)) return invalidParameter(report.operation, *std::move(fault));
  if (auto fault = faultOfCheck(report))
    return undetermined(report, invalidParameter(report.operation, *std::move(fault)));
  return std::nullopt;
}

using AttemptName = std::optional<std::string>;

/// The attempt that the report is about, if the caller specifies it.
AttemptName attemptOf(const LostReport& report) {
  if (report.attempt != nullptr) return *report.attempt;
  if (!report.before) return std::nullopt;
  return std::string{ownerOfStates(*report.operation.resource, report.before)};
}

std::optional<Error> readObject(const LostReport& report, ObjectRef target) {
  reset(target);
  return report.core.call(*report.operation.resource->machine->retrieve, report.id, {}, report.options,
                          target);
}

/// What the object shows about the report on `attempt`. Another attempt has its own states, which this report
/// does not affect.
ReportReading compare(const LostReport& report, ObjectRef target, const AttemptName& attempt) {
  if (attempt && ownerOfStates(*report.operation.resource, target) != *attempt)
    return {.reason = StopReason::otherAttempt};
  return compareReport(report.operation, report.params, target, report.before);
}

void tell(const ReportReading& reading, CheckFacts& facts) {
  facts.status = reading.status;
  facts.isFinal = reading.isFinal;
  facts.stopReason = reading.reason;
}

/// Sends a report as often as its call may be retried, reading the object before each time: the read shows
/// whether a report whose response was lost was applied or may be resent.
class ReportResolver {
 public:
  ReportResolver(const LostReport& report, ObjectRef target, CheckFacts& facts)
      : report_(report),
        target_(target),
        facts_(facts),
        attempts_(report.core.attempts(report.operation, report.options)),
        step_(attempts_.start(now())),
        attempt_(attemptOf(report)) {}

  [[nodiscard]] std::optional<Error> run() {
    do {
      wait();
      if (const auto error = read()) return undetermined(report_, *error, facts_.resends);
      look();
    } while (maySend() && !send());
    if (facts_.status != ReportStatus::applied) facts_.error = lastError();
    return std::nullopt;
  }

 private:
  [[nodiscard]] Instant now() const { return report_.core.clock().now(); }

  void wait() {
    const auto* waiting = std::get_if<CallStateMachine::Wait>(&step_);
    if (waiting == nullptr) return;
    const bool over = report_.core.clock().sleepUntil(waiting->until, report_.options.stop);
    step_ = over ? attempts_.waited(now()) : attempts_.canceled();
  }

  /// Reads in the turn of the report, so that nothing is waited for between reading and sending. If the turn
  /// does not come, reads without it.
  [[nodiscard]] std::optional<Error> read() {
    const AnyOperation& operation = report_.operation;
    reset(target_);
    turnless_ = report_.core.readInTurn(turn_, *operation.resource->machine->retrieve, operation, report_.id,
                                        report_.params, report_.options, target_);
    return turnless_ && turnless_->attemptCount() == 0 ? readObject(report_, target_)
                                                       : std::exchange(turnless_, std::nullopt);
  }

  /// If the caller specifies no attempt, the report is taken to be about the one read first.
  void look() {
    if (!attempt_) attempt_ = ownerOfStates(*report_.operation.resource, target_);
    tell(compare(report_, target_, attempt_), facts_);
  }

  [[nodiscard]] bool maySend() {
    if (facts_.stopReason != StopReason::onlyReads) return false;
    if (turnless_ && !std::holds_alternative<CallStateMachine::Done>(step_))
      step_ = attempts_.failed(now(), ofReport(*turnless_));
    if (!std::holds_alternative<CallStateMachine::Done>(step_)) return true;
    facts_.stopReason = StopReason::failed;
    return false;
  }

  /// Whether the report was accepted. If not, `step_` is the next step if it had no effect, which the next
  /// read shows.
  [[nodiscard]] bool send() {
    RequestOptions once = report_.options;
    once.maxNetworkRetries = 0;
    reset(target_);
    const auto error =
        report_.core.changeInTurn(turn_, report_.operation, report_.id, report_.params, once, target_);
    facts_.resends += error ? error->attemptCount() : 1;
    if (!error) {
      step_ = CallStateMachine::Done{};
      accepted();
      return true;
    }
    std::ranges::copy(error->attempts(), std::back_inserter(sent_));
    step_ = attempts_.failed(now(), *error);
    return false;
  }

  /// Only the response shows which attempt the service applied the report to.
  void accepted() {
    const ReportReading reading = compare(report_, target_, attempt_);
    if (reading.reason == StopReason::otherAttempt) {
      tell({.reason = StopReason::sentToOtherAttempt}, facts_);
    } else {
      tell({.status = ReportStatus::applied, .isFinal = reading.isFinal, .reason = StopReason::applied},
           facts_);
    }
  }

  /// The error of the last send, if it failed. Covers everything sent.
  [[nodiscard]] std::optional<Error> lastError() {
    const auto* done = std::get_if<CallStateMachine::Done>(&step_);
    const auto error = done == nullptr ? attempts_.lastError() : done->error;
    if (!error) return std::nullopt;
    Error::Details details = error->details();
    details.attemptCount = facts_.resends;
    details.attempts = std::move(sent_);
    return Error{std::move(details)};
  }

  [[nodiscard]] Error ofReport(const Error& error) const {
    Error::Details details = error.details();
    details.operation = report_.operation.name;
    return Error{std::move(details)};
  }

  const LostReport& report_;
  ObjectRef target_;
  CheckFacts& facts_;
  Turn turn_{};                      // of the report; held until it is resolved
  std::optional<Error> turnless_{};  // why the turn did not come
  CallStateMachine attempts_;
  CallStateMachine::Step step_;
  AttemptName attempt_;          // that the report is about
  std::vector<Attempt> sent_{};  // those that failed
};

}  // namespace

std::optional<Error> findStatus(const LostReport& report, ObjectRef target, CheckFacts& facts) {
  if (auto fault = faultOf(report)) return fault;
  if (const auto error = readObject(report, target)) return undetermined(report, *error);
  tell(compare(report, target, attemptOf(report)), facts);
  return std::nullopt;
}

std::optional<Error> resolveStatus(const LostReport& report, ObjectRef target, CheckFacts& facts) {
  if (auto fault = faultOf(report)) return fault;
  return ReportResolver{report, target, facts}.run();
}

}  // namespace tally::detail

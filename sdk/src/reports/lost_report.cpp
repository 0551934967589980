#include "reports/lost_report.h"

#include <utility>

#include "call/request_builder.h"
#include "form/validation.h"

namespace tally::detail {

namespace {

using Fault = std::optional<ParameterFault>;

/// Why no client could have sent this report.
Fault faultOfReport(const LostReport& report) {
  if (auto fault = checkId("id", report.operation.resource->idPrefix, report.id)) return fault;
  return checkParams(report.params);
}

/// What is wrong with the caller's additional information.
Fault faultOfCheck(const LostReport& report) {
  if (auto fault = checkExtraParams(report.operation, report.options.extraParams)) return fault;
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

}  // namespace

std::optional<Error> faultOf(const LostReport& report) {
  if (auto fault = faultOfReport(report)) return invalidParameter(report.operation, *std::move(fault));
  if (auto fault = faultOfCheck(report))
    return undetermined(report, invalidParameter(report.operation, *std::move(fault)));
  return std::nullopt;
}

Error undetermined(const LostReport& report, const Error& error, int resends) {
  Error::Details details = error.details();
  details.effect = Effect::unknown;
  const std::string sent = resends == 0 ? "" : " (resends by this call: " + std::to_string(resends) + ")";
  details.message = "the status of the report could not be read" + sent + ": " + details.message;
  details.operation = report.operation.name;
  return Error{std::move(details)};
}

AttemptName attemptOf(const LostReport& report) {
  if (report.attempt != nullptr) return *report.attempt;
  if (!report.before) return std::nullopt;
  return std::string{ownerOfStates(*report.operation.resource, report.before)};
}

ReportReading compare(const LostReport& report, ConstObjectRef object, const AttemptName& attempt) {
  if (attempt && ownerOfStates(*report.operation.resource, object) != *attempt)
    return {.reason = NoResendReason::otherAttempt};
  return compareReport(report.operation, report.params, object, report.before);
}

void tell(const ReportReading& reading, CheckFacts& facts) {
  facts.status = reading.status;
  facts.isFinal = reading.isFinal;
  facts.noResendReason = reading.reason;
}

}  // namespace tally::detail

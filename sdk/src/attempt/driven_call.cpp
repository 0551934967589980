#include "attempt/driven_call.h"

#include "http/redaction.h"

namespace tally::detail {

void DrivenCall::sending(Instant from) const {
  if (paced != nullptr) paced->sending(from);
  report.sending(from);
}

CallStateMachine::Step DrivenCall::ended(Instant now, TransportResult& result) const {
  const auto error = detachedEnded(now, result);
  return error ? machine.failed(now, *error) : machine.succeeded();
}

std::optional<Error> DrivenCall::detachedEnded(Instant now, TransportResult& result) const {
  try {
    report.arrived(result);
  } catch (...) {
    reader.abandoned(now);
    throw;
  }
  auto error = reader.read(result, now);
  if (error) error = withoutKey(*error, request);
  if (paced != nullptr) paced->responded(now, pacedOutcome(result, error));
  report.responded(now, result, error);
  return error;
}

}  // namespace tally::detail

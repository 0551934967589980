#include "engine/visit.h"

namespace tally::fake::detail {

int Visit::status() const {
  if (failure) return 0;
  if (const auto* arranged = std::get_if<HttpResponse>(&script.answer)) return arranged->status;
  const auto* refusal = std::get_if<Refusal>(&answer);
  return refusal == nullptr ? 200 : refusal->answer->status;
}

bool Visit::bearsRequestId() const {
  if (failure || std::holds_alternative<HttpResponse>(script.answer)) return false;
  const auto* refusal = std::get_if<Refusal>(&answer);
  return refusal == nullptr || refusal->answer->requestId;
}

void note(const Visit& visit, const std::string& requestId, Instant end, LoggedRequest& entry) {
  const auto* refusal = std::get_if<Refusal>(&visit.answer);
  const Operation* operation = visit.arrival.route.operation;
  const AccountState* account = visit.caller.account;
  entry.time = visit.arrived;
  entry.answered = end;
  entry.account = account == nullptr ? std::string_view{} : account->account.id;
  entry.livemode = visit.caller.livemode;
  entry.operation = operation == nullptr ? std::string_view{} : operation->name;
  entry.object = visit.arrival.id;
  entry.method = visit.arrival.method;
  entry.request = visit.arrival.request;
  entry.status = visit.status();
  entry.requestId = requestId;
  entry.errorCode = refusal == nullptr ? std::string_view{} : refusal->answer->code;
  entry.limit = visit.limit;
  entry.processed = visit.processed;
  entry.fault = visit.script.kind;
}

}  // namespace tally::fake::detail

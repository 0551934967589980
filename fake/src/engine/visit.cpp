#include "engine/visit.h"

namespace tally::fake::detail {

int Visit::status() const {
  if (failure) return 0;
  if (const auto* arranged = std::get_if<HttpResponse>(&rule.response)) return arranged->status;
  const auto* refusal = std::get_if<Refusal>(&response);
  return refusal == nullptr ? 200 : refusal->response->status;
}

bool Visit::bearsRequestId() const {
  if (failure || std::holds_alternative<HttpResponse>(rule.response)) return false;
  const auto* refusal = std::get_if<Refusal>(&response);
  return refusal == nullptr || refusal->response->requestId;
}

void note(const Visit& visit, const std::string& requestId, Instant end, LoggedRequest& entry) {
  const auto* refusal = std::get_if<Refusal>(&visit.response);
  const Operation* operation = visit.arrival.route.operation;
  const AccountState* account = visit.caller.account;
  entry.time = visit.arrived;
  entry.respondedAt = end;
  entry.account = account == nullptr ? std::string_view{} : account->account.id;
  entry.livemode = visit.caller.livemode;
  entry.operation = operation == nullptr ? std::string_view{} : operation->name;
  entry.object = visit.arrival.id;
  entry.method = visit.arrival.method;
  entry.request = visit.arrival.request;
  entry.status = visit.status();
  entry.requestId = requestId;
  entry.errorCode = refusal == nullptr ? std::string_view{} : refusal->response->code;
  entry.limit = visit.limit;
  entry.processed = visit.processed;
  entry.fault = visit.rule.kind;
}

}  // namespace tally::fake::detail

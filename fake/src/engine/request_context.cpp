#include "engine/request_context.h"

#include "errors.h"
#include "tables/catalog.h"
#include "text/call_mark.h"
#include "text/url.h"

namespace tally::fake::detail {

namespace {

constexpr std::string_view headMethod = "HEAD";

std::optional<tally::detail::CallMark> callOf(const RequestHead& head) {
  return head.call == nullptr ? std::nullopt : tally::detail::readCallMark(*head.call);
}

Refusal noOperation(std::string_view method, std::string_view path, bool pathKnown) {
  return {.response = pathKnown ? &errors::methodNotAllowed : &errors::pathUnknown,
          .value = std::string{method} + ' ' + std::string{path}};
}

}  // namespace

Arrival arrive(const Catalog& catalog, const HttpRequest& request, std::string_view otherMethod) {
  const Target target = targetOf(request.url);
  const bool isHead = otherMethod == headMethod;  // like a GET, but without the response body
  Arrival arrival{.request = request,
                  .method = otherMethod.empty() ? toString(request.method) : otherMethod,
                  .head = headOf(request),
                  .route = catalog.router().find(isHead ? Method::get : request.method, target.path)};
  if (!otherMethod.empty() && !isHead)
    arrival.route = {.pathKnown = arrival.route.pathKnown, .takes = arrival.route.takes};
  const AnyOperation* operation = arrival.route.operation;
  if (operation == nullptr) {
    arrival.fault = noOperation(arrival.method, target.path, arrival.route.pathKnown);
    return arrival;
  }
  if (auto id = tally::detail::percentDecode(arrival.route.id)) {
    arrival.id = *std::move(id);
  } else {
    arrival.fault = unreadable("the path has a '%' that is not followed by two hexadecimal digits");
  }
  arrival.params = readParams(*operation, target.query, arrival.head.contentType, request.body);
  return arrival;
}

int RequestContext::status() const {
  if (failure) return 0;
  if (const auto* arranged = std::get_if<HttpResponse>(&rule.response)) return arranged->status;
  const auto* refusal = std::get_if<Refusal>(&response);
  return refusal == nullptr ? 200 : refusal->response->status;
}

bool RequestContext::isDeferred() const {
  return !failure && !std::holds_alternative<HttpResponse>(rule.response) &&
         std::holds_alternative<Deferred>(response);
}

bool RequestContext::bearsRequestId() const {
  if (failure || std::holds_alternative<HttpResponse>(rule.response)) return false;
  const auto* refusal = std::get_if<Refusal>(&response);
  return refusal == nullptr || refusal->response->requestId;
}

std::string_view RequestContext::faultName() const {
  if (!injected) return {};
  if (rule.kind != fake::Fault::none) return toString(rule.kind);
  return std::holds_alternative<std::monostate>(rule.response) ? "latency or headers" : "response";
}

void note(const RequestContext& context, const std::string& requestId, Instant end, LoggedRequest& entry) {
  const auto* refusal = std::get_if<Refusal>(&context.response);
  const AnyOperation* operation = context.arrival.route.operation;
  const AccountState* account = context.caller.account.get();
  entry.time = context.arrived;
  entry.respondedAt = end;
  entry.account = account == nullptr ? std::string_view{} : account->account.id;
  entry.livemode = context.caller.livemode;
  entry.operation = operation == nullptr ? std::string_view{} : operation->name;
  entry.object = context.arrival.id;
  entry.method = context.arrival.method;
  entry.request = context.arrival.request;
  entry.status = context.status();
  entry.requestId = requestId;
  entry.errorCode = refusal == nullptr ? std::string_view{} : refusal->response->code;
  entry.limit = context.limit;
  entry.processed = context.processed;
  entry.fault = context.rule.kind;
  entry.faultId = context.rule.rule;
  entry.faultFromHeader = context.injectedByHeader;
  entry.addedLatency = context.rule.latency;
  const auto mark = callOf(context.arrival.head);
  entry.call = mark ? mark->call : std::string_view{};
  entry.attempt = mark ? mark->attempt : 0;
}

}  // namespace tally::fake::detail

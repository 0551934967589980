#include "record/injected_faults.h"

#include <utility>
#include <variant>

#include "engine/respond.h"
#include "format/control_json.h"
#include "request/request_head.h"
#include "tables/refusal.h"
#include "text/url.h"
#include "wire.h"

namespace tally::fake::detail {

namespace {

TransportFailure brokenBy(fake::Fault fault) {
  return {.kind = TransportFailure::Kind::connection,
          .message = "injected fault: " + std::string{toString(fault)}};
}

/// The response that a rule makes; nothing if it makes none.
std::optional<HttpResponse> responseOf(const FaultEffect& effect) {
  if (const auto* response = std::get_if<HttpResponse>(&effect.response)) return *response;
  const auto* refusal = std::get_if<Refusal>(&effect.response);
  if (refusal == nullptr) return std::nullopt;
  HttpResponse response = responseWith("application/json", errorBody(*refusal), refusal->response->status);
  if (!refusal->rateLimitedReason.empty())
    response.headers.push_back(
        {std::string{tally::detail::header::rateLimitedReason}, refusal->rateLimitedReason});
  return response;
}

HttpResponse withHeaders(HttpResponse response, const FaultEffect& effect) {
  response.headers.insert(response.headers.end(), effect.headers.begin(), effect.headers.end());
  return response;
}

}  // namespace

std::string FaultedRequest::name() const {
  if (!effect) return {};
  if (effect->kind != fake::Fault::none) return inSnakeCase(toString(effect->kind));
  if (const auto* refusal = std::get_if<Refusal>(&effect->response))
    return std::string{refusal->response->name};
  if (std::holds_alternative<HttpResponse>(effect->response)) return "response";
  if (effect->latency.count() > 0) return "latency";
  if (!effect->headers.empty()) return "headers";
  return effect->chunks > 1 ? "slow_body" : "";
}

InjectedFaults::InjectedFaults(std::uint64_t seed, std::span<const FaultRule> rules, Instant now,
                               const Description& description)
    : description_(description),
      router_(description.operations),
      rules_(description.operations, description.errors, seed) {
  for (const FaultRule& rule : rules)
    rules_.add(rule, now);
}

std::uint64_t InjectedFaults::add(FaultRule rule, Instant now) {
  const std::scoped_lock lock{mutex_};
  return rules_.add(std::move(rule), now);
}

bool InjectedFaults::remove(std::uint64_t id) {
  const std::scoped_lock lock{mutex_};
  return rules_.remove(id);
}

void InjectedFaults::clear() {
  const std::scoped_lock lock{mutex_};
  rules_.clear();
}

std::vector<InjectedFault> InjectedFaults::list() const {
  const std::scoped_lock lock{mutex_};
  return rules_.all();
}

std::optional<TransportResult> InjectedFaults::onArrival(const Incoming& incoming, Instant now,
                                                         FaultedRequest& request) {
  const std::scoped_lock lock{mutex_};
  if (rules_.empty()) return std::nullopt;
  const Route route = router_.find(incoming.request.method, targetOf(incoming.request.url).path);
  request.operation = incoming.otherMethod.empty() ? route.operation : nullptr;
  request.object = tally::detail::percentDecode(route.id).value_or("");
  request.target.emplace(FaultTarget{.operation = request.operation == nullptr ? "" : request.operation->name,
                                     .object = request.object,
                                     .parts = RequestParts{incoming.request},
                                     .arrived = now});
  take(request, Moment::arrival);
  if (!request.effect) return std::nullopt;
  const FaultEffect& effect = *request.effect;
  if (effect.kind == fake::Fault::connectionRefused || effect.kind == fake::Fault::reset)
    return brokenBy(effect.kind);
  const auto response = responseOf(effect);
  return response ? std::optional<TransportResult>{withHeaders(*response, effect)} : std::nullopt;
}

std::optional<TransportResult> InjectedFaults::onResponse(const HttpResponse& response,
                                                          FaultedRequest& request) {
  constexpr int leastError = 400;
  if (request.target && !request.effect) {
    const std::scoped_lock lock{mutex_};
    take(request, Moment::responded);
    if (!request.effect && response.status < leastError) take(request, Moment::processed);
  }
  if (!request.effect) return std::nullopt;
  const FaultEffect& effect = *request.effect;
  if (effect.kind == fake::Fault::responseLost) return brokenBy(effect.kind);
  HttpResponse changed = responseOf(effect).value_or(response);
  if (effect.kind == fake::Fault::emptyPage && request.operation != nullptr)
    changed.body = emptyPage(*request.operation);
  spoil(effect.kind, changed.body);
  changed = withHeaders(std::move(changed), effect);
  return changed == response ? std::nullopt : std::optional<TransportResult>{std::move(changed)};
}

void InjectedFaults::take(FaultedRequest& request, Moment moment) {
  request.effect = rules_.take(*request.target, moment);
}

}  // namespace tally::fake::detail

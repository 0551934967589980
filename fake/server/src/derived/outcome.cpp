#include "derived/outcome.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "form/validation.h"
#include "format/rule_json.h"
#include "request/json_document.h"
#include "tables/rules.h"
#include "tables/utf8.h"
#include "text/find_header.h"
#include "wire.h"

namespace tally::fake::detail {

namespace {

using tally::detail::Exchange;

constexpr int refusedStatus = 429;
constexpr int leastServerError = 500;
constexpr int greatestStatus = 599;

/// The code in the body of an error response; empty if there is none.
std::string codeIn(const std::string& body) {
  const JsonDocument document{body};
  if (document.problem() || !document.root().isObject()) return {};
  for (const auto& [name, error] : document.root().members())
    if (name.is("error") && error.isObject())
      for (const auto& [member, value] : error.members())
        if (member.is("code") && value.isString()) return value.string();
  return {};
}

/// The error of the API description that the service responded with; null if it has none.
const ErrorResponse* describedErrorIn(const Exchange& exchange) {
  const std::string code = codeIn(exchange.responseBody);
  const auto found = std::ranges::find_if(errorResponses, [&](const ErrorResponse* each) {
    return each->status == exchange.status && each->code == code;
  });
  return found == errorResponses.end() ? nullptr : *found;
}

/// Empty if it has none that a rule can have.
std::string reasonIn(const Exchange& exchange) {
  const std::string* reason =
      tally::detail::findHeader(exchange.responseHeaders, tally::detail::header::rateLimitedReason);
  const bool isUsable = reason != nullptr && tally::detail::isHeaderText(*reason) && isUtf8(*reason);
  return isUsable ? *reason : std::string{};
}

FaultRule responseOf(const Exchange& exchange) {
  if (const ErrorResponse* error = describedErrorIn(exchange)) {
    FaultRule rule{.error = std::string{error->name}};
    if (error->rateLimitedReason) rule.rateLimitedReason = reasonIn(exchange);
    return rule;
  }
  return {.response = HttpResponse{.status = exchange.status}};
}

/// The recorder names the fault that it injected; others only say in words what happened.
fake::Fault lossOf(const Exchange& exchange) {
  for (const auto fault : {fake::Fault::connectionRefused, fake::Fault::reset, fake::Fault::responseLost})
    if (exchange.fault == nameOf(fault)) return fault;
  constexpr std::array<std::string_view, 3> unsent{"refused", "REFUSED", "connect to"};
  const bool isUnsent = std::ranges::any_of(
      unsent, [&](std::string_view word) { return exchange.failure.find(word) != std::string::npos; });
  return isUnsent ? fake::Fault::connectionRefused : fake::Fault::responseLost;
}

FaultRule ruleOf(const Exchange& exchange) {
  if (exchange.status <= 0) return {.fault = lossOf(exchange)};
  const bool isRefused = exchange.status == refusedStatus;
  const bool isServerError = exchange.status >= leastServerError && exchange.status <= greatestStatus;
  return isRefused || isServerError ? responseOf(exchange) : FaultRule{};
}

}  // namespace

std::size_t FaultKinds::of(const Exchange& exchange) {
  const FaultRule rule = ruleOf(exchange);
  if (rule == FaultRule{}) return 0;
  const auto known = std::ranges::find(rules_, rule);
  if (known == rules_.end()) {
    rules_.push_back(rule);
    return rules_.size();
  }
  return static_cast<std::size_t>(known - rules_.begin()) + 1;
}

}  // namespace tally::fake::detail

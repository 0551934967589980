#include "engine/requested_fault.h"

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <tally/fake/sent_request.h>

#include "engine/service_state.h"
#include "format/fault_header.h"
#include "text/call_mark.h"
#include "text/fingerprint.h"

namespace tally::fake::detail {

namespace {

constexpr ErrorResponse malformed{
    .name = "fault_header_invalid",
    .status = 400,
    .type = "invalid_request_error",
    .code = "fault_header_invalid",
    .message = "The Tally-Fake-Fault header is invalid: {detail}.",
};

/// Identifies a request and its retries: by the call that it names, or else by all that retries repeat.
std::uint64_t identify(const RequestContext& context, std::string_view header) {
  const Arrival& arrival = context.arrival;
  std::string all = context.caller.account->account.id;
  all.append(context.caller.livemode ? " live " : " sandbox ").append(header).append("\n");
  const auto mark =
      arrival.head.call == nullptr ? std::nullopt : tally::detail::readCallMark(*arrival.head.call);
  if (mark) {
    all += mark->call;
  } else {
    const auto [path, query] = targetOf(arrival.request.url);
    all.append(arrival.method).append(" ").append(path).append("?").append(query).append("\n");
    all += arrival.request.body;
  }
  return tally::detail::longFingerprint(all);
}

Refusal refusalOf(std::string detail) {
  return {.response = &malformed, .detail = std::move(detail)};
}

/// The rule applies to this request alone.
FaultRule ruleFor(const RequestContext& context, const std::string& header) {
  FaultRule rule = readFaultHeader(header);
  rule.operation = context.operation().name;
  context.state->rules.check(rule);
  return rule;
}

}  // namespace

Fault ask(RequestContext& context) {
  const std::vector<std::string> headers = sentHeaders(context.arrival.request, faultHeaderName);
  if (headers.empty()) return std::nullopt;
  if (headers.size() > 1) return refusalOf("it is given twice; join its parts with ';'");
  try {
    context.requested = {ruleFor(context, headers.front()), identify(context, headers.front())};
  } catch (const std::invalid_argument& problem) {
    return refusalOf(problem.what());
  }
  return std::nullopt;
}

}  // namespace tally::fake::detail

#include "faults/fault_rules.h"

#include <algorithm>
#include <ostream>
#include <stdexcept>

#include <tally/rate_limited_reason.h>

#include "errors.h"
#include "faults/longest_duration.h"

namespace tally::fake {

std::string_view toString(Fault fault) noexcept {
  switch (fault) {
    case Fault::connectionRefused:
      return "connection refused";
    case Fault::reset:
      return "reset";
    case Fault::responseLost:
      return "response lost";
    case Fault::truncatedBody:
      return "truncated body";
    case Fault::garbledBody:
      return "garbled body";
    case Fault::emptyPage:
      return "empty page";
    case Fault::errorAfterProcessing:
      return "error after processing";
    case Fault::none:
      break;
  }
  return "none";
}

std::ostream& operator<<(std::ostream& out, Fault fault) {
  return out << toString(fault);
}

std::ostream& operator<<(std::ostream& out, const FaultRule& rule) {
  return out << detail::describe(rule);
}

}  // namespace tally::fake

namespace tally::fake::detail {

using tally::detail::OperationKind;

namespace {

std::string quoted(const std::string& text) {
  return "'" + text + "'";
}

std::string defaultReason() {
  return OpenEnum<RateLimitedReason>{RateLimitedReason::globalRate}.str();
}

bool matches(const FaultRule& rule, std::string_view operation, std::string_view object) {
  return (rule.operation.empty() || rule.operation == operation) &&
         (rule.object.empty() || rule.object == object);
}

bool hasPages(const AnyOperation& operation) {
  return operation.kind == OperationKind::list || operation.kind == OperationKind::search;
}

void checkNumbers(const FaultRule& rule) {
  if (rule.times < 1) throw std::invalid_argument{"a fault rule must apply at least once"};
  if (rule.latency < std::chrono::nanoseconds::zero())
    throw std::invalid_argument{"the latency of a fault rule can't be negative"};
  if (rule.latency > longestDuration)
    throw std::invalid_argument{"the latency of a fault rule can't exceed 100 years"};
}

/// Allows one of a fault, an error and a response; but a rule may choose the server error for
/// errorAfterProcessing.
void checkFault(const FaultRule& rule) {
  constexpr int leastServerError = 500;
  const bool late = rule.fault == fake::Fault::errorAfterProcessing && rule.response;
  if (late && rule.response->status < leastServerError)
    throw std::invalid_argument{"the status of an error after processing must be at least 500"};
  const int responses = (rule.fault != fake::Fault::none ? 1 : 0) + (rule.error.empty() ? 0 : 1) +
                        (rule.response && !late ? 1 : 0);
  if (responses > 1)
    throw std::invalid_argument{"a fault rule can have only one of fault, error and response"};
}

/// Faults that replace processing fire on arrival, and so do rules without a fault. Faults that can affect
/// any response fire after the operation; the others require that it succeeded.
Moment momentOf(const FaultRule& rule) {
  switch (rule.fault) {
    case fake::Fault::none:
    case fake::Fault::connectionRefused:
    case fake::Fault::reset:
      return Moment::arrival;
    case fake::Fault::responseLost:
    case fake::Fault::truncatedBody:
    case fake::Fault::garbledBody:
      return Moment::responded;
    case fake::Fault::emptyPage:
    case fake::Fault::errorAfterProcessing:
      break;
  }
  return Moment::processed;
}

std::string happening(const FaultRule& rule) {
  if (!rule.error.empty()) return "error " + rule.error;
  if (rule.fault != fake::Fault::none) return std::string{toString(rule.fault)};
  if (rule.response) return "response " + std::to_string(rule.response->status);
  return rule.latency == std::chrono::nanoseconds::zero() ? "pass" : "latency";
}

}  // namespace

bool FaultRules::canHappen(fake::Fault fault, std::string_view operation) const {
  if (fault != fake::Fault::emptyPage) return true;
  const auto found = std::ranges::find(operations_, operation, &AnyOperation::name);
  return found != operations_.end() && hasPages(**found);
}

void FaultRules::checkOperation(const FaultRule& rule) const {
  if (rule.operation.empty()) return;
  const auto found = std::ranges::find(operations_, rule.operation, &AnyOperation::name);
  if (found == operations_.end())
    throw std::invalid_argument{"a fault rule names an unknown operation " + quoted(rule.operation)};
  if (!canHappen(rule.fault, rule.operation))
    throw std::invalid_argument{quoted(rule.operation) + " returns no pages that could be empty"};
}

void FaultRules::checkError(FaultRule& rule) const {
  const ErrorResponse* response = rule.error.empty() ? nullptr : findError(errors_, rule.error);
  if (response == nullptr && !rule.error.empty())
    throw std::invalid_argument{"a fault rule names an unknown error " + quoted(rule.error)};
  const bool limited = response != nullptr && response->rateLimitedReason;
  if (!limited && rule.rateLimitedReason)
    throw std::invalid_argument{"the fault " + quoted(happening(rule)) + " takes no rate-limited reason"};
  if (limited && !rule.rateLimitedReason) rule.rateLimitedReason = defaultReason();
}

void FaultRules::add(FaultRule rule) {
  checkNumbers(rule);
  checkFault(rule);
  checkOperation(rule);
  checkError(rule);
  rules_.push_back(std::move(rule));
}

Refusal FaultRules::refusalOf(const FaultRule& rule, std::string_view object) const {
  const std::string reason = rule.rateLimitedReason.value_or("");
  return {.response = findError(errors_, rule.error),
          .value = std::string{object},
          .detail = reason.empty() ? "injected fault" : reason,
          .words = "object",
          .rateLimitedReason = reason};
}

std::optional<InjectedFault> FaultRules::take(std::string_view operation, std::string_view object,
                                              Moment moment) {
  const auto found = std::ranges::find_if(rules_, [&](const FaultRule& rule) {
    return matches(rule, operation, object) && canHappen(rule.fault, operation);
  });
  if (found == rules_.end() || momentOf(*found) != moment) return std::nullopt;
  InjectedFault fault{.kind = found->fault, .headers = found->headers, .latency = found->latency};
  if (!found->error.empty()) fault.response = refusalOf(*found, object);
  if (found->fault == fake::Fault::errorAfterProcessing)
    fault.response = Refusal{.response = &errors::apiError, .detail = "injected fault"};
  if (found->response) fault.response = *found->response;
  if (--found->times == 0) rules_.erase(found);
  return fault;
}

std::string describe(const FaultRule& rule) {
  std::string text = rule.operation.empty() ? "any operation" : rule.operation;
  if (!rule.object.empty()) text += " of " + rule.object;
  return text + ": " + happening(rule) + " (" + std::to_string(rule.times) +
         (rule.times == 1 ? " time left)" : " times left)");
}

}  // namespace tally::fake::detail

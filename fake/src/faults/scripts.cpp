#include "faults/scripts.h"

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
    case Fault::answerLost:
      return "answer lost";
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

std::ostream& operator<<(std::ostream& out, const Script& script) {
  return out << detail::describe(script);
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

bool matches(const Script& script, std::string_view operation, std::string_view object) {
  return (script.operation.empty() || script.operation == operation) &&
         (script.object.empty() || script.object == object);
}

bool hasPages(const Operation& operation) {
  return operation.kind == OperationKind::list || operation.kind == OperationKind::search;
}

void checkNumbers(const Script& script) {
  if (script.times < 1) throw std::invalid_argument{"a script must happen at least once"};
  if (script.latency < std::chrono::nanoseconds::zero())
    throw std::invalid_argument{"a script can't shorten the time until a response"};
  if (script.latency > longestDuration)
    throw std::invalid_argument{"a script can't delay a response by more than 100 years"};
}

/// Allows one of a fault, an error and a response; but a script may choose the server error for
/// errorAfterProcessing.
void checkFault(const Script& script) {
  constexpr int leastServerError = 500;
  const bool late = script.fault == fake::Fault::errorAfterProcessing && script.answer;
  if (late && script.answer->status < leastServerError)
    throw std::invalid_argument{"an error after processing is a server error, so its status is at least 500"};
  const int answers = (script.fault != fake::Fault::none ? 1 : 0) + (script.error.empty() ? 0 : 1) +
                      (script.answer && !late ? 1 : 0);
  if (answers > 1) throw std::invalid_argument{"a script has one of a fault, an error and an answer"};
}

/// Faults that replace processing fire on arrival, and so do scripts without a fault. Faults that can affect
/// any response fire after the operation; the others require that it succeeded.
Moment momentOf(const Script& script) {
  switch (script.fault) {
    case fake::Fault::none:
    case fake::Fault::connectionRefused:
    case fake::Fault::reset:
      return Moment::arrival;
    case fake::Fault::answerLost:
    case fake::Fault::truncatedBody:
    case fake::Fault::garbledBody:
      return Moment::answered;
    case fake::Fault::emptyPage:
    case fake::Fault::errorAfterProcessing:
      break;
  }
  return Moment::processed;
}

std::string happening(const Script& script) {
  if (!script.error.empty()) return "error " + script.error;
  if (script.fault != fake::Fault::none) return std::string{toString(script.fault)};
  if (script.answer) return "answer " + std::to_string(script.answer->status);
  return script.latency == std::chrono::nanoseconds::zero() ? "pass" : "latency";
}

}  // namespace

bool Scripts::canHappen(fake::Fault fault, std::string_view operation) const {
  if (fault != fake::Fault::emptyPage) return true;
  const auto found = std::ranges::find(operations_, operation, &Operation::name);
  return found != operations_.end() && hasPages(**found);
}

void Scripts::checkOperation(const Script& script) const {
  if (script.operation.empty()) return;
  const auto found = std::ranges::find(operations_, script.operation, &Operation::name);
  if (found == operations_.end())
    throw std::invalid_argument{"a script names an operation " + quoted(script.operation) +
                                " that does not exist"};
  if (!canHappen(script.fault, script.operation))
    throw std::invalid_argument{quoted(script.operation) + " has no pages that could be empty"};
}

void Scripts::checkError(Script& script) const {
  const ErrorAnswer* answer = script.error.empty() ? nullptr : findError(errors_, script.error);
  if (answer == nullptr && !script.error.empty())
    throw std::invalid_argument{"a script names an error " + quoted(script.error) + " that does not exist"};
  const bool limited = answer != nullptr && answer->rateLimitedReason;
  if (!limited && script.rateLimitedReason)
    throw std::invalid_argument{"the scripted " + quoted(happening(script)) + " has no rate-limited reason"};
  if (limited && !script.rateLimitedReason) script.rateLimitedReason = defaultReason();
}

void Scripts::add(Script script) {
  checkNumbers(script);
  checkFault(script);
  checkOperation(script);
  checkError(script);
  scripts_.push_back(std::move(script));
}

Refusal Scripts::refusalOf(const Script& script, std::string_view object) const {
  const std::string reason = script.rateLimitedReason.value_or("");
  return {.answer = findError(errors_, script.error),
          .value = std::string{object},
          .detail = reason.empty() ? "injected fault" : reason,
          .words = "object",
          .rateLimitedReason = reason};
}

std::optional<ScriptedFault> Scripts::take(std::string_view operation, std::string_view object,
                                           Moment moment) {
  const auto found = std::ranges::find_if(scripts_, [&](const Script& script) {
    return matches(script, operation, object) && canHappen(script.fault, operation);
  });
  if (found == scripts_.end() || momentOf(*found) != moment) return std::nullopt;
  ScriptedFault fault{.kind = found->fault, .headers = found->headers, .latency = found->latency};
  if (!found->error.empty()) fault.answer = refusalOf(*found, object);
  if (found->fault == fake::Fault::errorAfterProcessing)
    fault.answer = Refusal{.answer = &errors::apiError, .detail = "injected fault"};
  if (found->answer) fault.answer = *found->answer;
  if (--found->times == 0) scripts_.erase(found);
  return fault;
}

std::string describe(const Script& script) {
  std::string text = script.operation.empty() ? "any operation" : script.operation;
  if (!script.object.empty()) text += " of " + script.object;
  return text + ": " + happening(script) + " (" + std::to_string(script.times) +
         (script.times == 1 ? " time left)" : " times left)");
}

}  // namespace tally::fake::detail

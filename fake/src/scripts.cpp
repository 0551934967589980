#include "scripts.h"

#include <algorithm>
#include <stdexcept>

#include <tally/rate_limited_reason.h>

namespace tally::fake::detail {

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

}  // namespace

const ErrorAnswer* Scripts::find(std::string_view error) const {
  const auto found =
      std::ranges::find(errors_, error, [](const ErrorAnswer* answer) { return answer->name; });
  return found == errors_.end() ? nullptr : *found;
}

void Scripts::add(Script script) {
  const ErrorAnswer* answer = find(script.error);
  if (answer == nullptr)
    throw std::invalid_argument{"a script names an error " + quoted(script.error) + " that does not exist"};
  if (!script.operation.empty() && std::ranges::find(operations_, script.operation, [](const Operation* o) {
                                     return o->name;
                                   }) == operations_.end())
    throw std::invalid_argument{"a script names an operation " + quoted(script.operation) +
                                " that does not exist"};
  if (script.times < 1) throw std::invalid_argument{"a script must happen at least once"};
  if (!answer->rateLimitedReason && !script.rateLimitedReason.empty())
    throw std::invalid_argument{"the error " + quoted(script.error) + " bears no rate-limited reason"};
  if (answer->rateLimitedReason && script.rateLimitedReason.empty())
    script.rateLimitedReason = defaultReason();
  scripts_.push_back(std::move(script));
}

Refusal Scripts::refusalOf(const Script& script, std::string_view object) const {
  const bool limited = !script.rateLimitedReason.empty();
  return {.answer = find(script.error),
          .value = std::string{object},
          .detail = limited ? script.rateLimitedReason : "as a script has it",
          .words = "object",
          .rateLimitedReason = script.rateLimitedReason};
}

Fault Scripts::take(std::string_view operation, std::string_view object) {
  const auto found = std::ranges::find_if(
      scripts_, [&](const Script& script) { return matches(script, operation, object); });
  if (found == scripts_.end()) return std::nullopt;
  Refusal refusal = refusalOf(*found, object);
  if (--found->times == 0) scripts_.erase(found);
  return refusal;
}

}  // namespace tally::fake::detail

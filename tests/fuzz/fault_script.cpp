// A fault script that is read and written is read as the same script, and plays, or is refused, whether it is
// the first one or not. Only what Boost.JSON parses is read.
#include <optional>
#include <stdexcept>
#include <string>

#include <tally/fake/fault_script.h>
#include <tally/fake/service.h>

#include "fuzz.h"

namespace tally::fuzz {

namespace {

using fake::FaultScript;

/// Nothing if the script is refused.
std::optional<FaultScript> scriptIn(std::string_view text) {
  try {
    return FaultScript::parse(text);
  } catch (const std::invalid_argument& problem) {
    require(*problem.what() != '\0', "a problem has a description");
    return std::nullopt;
  }
}

std::optional<std::uint64_t> play(fake::Service& service, const FaultScript& script) {
  try {
    return service.faults().play(script);
  } catch (const std::invalid_argument& problem) {
    require(*problem.what() != '\0', "a problem has a description");
    return std::nullopt;
  }
}

fake::Service& service() {
  static fake::Service one;
  static const std::string key = one.addAccount().sandboxKey;
  return one;
}

void checkPlayed(const FaultScript& script) {
  const auto first = play(service(), script);
  if (!first) return require(service().faults().scripts().empty(), "a script that is refused plays nothing");
  require(!service().faults().scripts().front().parts.empty(), "a script that plays has parts");
  (void)service().handle({.url = "/v1/payment_records"});
  require(play(service(), script).has_value(), "a script can play twice");
  service().faults().clear();
  require(service().faults().list().empty() && service().faults().scripts().empty(),
          "nothing is left of scripts that were ended");
}

}  // namespace

void test(std::string_view input) {
  const auto script = scriptIn(input);
  if (!script) return;
  require(parsedJson(input).has_value(), "a script is JSON");
  const std::string text = script->toJson();
  require(parsedJson(text).has_value(), "a written script is JSON");
  const auto again = scriptIn(text);
  require(again.has_value(), "a written script is read");
  require(again->toJson() == text, "a written script is read as the same");
  require(again->steps.size() == script->steps.size(), "a written script has as many steps");
  checkPlayed(*script);
}

}  // namespace tally::fuzz

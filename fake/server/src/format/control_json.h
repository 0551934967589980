#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include <tally/fake/service.h>

#include <boost/json/value.hpp>

#include "format/json_array.h"
#include "format/members.h"
#include "format/rule_json.h"

namespace tally::fake::detail {

// Conversions between the JSON of the control API and of scenarios, and the types of a Service. Readers throw
// BadInput.

[[nodiscard]] RequestPattern readPattern(JsonInput& input);

/// Such as `limited`. Throws BadInput if there is none with that name.
[[nodiscard]] RequestOutcome outcomeNamed(std::string_view name);
/// `exactly`, `at_least` and `at_most`.
[[nodiscard]] Count readExpectedCount(JsonInput& input);

/// The duration of requests for one operation.
struct DurationSetting {
  std::string operation{};
  std::chrono::nanoseconds duration{0};
};
void members(Members& m, DurationSetting& setting);

[[nodiscard]] boost::json::value toJson(const Account& account);
[[nodiscard]] boost::json::value toJson(const InjectedFault& fault);
[[nodiscard]] boost::json::value toJson(const ScriptPart& part);
[[nodiscard]] boost::json::value toJson(const PlayedScript& script);
/// Its name and its description.
[[nodiscard]] boost::json::value toJson(const FaultScript& script);
[[nodiscard]] boost::json::value toJson(const LimitUsage& usage);
[[nodiscard]] boost::json::value toJson(const LimitHistory& history);
[[nodiscard]] boost::json::object toJson(const RequestSummary& summary);
[[nodiscard]] boost::json::value toJson(const AllocationForecast& forecast);
/// Without the object itself.
[[nodiscard]] boost::json::object toJson(const StoredObject& object);
[[nodiscard]] boost::json::value toJson(const ObjectCount& count);
[[nodiscard]] boost::json::value toJson(std::uint64_t number, const HeldThing& held);
[[nodiscard]] boost::json::value toJson(const LoggedRequest& request);
[[nodiscard]] boost::json::value toJson(const Difference& difference);
[[nodiscard]] boost::json::value toJson(const NearMiss& miss);
[[nodiscard]] boost::json::value toJson(const Verification& verification);

template <class Elements>
[[nodiscard]] boost::json::array allToJson(const Elements& elements) {
  return arrayOf(elements, [](const auto& element) { return toJson(element); });
}

}  // namespace tally::fake::detail

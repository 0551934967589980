#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include <tally/fake/service.h>

#include <boost/json/array.hpp>
#include <boost/json/value.hpp>

#include "format/members.h"
#include "format/time_text.h"

namespace tally::fake::detail {

// Conversions between the JSON of the control API and of scenarios, and the types of a Service. Readers throw
// BadInput.

void members(Members& m, FaultRule& rule);
void members(Members& m, LimitOverride& setting);

[[nodiscard]] FaultRule readFaultRule(JsonInput& input);
[[nodiscard]] RequestPattern readPattern(JsonInput& input);
/// `exactly`, `at_least` and `at_most`.
[[nodiscard]] Count readExpectedCount(JsonInput& input);
[[nodiscard]] LimitOverride readLimit(JsonInput& input);

/// The duration of requests for one operation.
struct DurationSetting {
  std::string operation{};
  std::chrono::milliseconds duration{0};
};
[[nodiscard]] DurationSetting readDuration(JsonInput& input);

[[nodiscard]] boost::json::value toJson(const Account& account);
[[nodiscard]] boost::json::value toJson(const InjectedFault& fault);
[[nodiscard]] boost::json::value toJson(const LimitUsage& usage);
[[nodiscard]] boost::json::value toJson(const AllocationForecast& forecast);
/// Without the object itself.
[[nodiscard]] boost::json::object toJson(const StoredObject& object);
[[nodiscard]] boost::json::value toJson(const ObjectCount& count);
[[nodiscard]] boost::json::value toJson(std::uint64_t number, const HeldThing& held);
[[nodiscard]] boost::json::value toJson(const LoggedRequest& request);
[[nodiscard]] boost::json::value toJson(const Verification& verification);

template <class Elements>
[[nodiscard]] boost::json::array allToJson(const Elements& elements) {
  boost::json::array all;
  for (const auto& element : elements)
    all.push_back(toJson(element));
  return all;
}

}  // namespace tally::fake::detail

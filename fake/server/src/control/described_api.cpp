#include "control/described_api.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <boost/json/object.hpp>

#include "format/json_array.h"
#include "tables/description.h"

namespace tally::fake::detail {

namespace json = boost::json;

namespace {

json::array namesOf(const StateMachine& machine, std::uint32_t states) {
  json::array names;
  for (std::size_t i = 0; i < machine.states.size(); ++i)
    if ((states >> i & 1U) != 0) names.emplace_back(machine.states[i]);
  return names;
}

json::value machineToJson(const Resource& resource) {
  const StateMachine& machine = *resource.machine;
  const auto transitionToJson = [&](const auto& transition) -> json::value {
    return {{"operation", transition.trigger->name},
            {"from", namesOf(machine, transition.before)},
            {"to", machine.states[transition.after]}};
  };
  const auto refusalToJson = [&](const auto& refusal) -> json::value {
    return {{"operation", refusal.trigger->name},
            {"from", namesOf(machine, refusal.before)},
            {"error", refusal.error}};
  };
  return {{"resource", resource.name},
          {"states", json::array(machine.states.begin(), machine.states.end())},
          {"initial", machine.states[machine.initial]},
          {"transitions", arrayOf(machine.transitions, transitionToJson)},
          {"refusals", arrayOf(machine.refusals, refusalToJson)}};
}

json::value nameOfResource(const ResourceRules* rules) {
  return json::value(rules->resource->name);
}

json::value operationToJson(const AnyOperation* operation) {
  return {{"name", operation->name},
          {"method", toString(operation->method)},
          {"path", operation->path},
          {"resource", operation->resource->name}};
}

json::value errorToJson(const ErrorResponse* error) {
  return {{"name", error->name}, {"status", error->status}};
}

json::value limitToJson(const Limit* limit) {
  constexpr auto scopes = std::to_array<std::string_view>({"account", "operation", "object"});
  constexpr auto metrics = std::to_array<std::string_view>({"requests", "changes", "in_progress"});
  return {{"name", limit->name},
          {"metric", metrics.at(static_cast<std::size_t>(limit->metric))},
          {"scope", scopes.at(static_cast<std::size_t>(limit->scope))},
          {"window_seconds", limit->window.count()}};
}

}  // namespace

json::value describeStateMachines() {
  json::array machines;
  for (const ResourceRules* rules : Description{}.resources)
    if (rules->resource->machine != nullptr) machines.push_back(machineToJson(*rules->resource));
  return {{"state_machines", std::move(machines)}};
}

json::value describeApi() {
  const Description description;
  return {{"resources", arrayOf(description.resources, nameOfResource)},
          {"operations", arrayOf(description.operations, operationToJson)},
          {"errors", arrayOf(description.errors, errorToJson)},
          {"limits", arrayOf(description.limits, limitToJson)}};
}

}  // namespace tally::fake::detail

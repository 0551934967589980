#include "control/described_api.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

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
  json::array transitions;
  for (const auto& transition : machine.transitions)
    transitions.push_back({{"operation", transition.trigger->name},
                           {"from", namesOf(machine, transition.before)},
                           {"to", machine.states[transition.after]}});
  json::array refusals;
  for (const auto& refusal : machine.refusals)
    refusals.push_back({{"operation", refusal.trigger->name},
                        {"from", namesOf(machine, refusal.before)},
                        {"error", refusal.error}});
  return {{"resource", resource.name},
          {"states", json::array(machine.states.begin(), machine.states.end())},
          {"initial", machine.states[machine.initial]},
          {"transitions", std::move(transitions)},
          {"refusals", std::move(refusals)}};
}

json::value operationToJson(const AnyOperation& operation) {
  return {{"name", operation.name},
          {"method", toString(operation.method)},
          {"path", operation.path},
          {"resource", operation.resource->name}};
}

json::value limitToJson(const Limit& limit) {
  constexpr auto scopes = std::to_array<std::string_view>({"account", "operation", "object"});
  constexpr auto metrics = std::to_array<std::string_view>({"requests", "changes", "in_progress"});
  return {{"name", limit.name},
          {"metric", metrics.at(static_cast<std::size_t>(limit.metric))},
          {"scope", scopes.at(static_cast<std::size_t>(limit.scope))},
          {"window_seconds", limit.window.count()}};
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
  json::array resources;
  for (const ResourceRules* rules : description.resources)
    resources.emplace_back(rules->resource->name);
  json::array rows;
  for (const AnyOperation* operation : description.operations)
    rows.push_back(operationToJson(*operation));
  json::array responses;
  for (const ErrorResponse* error : description.errors)
    responses.push_back({{"name", error->name}, {"status", error->status}});
  json::array limited;
  for (const Limit* limit : description.limits)
    limited.push_back(limitToJson(*limit));
  return {{"resources", std::move(resources)},
          {"operations", std::move(rows)},
          {"errors", std::move(responses)},
          {"limits", std::move(limited)}};
}

}  // namespace tally::fake::detail

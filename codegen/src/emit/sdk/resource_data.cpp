#include "emit/sdk/resource_data.h"

#include <algorithm>
#include <map>
#include <string>

#include "emit/sdk/cpp_types.h"
#include "emit/sdk/search_fields.h"
#include "emit/sdk/unit_data.h"
#include "emit/text/docs_text.h"
#include "model/named.h"
#include "model/names.h"

namespace tally::codegen::emit {

namespace {

using model::Operation;

Data paramsData(const model::Description& description, const Operation& operation) {
  if (operation.params == nullptr) return Data{false};
  Data data = structData(description, *operation.params);
  data.set("optional", !operation.needsParams());
  return data;
}

std::string bodyName(model::Body body) {
  return body == model::Body::none ? "" : body == model::Body::form ? "form" : "json";
}

Data operationData(const model::Description& description, const Operation& operation) {
  return object({{"doc", comment(description, operation.summary, operation.provenance)},
                 {"summary", operation.summary},
                 {"wireName", literal(operation.name)},
                 {"constant", operation.cppName},
                 {"method", operation.method},
                 {"kind", model::nameOf(model::operationKinds, operation.kind)},
                 {"verb", operation.post ? "post" : "get"},
                 {"path", literal(operation.path)},
                 {"body", bodyName(operation.body)},
                 {"pages", operation.pages()},
                 {"searches", operation.kind == model::OperationKind::search},
                 {"hasId", operation.hasId()},
                 {"params", paramsData(description, operation)}});
}

/// What the methods need that determine whether a report was applied.
Data checkData(const model::Resource& resource) {
  if (!resource.checksReports()) return Data{false};
  return object({{"owner", resource.machine.of},
                 {"ownerType", cppType(resource.model->find(resource.machine.of)->type)},
                 {"type", resource.reportType()},
                 {"basic", model::basicName(resource.reportType())}});
}

Data stateData(const model::State& state) {
  return object({{"name", state.cppName},
                 {"text", literal(state.name)},
                 {"table", "shownIn" + model::pascalCase(state.name)},
                 {"shown", !state.shows.empty()},
                 {"shows", assignmentsData(state.shows)}});
}

/// The names of the tables of effects. Two transitions may have the same trigger.
class EffectNames {
 public:
  std::string next(const model::Transition& transition) {
    const int count = ++counts_[transition.trigger];
    return "effects" + (count > 1 ? std::to_string(count) : "") + "Of" +
           model::pascalCase(transition.trigger->method);
  }

 private:
  std::map<const Operation*, int> counts_{};
};

Data transitionData(const model::StateMachine& machine, const model::Transition& transition,
                    const std::string& table) {
  return object({{"trigger", transition.trigger->cppName},
                 {"before", listOf(transition.before,
                                   [&](std::size_t state) {
                                     return object({{"state", machine.states[state].cppName}});
                                   })},
                 {"after", machine.states[transition.after].cppName},
                 {"refusal", transition.refusal != nullptr ? literal(transition.refusal->name) : ""},
                 {"table", table},
                 {"changing", !transition.effects.empty()},
                 {"effects", assignmentsData(transition.effects)}});
}

Data machineData(const model::Resource& resource) {
  const model::StateMachine& machine = resource.machine;
  if (machine.states.empty()) return Data{false};
  EffectNames names;
  const auto refuses = [](const model::Transition& transition) { return transition.refusal != nullptr; };
  const Operation* retrieval = resource.retrieval();
  return object({{"scope", resource.states},
                 {"of", literal(machine.of)},
                 {"retrieve", retrieval != nullptr ? retrieval->cppName : ""},
                 {"initial", machine.states[machine.initial].cppName},
                 {"states", listOf(machine.states, stateData)},
                 {"changes", !std::ranges::all_of(machine.transitions, refuses)},
                 {"refuses", std::ranges::any_of(machine.transitions, refuses)},
                 {"transitions", listOf(machine.transitions, [&](const model::Transition& transition) {
                    return transitionData(machine, transition, names.next(transition));
                  })}});
}

}  // namespace

Data assignmentsData(const std::vector<model::Assignment>& assignments) {
  return listOf(assignments, [](const model::Assignment& assignment) {
    return object({{"target", literal(assignment.target)},
                   {"source", literal(assignment.source)},
                   {"constant", literal(assignment.constant)}});
  });
}

Data resourceData(const model::Description& description, const model::Resource& resource) {
  const auto operations = [&](const Operation* operation) { return operationData(description, *operation); };
  return object({{"stem", resource.unit->stem},
                 {"model", resource.model->cppName},
                 {"service", resource.service},
                 {"asyncService", resource.asyncService()},
                 {"accessor", resource.accessor},
                 {"about", resource.description},
                 {"spoken", spoken(resource.tag->name)},
                 {"resourceConstant", resource.cppName},
                 {"resourceName", literal(resource.tag->name)},
                 {"plural", literal(resource.plural)},
                 {"idPrefix", literal(resource.tag->idPrefix)},
                 {"outsideReadAllocation", resource.outsideReadAllocation},
                 {"operations", listOf(resource.operations, operations)},
                 {"paging", resource.pages()},
                 {"reporting", !resource.reports().empty()},
                 {"reports", listOf(resource.reports(), operations)},
                 {"check", checkData(resource)},
                 {"searchFields", searchFieldsData(resource)},
                 {"machine", machineData(resource)}});
}

}  // namespace tally::codegen::emit

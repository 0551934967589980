#include "rules.h"

#include "../model/names.h"
#include "cpp_types.h"
#include "machines.h"

namespace tally::codegen::emit {

namespace {

Lines quotedRows(const std::vector<std::string>& texts) {
  Lines lines;
  for (const std::string& text : texts)
    lines.push_back("    " + literal(text) + ',');
  return lines;
}

/// The name of the array of a transition's effects. Two transitions may have the same trigger.
std::string effectsName(const model::Machine& machine, std::size_t index) {
  const model::Operation* trigger = machine.transitions[index].trigger;
  std::size_t before = 0;
  for (std::size_t i = 0; i < index; ++i)
    if (machine.transitions[i].trigger == trigger) ++before;
  return trigger->method + "Effects" + (before > 0 ? std::to_string(before + 1) : "");
}

Lines linesOf(const model::Machine& machine, std::size_t index) {
  const model::Transition& transition = machine.transitions[index];
  Lines lines = transitionLines(machine, transition, "tally::detail::");
  if (transition.refusal != nullptr) {
    lines.push_back(assignment(8, ".refusal", {"&errors::" + transition.refusal->cppName}, ","));
    return lines;
  }
  lines.push_back(assignment(8, ".after", {machine.states[transition.after].cppName}, ","));
  if (!transition.effects.empty())
    lines.push_back(assignment(8, ".effects", {effectsName(machine, index)}, ","));
  return lines;
}

Data effects(const model::Machine& machine) {
  Data list{Data::type::list};
  for (std::size_t i = 0; i < machine.transitions.size(); ++i) {
    if (machine.transitions[i].effects.empty()) continue;
    Data data;
    data.set("name", effectsName(machine, i));
    data.set("rows", listOf(assignmentRows(machine.transitions[i].effects)));
    list << data;
  }
  return list;
}

Data transitions(const model::Machine& machine) {
  Data list{Data::type::list};
  for (std::size_t i = 0; i < machine.transitions.size(); ++i) {
    Data data;
    data.set("lines", listOf(linesOf(machine, i)));
    list << data;
  }
  return list;
}

Data statesData(const model::Machine& machine) {
  if (machine.states.empty()) return Data{false};
  std::vector<Remarked> names;
  for (const model::State& state : machine.states) {
    names.push_back({literal(state.name) + ',', state.cppName});
  }
  Data data;
  data.set("names", listOf(annotated(4, names)));
  data.set("enumerators", listOf(stateEnumerators(machine)));
  data.set("initial", machine.states[machine.initial].cppName);
  setShows(data, machine);
  data.set("effects", effects(machine));
  data.set("transitions", transitions(machine));
  return data;
}

/// A named array, or false if it would be empty.
Data table(const std::string& name, const Lines& lines) {
  if (lines.empty()) return Data{false};
  Data data;
  data.set("name", name);
  data.set("rows", listOf(lines));
  return data;
}

Lines includes(const model::Resource& resource) {
  Includes includes;
  if (!resource.machine.states.empty()) includes.standard("cstdint");
  if (!resource.machine.transitions.empty()) includes.own("errors.h");
  if (!resource.machine.states.empty()) includes.standard("span");
  includes.standard("string_view");
  includes.own("operations.h");
  includes.own("tables/rules.h");
  return includes.lines();
}

}  // namespace

std::string rulesConstant(const model::Resource& resource) {
  return model::camelCase(resource.tag->name) + "Rules";
}

Data rulesData(const model::Description& description, const model::Resource& resource) {
  Data data;
  data.set("version", description.version);
  data.set("includes", listOf(includes(resource)));
  data.set("constant", rulesConstant(resource));
  data.set("resource", resource.cppName);
  data.set("machine", statesData(resource.machine));
  data.set("onCreate", table("onCreate", assignmentRows(resource.machine.onCreate)));
  data.set("freshIds", table("freshIds", quotedRows(resource.freshIds)));
  data.set("searchable", table("searchable", quotedRows(resource.searchable)));
  data.set("isTransaction", resource.isTransaction);
  data.set("isAccount", resource.isAccount);
  data.set("example", resource.example);
  return data;
}

}  // namespace tally::codegen::emit

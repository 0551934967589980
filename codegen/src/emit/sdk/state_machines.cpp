#include "emit/sdk/state_machines.h"

#include "model/names.h"

namespace tally::codegen::emit {

namespace {

std::string row(const model::Assignment& assignment) {
  Expression result{"{", {{".target = " + literal(assignment.target)}}, "}"};
  if (!assignment.source.empty()) result.arguments.push_back({".source = " + literal(assignment.source)});
  if (!assignment.constant.empty())
    result.arguments.push_back({".constant = " + literal(assignment.constant)});
  return fit(4, "", result, ",");
}

/// Distinguishes the tables of several resources in one file of a batch.
std::string scopeOf(const model::Resource& resource) {
  return model::camelCase(resource.tag->name) + "States";
}

Lines enumerators(const model::StateMachine& machine) {
  Lines lines;
  for (const model::State& state : machine.states)
    lines.push_back("  " + state.cppName + ',');
  return lines;
}

Lines names(const model::StateMachine& machine) {
  std::vector<Remarked> lines;
  for (const model::State& state : machine.states)
    lines.push_back({literal(state.name) + ',', state.cppName});
  return annotated(4, lines);
}

std::string marksName(const model::State& state) {
  return model::camelCase(state.name) + "Shows";
}

Data marks(const model::StateMachine& machine) {
  Data list{Data::type::list};
  for (const model::State& state : machine.states)
    if (!state.shows.empty()) list << table(marksName(state), assignmentRows(state.shows));
  return list;
}

Lines marksOfStates(const model::StateMachine& machine) {
  std::vector<Remarked> lines;
  for (const model::State& state : machine.states)
    lines.push_back({(state.shows.empty() ? "{}" : marksName(state)) + ',', state.cppName});
  return annotated(4, lines);
}

/// The name of the array of a transition's effects. Two transitions may have the same trigger.
std::string effectsName(const model::StateMachine& machine, std::size_t index) {
  const model::Operation* trigger = machine.transitions[index].trigger;
  std::size_t before = 0;
  for (std::size_t i = 0; i < index; ++i)
    if (machine.transitions[i].trigger == trigger) ++before;
  return trigger->method + "Effects" + (before > 0 ? std::to_string(before + 1) : "");
}

Data effects(const model::StateMachine& machine) {
  Data list{Data::type::list};
  for (std::size_t i = 0; i < machine.transitions.size(); ++i) {
    const auto& assignments = machine.transitions[i].effects;
    if (!assignments.empty()) list << table(effectsName(machine, i), assignmentRows(assignments));
  }
  return list;
}

/// What transitions and refusals have in common: the trigger and the states before.
Lines triggerLines(const model::StateMachine& machine, const model::Transition& transition) {
  Lines bits;
  for (const std::size_t state : transition.before)
    bits.push_back("1U << " + machine.states[state].cppName);
  return {assignment(8, ".trigger", {'&' + transition.trigger->cppName}, ","),
          sumAssignment(8, ".before", bits, ",")};
}

Lines transitionLines(const model::StateMachine& machine, std::size_t index) {
  const model::Transition& transition = machine.transitions[index];
  Lines lines = triggerLines(machine, transition);
  lines.push_back(assignment(8, ".after", {machine.states[transition.after].cppName}, ","));
  if (!transition.effects.empty())
    lines.push_back(assignment(8, ".effects", {effectsName(machine, index)}, ","));
  return lines;
}

Lines refusalLines(const model::StateMachine& machine, const model::Transition& refusal) {
  Lines lines = triggerLines(machine, refusal);
  lines.push_back(textAssignment(8, ".error", refusal.refusal->name, ","));
  return lines;
}

/// An element of an array that has a line for each of its members.
void addElement(Lines& rows, const Lines& members) {
  rows.emplace_back("    {");
  rows.insert(rows.end(), members.begin(), members.end());
  rows.emplace_back("    },");
}

Lines transitionRows(const model::StateMachine& machine) {
  Lines rows;
  for (std::size_t i = 0; i < machine.transitions.size(); ++i)
    if (machine.transitions[i].refusal == nullptr) addElement(rows, transitionLines(machine, i));
  return rows;
}

Lines refusalRows(const model::StateMachine& machine) {
  Lines rows;
  for (const model::Transition& transition : machine.transitions)
    if (transition.refusal != nullptr) addElement(rows, refusalLines(machine, transition));
  return rows;
}

Lines memberLines(const model::Resource& resource) {
  const model::StateMachine& machine = resource.machine;
  Lines lines{textAssignment(4, ".of", machine.of, ",")};
  const auto add = [&](const std::string& member, const std::string& value) {
    lines.push_back(assignment(4, member, {value}, ","));
  };
  if (const auto* retrieval = resource.retrieval()) add(".retrieve", '&' + retrieval->cppName);
  add(".states", "states");
  add(".initial", machine.states[machine.initial].cppName);
  add(".shows", "shows");
  if (!transitionRows(machine).empty()) add(".transitions", "transitions");
  if (!refusalRows(machine).empty()) add(".refusals", "refusals");
  return lines;
}

}  // namespace

Lines assignmentRows(const std::vector<model::Assignment>& assignments) {
  Lines lines;
  for (const model::Assignment& assignment : assignments)
    lines.push_back(row(assignment));
  return lines;
}

Data table(const std::string& name, const Lines& rows) {
  if (rows.empty()) return Data{false};
  Data data;
  data.set("name", name);
  data.set("rows", listOf(rows));
  return data;
}

Data stateMachineData(const model::Resource& resource) {
  const model::StateMachine& machine = resource.machine;
  if (machine.states.empty()) return Data{false};
  Data data;
  data.set("scope", scopeOf(resource));
  data.set("enumerators", listOf(enumerators(machine)));
  data.set("names", listOf(names(machine)));
  data.set("marks", marks(machine));
  data.set("shows", listOf(marksOfStates(machine)));
  data.set("effects", effects(machine));
  data.set("transitions", table("transitions", transitionRows(machine)));
  data.set("refusals", table("refusals", refusalRows(machine)));
  data.set("lines", listOf(memberLines(resource)));
  return data;
}

std::string stateMachineConstant(const model::Resource& resource) {
  return scopeOf(resource) + "::machine";
}

}  // namespace tally::codegen::emit

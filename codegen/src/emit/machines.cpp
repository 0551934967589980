#include "machines.h"

#include "../model/names.h"

namespace tally::codegen::emit {

namespace {

std::string row(const model::Assignment& assignment) {
  Expression result{"{", {{".target = " + literal(assignment.target)}}, "}"};
  if (!assignment.source.empty()) result.arguments.push_back({".source = " + literal(assignment.source)});
  if (!assignment.constant.empty())
    result.arguments.push_back({".constant = " + literal(assignment.constant)});
  return fit(4, "", result, ",");
}

Lines states(const model::Machine& machine, const model::Transition& transition) {
  Lines bits;
  for (const std::size_t state : transition.before)
    bits.push_back("1U << " + machine.states[state].cppName);
  return bits;
}

std::string marksName(const model::State& state) {
  return model::camelCase(state.name) + "Shows";
}

Data marks(const model::Machine& machine) {
  Data list{Data::type::list};
  for (const model::State& state : machine.states) {
    if (state.shows.empty()) continue;  // an array can't be empty
    Data data;
    data.set("name", marksName(state));
    data.set("rows", listOf(assignmentRows(state.shows)));
    list << data;
  }
  return list;
}

Lines marksOfStates(const model::Machine& machine) {
  std::vector<Remarked> lines;
  for (const model::State& state : machine.states)
    lines.push_back({(state.shows.empty() ? "{}" : marksName(state)) + ',', state.cppName});
  return annotated(4, lines);
}

Data transitionRows(const model::Machine& machine) {
  Data list{Data::type::list};
  for (const model::Transition& transition : machine.transitions) {
    if (transition.refusal != nullptr) continue;
    Lines lines = transitionLines(machine, transition, "");
    lines.push_back(assignment(8, ".after", {machine.states[transition.after].cppName}, ","));
    Data data;
    data.set("lines", listOf(lines));
    list << data;
  }
  return list;
}

}  // namespace

Lines assignmentRows(const std::vector<model::Assignment>& assignments) {
  Lines lines;
  for (const model::Assignment& assignment : assignments)
    lines.push_back(row(assignment));
  return lines;
}

Lines stateEnumerators(const model::Machine& machine) {
  Lines lines;
  for (const model::State& state : machine.states)
    lines.push_back("  " + state.cppName + ',');
  return lines;
}

Lines transitionLines(const model::Machine& machine, const model::Transition& transition,
                      const std::string& scope) {
  return {assignment(8, ".trigger", {'&' + scope + transition.trigger->cppName}, ","),
          sumAssignment(8, ".before", states(machine, transition), ",")};
}

void setShows(Data& data, const model::Machine& machine) {
  data.set("marks", marks(machine));
  data.set("shows", listOf(marksOfStates(machine)));
}

Data machineData(const model::Resource& resource) {
  if (!resource.tellsFates()) return Data{false};
  const model::Machine& machine = resource.machine;
  Data data;
  data.set("enumerators", listOf(stateEnumerators(machine)));
  setShows(data, machine);
  data.set("transitions", transitionRows(machine));
  data.set("lines", listOf({
                        textAssignment(4, ".of", machine.of, ","),
                        assignment(4, ".retrieve", {'&' + resource.retrieval()->cppName}, ","),
                        assignment(4, ".shows", {"shows"}, ","),
                        assignment(4, ".transitions", {"transitions"}, ","),
                    }));
  return data;
}

}  // namespace tally::codegen::emit

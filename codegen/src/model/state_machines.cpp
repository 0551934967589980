#include <algorithm>
#include <optional>
#include <utility>

#include <boost/json/serialize.hpp>

#include "model/build_steps.h"
#include "model/example.h"
#include "model/names.h"
#include "model/schema_facts.h"

namespace tally::codegen::model {

namespace {

constexpr std::size_t mostStates = 32;  // each is a bit of a word

std::size_t matches(const StateMachine& machine, const Operation* trigger, std::size_t state) {
  return static_cast<std::size_t>(
      std::count_if(machine.transitions.begin(), machine.transitions.end(), [&](const Transition& t) {
        return t.trigger == trigger && std::find(t.before.begin(), t.before.end(), state) != t.before.end();
      }));
}

/// The effects that all transitions to a state have in common; nothing if there are no such transitions.
std::optional<std::vector<Assignment>> commonEffects(const StateMachine& machine, std::size_t state) {
  std::optional<std::vector<Assignment>> common;
  for (const Transition& transition : machine.transitions) {
    if (transition.after != state) continue;
    if (!common) common = transition.effects;
    std::erase_if(*common, [&](const Assignment& effect) {
      return std::find(transition.effects.begin(), transition.effects.end(), effect) ==
             transition.effects.end();
    });
  }
  return common;
}

class StateMachines {
 public:
  StateMachines(const load::Documents& documents, const Description& description, Problems& problems)
      : documents_(documents), description_(description), problems_(problems) {}

  void build(Resource& resource, const Node& states) {
    StateMachine& machine = resource.machine;
    machine.of = states.text("of");
    checkOwner(*resource.model, states["of"]);
    addStates(*resource.model, machine, states["states"]);
    machine.initial = stateAt(machine, states["initial"]);
    machine.onCreate = assignments(*resource.model, states["on_create"]);
    states["transitions"].elements([&](const Node& node) { addTransition(resource, machine, node); });
    addMarks(machine, states["states"]);
    states["refusals"].elements([&](const Node& node) { addRefusal(resource, machine, node); });
    checkCover(resource, states);
  }

 private:
  /// Callers pass the owner of the states, so it has to be a string.
  void checkOwner(const Struct& model, const Node& of) {
    const Field* owner = model.find(of.text());
    if (owner == nullptr) {
      problems_.add(of, "unknown field " + inQuotes(of.text()), "name the field that the states belong to");
    } else if (owner->type.kind != Kind::id && owner->type.kind != Kind::string) {
      problems_.add(of, inQuotes(of.text()) + " is neither an identifier nor a string",
                    "name the field that identifies the owner of the states");
    }
  }

  void addStates(const Struct& model, StateMachine& machine, const Node& states) {
    states.members([&](const std::string& name, const Node& state) {
      const std::string cppName = "state" + pascalCase(name);
      checkName(name, cppName, state.place(), problems_);
      for (const State& other : machine.states)
        if (other.cppName == cppName)
          problems_.add(state, "two states map to " + inQuotes(cppName), "rename one of the two");
      machine.states.push_back({.name = name,
                                .cppName = cppName,
                                .shows = assignments(model, state["shows"]),
                                .description = state.text("description"),
                                .provenance = provenanceOf(documents_, state)});
    });
    if (machine.states.size() > mostStates)
      problems_.add(states, "more than 32 states", "merge some of them");
  }

  /// An object shows a state by the effects that all transitions to it have in common.
  void addMarks(StateMachine& machine, const Node& states) {
    if (!problems_.empty()) return;  // a transition may lead to the wrong state
    for (std::size_t i = 0; i < machine.states.size(); ++i) {
      const auto common = commonEffects(machine, i);
      if (!common) continue;
      State& state = machine.states[i];
      if (!state.shows.empty())
        problems_.add(states[state.name]["shows"], "a transition leads to this state",
                      "remove 'shows': the transitions to the state define what it shows");
      state.shows = *common;
    }
  }

  void addTransition(const Resource& resource, StateMachine& machine, const Node& node) {
    Transition transition = begin(resource, machine, node);
    transition.after = stateAt(machine, node["after"]);
    transition.effects = assignments(*resource.model, node["effects"]);
    machine.transitions.push_back(std::move(transition));
  }

  void addRefusal(const Resource& resource, StateMachine& machine, const Node& node) {
    Transition transition = begin(resource, machine, node);
    transition.refusal = errorAt(node["error"]);
    machine.transitions.push_back(std::move(transition));
  }

  Transition begin(const Resource& resource, const StateMachine& machine, const Node& node) {
    Transition transition{.trigger = triggerAt(resource, node["trigger"]),
                          .provenance = provenanceOf(documents_, node)};
    node["before"].elements([&](const Node& state) { transition.before.push_back(stateAt(machine, state)); });
    if (transition.before.empty())
      problems_.add(node["before"], "'before' is empty", "name the states in which this applies");
    return transition;
  }

  std::vector<Assignment> assignments(const Struct& model, const Node& list) {
    std::vector<Assignment> result;
    list.elements([&](const Node& node) {
      result.push_back(assignment(model, node));
      const std::string& target = result.back().target;
      if (std::ranges::count(result, target, &Assignment::target) > 1)
        problems_.add(node["set"], inQuotes(target) + " is set twice", "keep one of the assignments");
    });
    return result;
  }

  Assignment assignment(const Struct& model, const Node& node) {
    const std::string target = node.text("set");
    const Field* field = model.at(target);
    if (field == nullptr) {
      problems_.add(node["set"], "unknown field " + inQuotes(target), "name a field of " + model.name);
    } else if (target == "id" || field->type.kind == Kind::constant) {
      problems_.add(node["set"], inQuotes(target) + " never changes", "name another field");
    } else if (node.has("from") == node.has("to")) {
      problems_.add(node, "exactly one of 'from' and 'to' is required", "say where the value comes from");
    } else if (node.has("from")) {
      checkSource(*field, model, node["from"]);
    } else {
      checkConstant(node["to"], *field, problems_);
    }
    const Node to = node["to"];
    return {target, node.text("from"), to ? boost::json::serialize(to.value()) : std::string{}};
  }

  void checkSource(const Field& field, const Struct& model, const Node& from) {
    const Field* source = model.at(from.text());
    if (source == nullptr) {
      problems_.add(from, "unknown field " + inQuotes(from.text()), "name a field of " + model.name);
    } else if (source->type != field.type) {
      problems_.add(from, inQuotes(from.text()) + " differs in type from the field that it sets",
                    "name a field of the same type");
    } else if (field.required && !field.nullable && mayLack(model, from.text())) {
      problems_.add(from, inQuotes(from.text()) + " may be null or absent, unlike the field that it sets",
                    "name a required field");
    }
  }

  static bool mayLack(const Struct& model, const std::string& path) {
    for (std::size_t end = 0; end != std::string::npos;) {
      end = path.find('.', end + 1);
      const Field& field = *model.at(path.substr(0, end));
      if (!field.required || field.nullable) return true;
    }
    return false;
  }

  std::size_t stateAt(const StateMachine& machine, const Node& name) {
    const auto found = std::ranges::find(machine.states, name.text(), &State::name);
    if (found != machine.states.end()) return static_cast<std::size_t>(found - machine.states.begin());
    problems_.add(name, "unknown state " + inQuotes(name.text()), "name one of the states, or add it");
    return 0;
  }

  const Operation* triggerAt(const Resource& resource, const Node& name) {
    for (const Operation* operation : resource.operations)
      if (operation->name == name.text() && operation->kind == OperationKind::report) return operation;
    problems_.add(name, "unknown report operation " + inQuotes(name.text()),
                  "use the operationId of a report on this resource");
    return nullptr;
  }

  const ErrorResponse* errorAt(const Node& name) {
    for (const ErrorResponse& error : description_.errors)
      if (error.name == name.text()) return &error;
    problems_.add(name, "unknown error " + inQuotes(name.text()), "name a key of x-errors, or add it there");
    return nullptr;
  }

  void checkCover(const Resource& resource, const Node& states) {
    if (!problems_.empty()) return;  // a wrong state or trigger would be reported twice
    const StateMachine& machine = resource.machine;
    for (const Operation* trigger : resource.operations) {
      for (std::size_t i = 0; trigger->kind == OperationKind::report && i < machine.states.size(); ++i) {
        const std::size_t count = matches(machine, trigger, i);
        if (count == 1) continue;
        problems_.add(states,
                      (count == 0 ? "no rule for " : "more than one rule for ") + inQuotes(trigger->name) +
                          " in the state " + inQuotes(machine.states[i].name),
                      "cover it with exactly one transition or refusal");
      }
    }
  }

  const load::Documents& documents_;
  const Description& description_;
  Problems& problems_;
};

}  // namespace

void buildStateMachine(const load::Documents& documents, Resource& resource, const Node& states,
                       const Description& description, Problems& problems) {
  StateMachines{documents, description, problems}.build(resource, states);
}

}  // namespace tally::codegen::model

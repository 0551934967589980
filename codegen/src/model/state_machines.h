#pragma once

#include "load/references.h"
#include "model/description.h"

namespace tally::codegen::model {

/// Builds the state machine of a resource from its x-states.
class StateMachines {
 public:
  StateMachines(const load::Documents& documents, const Description& description, Problems& problems)
      : documents_(documents), description_(description), problems_(problems) {}

  /// Fills `resource.machine`. The model and the operations of the resource must be complete.
  void build(Resource& resource, const load::Node& states);

 private:
  void checkOwner(const Struct& model, const load::Node& of);
  void addStates(const Struct& model, StateMachine& machine, const load::Node& states);
  void addMarks(StateMachine& machine, const load::Node& states);
  void addTransition(const Resource& resource, StateMachine& machine, const load::Node& node);
  void addRefusal(const Resource& resource, StateMachine& machine, const load::Node& node);
  Transition begin(const Resource& resource, const StateMachine& machine, const load::Node& node);
  std::vector<Assignment> assignments(const Struct& model, const load::Node& list);
  Assignment assignment(const Struct& model, const load::Node& node);
  void checkConstant(const Field& field, const load::Node& to);
  void checkSource(const Field& field, const Struct& model, const load::Node& from);
  std::size_t stateAt(const StateMachine& machine, const load::Node& name);
  const Operation* triggerAt(const Resource& resource, const load::Node& name);
  const ErrorResponse* errorAt(const load::Node& name);
  void checkCover(const Resource& resource, const load::Node& states);

  const load::Documents& documents_;
  const Description& description_;
  Problems& problems_;
};

}  // namespace tally::codegen::model

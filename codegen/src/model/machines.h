#pragma once

#include "../load/document.h"
#include "description.h"

namespace tally::codegen::model {

/// Builds the state machine of a resource from its x-states.
class Machines {
 public:
  Machines(const Description& description, Problems& problems)
      : description_(description), problems_(problems) {}

  /// Fills `resource.machine`. The model and the operations of the resource must be complete.
  void build(Resource& resource, const load::Node& states);

 private:
  void checkOwner(const Struct& model, const load::Node& of);
  void addStates(const Struct& model, Machine& machine, const load::Node& states);
  void addMarks(Machine& machine, const load::Node& states);
  void addTransition(const Resource& resource, Machine& machine, const load::Node& node);
  void addRefusal(const Resource& resource, Machine& machine, const load::Node& node);
  Transition begin(const Resource& resource, const Machine& machine, const load::Node& node);
  std::vector<Assignment> assignments(const Struct& model, const load::Node& list);
  Assignment assignment(const Struct& model, const load::Node& node);
  void checkConstant(const Field& field, const load::Node& to);
  void checkSource(const Field& field, const Struct& model, const load::Node& from);
  std::size_t stateAt(const Machine& machine, const load::Node& name);
  const Operation* triggerAt(const Resource& resource, const load::Node& name);
  const ErrorResponse* errorAt(const load::Node& name);
  void checkCover(const Resource& resource, const load::Node& states);

  const Description& description_;
  Problems& problems_;
};

}  // namespace tally::codegen::model

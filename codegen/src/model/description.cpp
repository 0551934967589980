#include "model/description.h"

#include <algorithm>
#include <iterator>

namespace tally::codegen::model {

const Field* Struct::find(const std::string& field) const {
  const auto found =
      std::find_if(fields.begin(), fields.end(), [&](const Field& f) { return f.name == field; });
  return found == fields.end() ? nullptr : &*found;
}

std::string basicName(const std::string& cppName) {
  return "Basic" + cppName;
}

bool StateMachine::showsStates() const {
  return !states.empty() &&
         std::none_of(states.begin(), states.end(), [](const State& state) { return state.shows.empty(); });
}

const Operation* Resource::retrieval() const {
  const auto found = std::find_if(operations.begin(), operations.end(), [](const Operation* operation) {
    return operation->kind == OperationKind::retrieve;
  });
  return found == operations.end() ? nullptr : *found;
}

bool Resource::pages() const {
  return std::any_of(operations.begin(), operations.end(),
                     [](const Operation* operation) { return operation->pages(); });
}

std::vector<const Operation*> Resource::reports() const {
  std::vector<const Operation*> found;
  std::copy_if(operations.begin(), operations.end(), std::back_inserter(found),
               [](const Operation* operation) { return operation->kind == OperationKind::report; });
  return found;
}

}  // namespace tally::codegen::model

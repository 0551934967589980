#include "model/description.h"

#include <algorithm>

#include "model/names.h"

namespace tally::codegen::model {

const Field* Struct::find(std::string_view field) const {
  const auto found = std::ranges::find(fields, field, &Field::name);
  return found == fields.end() ? nullptr : &*found;
}

const Field* Struct::at(std::string_view path) const {
  const std::size_t dot = std::min(path.find('.'), path.size());
  const Field* field = find(path.substr(0, dot));
  if (field == nullptr || dot == path.size()) return field;
  return field->type.object == nullptr ? nullptr : field->type.object->at(path.substr(dot + 1));
}

std::string basicName(const std::string& cppName) {
  return "Basic" + cppName;
}

std::string searchGroupType(const std::string& path) {
  return pascalCase(path) + "Fields";
}

bool StateMachine::showsStates() const {
  return !states.empty() && std::ranges::none_of(states, &std::vector<Assignment>::empty, &State::shows);
}

bool Operation::needsParams() const {
  return kind == OperationKind::update ||
         (params != nullptr && std::ranges::any_of(params->fields, &Field::required));
}

const Operation* Resource::retrieval() const {
  const auto found = std::ranges::find(operations, OperationKind::retrieve, &Operation::kind);
  return found == operations.end() ? nullptr : *found;
}

bool Resource::pages() const {
  return std::ranges::any_of(operations, &Operation::pages);
}

bool Resource::isSearched() const {
  return std::ranges::find(operations, OperationKind::search, &Operation::kind) != operations.end();
}

std::vector<const Operation*> Resource::reports() const {
  std::vector<const Operation*> found = operations;
  std::erase_if(found, [](const Operation* operation) { return operation->kind != OperationKind::report; });
  return found;
}

}  // namespace tally::codegen::model

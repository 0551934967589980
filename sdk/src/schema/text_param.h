#pragma once

#include <string>
#include <string_view>

#include "schema/operation.h"

namespace tally::detail {

/// The text of the parameter `name`; null if the operation has no such parameter or it isn't given.
inline const std::string* textParam(const Operation& operation, const void* params, std::string_view name) {
  const Field* field = operation.params == nullptr ? nullptr : operation.params->find(name);
  const void* value = field == nullptr ? nullptr : field->in(params);
  if (value == nullptr) return nullptr;
  if (field->type.kind == Kind::text) return &textAt(value);
  return field->type.kind == Kind::string ? static_cast<const std::string*>(value) : nullptr;
}

}  // namespace tally::detail

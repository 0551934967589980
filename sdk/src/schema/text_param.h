#pragma once

#include <string>
#include <string_view>

#include "schema/object_ref.h"

namespace tally::detail {

/// The text of the parameter `name`; null if there is no such parameter or it isn't given.
inline const std::string* textParam(ConstObjectRef params, std::string_view name) {
  const Field* field = params ? params.type().find(name) : nullptr;
  const ConstValueRef value = field == nullptr ? ConstValueRef{} : params.value(*field);
  if (!value || (value.kind() != Kind::text && value.kind() != Kind::string)) return nullptr;
  return &value.text();
}

}  // namespace tally::detail

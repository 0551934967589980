#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "schema/object_ref.h"

namespace tally::detail {

/// An object or array that is being read, and the current value in it.
struct Scope {
  const Scope* outer = nullptr;
  ObjectRef target{};  // an object with a Schema; empty for an array and for metadata
  std::size_t depth = outer == nullptr ? 1 : outer->depth + 1;
  const Field* field = nullptr;  // in an object with a Schema
  std::size_t index = 0;         // of the element in an array
  std::string_view key{};        // in metadata
  bool isArray = false;
};

/// The path to the current value, such as `lines[1].name`; empty for null, the top level.
[[nodiscard]] std::string pathOf(const Scope* scope);

/// A field that no member holds, and the nearest enclosing object that keeps such fields.
struct Stray {
  const Scope* keeper = nullptr;  // null if none does
  std::string path{};             // from the keeper, as in an UnknownField
};

[[nodiscard]] Stray strayIn(const Scope& scope, std::string_view name);

}  // namespace tally::detail

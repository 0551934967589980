#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "schema/schema.h"

namespace tally::detail {

/// An object or array that is being read, and which value in it.
struct Scope {
  const Scope* outer = nullptr;
  const Struct* type = nullptr;  // of an object with a Schema; null for an array and for metadata
  void* target = nullptr;
  std::size_t depth = outer == nullptr ? 1 : outer->depth + 1;
  const Field* field = nullptr;  // in an object with a Schema
  std::size_t next = 0;          // there: where to look for the next name first; in an array: the index
  std::uint64_t seen = 0;        // a bit for each field
  std::string_view key{};        // in metadata
  bool isArray = false;
};

/// The way to the value that is being read, as `lines[1].name`; for null, which is around everything, empty.
[[nodiscard]] std::string pathOf(const Scope* scope);

/// A field that no Schema describes, on its way to the nearest object around it that keeps such fields.
struct Stray {
  const Scope* keeper = nullptr;  // null where none keeps them
  std::string path{};             // from there
};

[[nodiscard]] Stray strayIn(const Scope& scope, std::string_view name);

}  // namespace tally::detail

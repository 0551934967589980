#pragma once

#include <map>
#include <string>
#include <string_view>

#include "load/document.h"

namespace tally::codegen::load {

/// The documents of an API description, by name.
using Documents = std::map<std::string, Document, std::less<>>;

/// The target of a reference such as `root.json#/components/schemas/amount` in `from`; an empty Node if it
/// does not exist.
[[nodiscard]] Node target(const Documents& documents, const Node& from, std::string_view reference);

/// `node` or, if that is a reference, its final target. An empty Node for a dangling reference.
[[nodiscard]] Node resolve(const Documents& documents, const Node& node);

/// Finds references that are dangling, circular, or point outside the components.
void checkReferences(const Documents& documents, Problems& problems);

}  // namespace tally::codegen::load

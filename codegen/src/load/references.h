#pragma once

#include <map>
#include <string>
#include <string_view>

#include "document.h"

namespace tally::codegen::load {

/// The documents of an API description, by name.
using Documents = std::map<std::string, Document, std::less<>>;

/// What a reference such as `root.json#/components/schemas/amount`, written in `from`, names; an empty Node
/// where there is no such thing.
[[nodiscard]] Node target(const Documents& documents, const Node& from, std::string_view reference);

/// `node`, or, if that is a reference, what it names in the end. An empty Node for a dangling one.
[[nodiscard]] Node resolve(const Documents& documents, const Node& node);

/// Finds references that name nothing, go in a circle, or lead outside of the components.
void checkReferences(const Documents& documents, Problems& problems);

}  // namespace tally::codegen::load

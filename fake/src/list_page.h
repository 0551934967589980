#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "collection.h"
#include "refusal.h"
#include "resource_type.h"

namespace tally::fake::detail {

/// The body of a good answer, or why there is none.
using Answer = std::variant<std::string, Refusal>;

/// How many objects a page may hold at most, as `params` ask for it.
[[nodiscard]] std::size_t limitOf(const Operation& operation, const void* params);

/// Appends `"data":[…],` with the objects' JSON.
void writeData(std::string& out, const std::vector<const Record*>& records);

/// Answers a list operation. Takes time that grows with the page, and hardly with how deep it lies; only
/// where a parameter filters are the objects between looked at too. Spec: "List operations".
[[nodiscard]] Answer listPage(const Operation& operation, const ResourceType& type,
                              const Collection& collection, const void* params);

}  // namespace tally::fake::detail

#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "store/collection.h"
#include "tables/refusal.h"
#include "tables/resource_type.h"

namespace tally::fake::detail {

/// Makes a body that takes long to make. Has the objects as they are now, so it needs no lock; it refers to
/// the parameters of the request. To be called once.
using Deferred = std::function<std::string()>;

/// The body of a good answer, what makes it, or why there is none.
using Answer = std::variant<std::string, Deferred, Refusal>;

/// How many objects a page may hold at most, as `params` ask for it.
[[nodiscard]] std::size_t limitOf(const Operation& operation, const void* params);

/// Appends `"data":[…],` with the objects' JSON.
void writeData(std::string& out, const std::vector<const Record*>& records);

/// Whether a parameter of a list operation is one that not all objects pass.
[[nodiscard]] bool isFilter(std::string_view param);

/// Answers a list operation. Takes time that grows with the page, and hardly with how deep it lies; only
/// where a parameter filters are the objects between looked at too, and the answer deferred.
/// Spec: "List operations".
[[nodiscard]] Answer listPage(const Operation& operation, const ResourceType& type,
                              const Collection& collection, const void* params);

}  // namespace tally::fake::detail

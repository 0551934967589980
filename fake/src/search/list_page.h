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

/// Produces a response body that takes long to produce. Works on a copy of the objects, so it needs no lock,
/// but refers to the parameters of the request. Call it only once.
using Deferred = std::function<std::string()>;

/// The body of a successful response, a function that produces it, or a refusal.
using Response = std::variant<std::string, Deferred, Refusal>;

/// The maximum page size that `params` requests, or the default.
[[nodiscard]] std::size_t limitOf(ConstObjectRef params);

/// Appends `"data":[…],` with the objects' JSON.
void writeData(std::string& out, const std::vector<const Record*>& records);

/// Whether a parameter of a list operation filters objects; the others are `limit` and the cursors.
[[nodiscard]] bool isFilter(std::string_view param);

/// Whether the URL of a list operation has such a parameter.
[[nodiscard]] bool hasFilter(const std::string& url);

/// Processes a list operation. The time grows with the size of the page, but hardly with its depth. A filter
/// must also scan the objects that don't match, so filtered pages are deferred. Spec: "List operations".
[[nodiscard]] Response listPage(const AnyOperation& operation, const ResourceType& type,
                                const Collection& collection, ConstObjectRef params);

}  // namespace tally::fake::detail

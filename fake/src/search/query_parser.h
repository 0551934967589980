#pragma once

#include <string_view>
#include <variant>

#include "store/query.h"

namespace tally::fake::detail {

/// Parses a UTF-8 search query: clauses such as `amount_requested.value>1000` or `-metadata["order"]:"42"`,
/// joined by either AND or OR.
[[nodiscard]] std::variant<Query, QueryFault> parseQuery(std::string_view text);

}  // namespace tally::fake::detail

#pragma once

#include <string_view>
#include <variant>

#include "store/query.h"

namespace tally::fake::detail {

/// Reads a search query, which is UTF-8: clauses such as `amount_requested.value>1000` or
/// `-metadata["order"]:"42"`, joined by AND or by OR.
[[nodiscard]] std::variant<Query, QueryFault> parseQuery(std::string_view text);

}  // namespace tally::fake::detail

#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace tally::fake::detail {

/// Splits a form field name into steps: `metadata[order]` into `metadata` and `order`; `expand[]` into
/// `expand` and an empty step. The steps are views of `name`. Returns nothing if the brackets don't match or
/// nothing precedes them.
[[nodiscard]] std::optional<std::vector<std::string_view>> stepsOf(std::string_view name);

}  // namespace tally::fake::detail

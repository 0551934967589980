#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace tally::fake::detail {

/// The steps of a name in a form: `metadata[order]` is `metadata`, `order`; `expand[]` is `expand` and an
/// empty step. Views of `name`. Nothing where the brackets don't pair up or nothing stands before them.
[[nodiscard]] std::optional<std::vector<std::string_view>> stepsOf(std::string_view name);

}  // namespace tally::fake::detail

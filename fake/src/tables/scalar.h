#pragma once

#include <cstdint>
#include <string_view>
#include <variant>

#include "schema/schema.h"

namespace tally::fake::detail {

/// A field's value in a form that can be compared: text, a number, true or false, or nothing. Views of the
/// field.
using Scalar = std::variant<std::monostate, std::string_view, std::int64_t, bool>;

/// Nothing for a null `value`, and for what is not one value, such as an object.
[[nodiscard]] Scalar scalarOf(const tally::detail::Type& type, const void* value);

}  // namespace tally::fake::detail

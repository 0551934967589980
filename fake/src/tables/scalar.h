#pragma once

#include <cstdint>
#include <string_view>
#include <variant>

#include "schema/object_ref.h"

namespace tally::fake::detail {

/// A comparable field value: a string, a number, a boolean, or nothing. Strings refer to the field.
using Scalar = std::variant<std::monostate, std::string_view, std::int64_t, bool>;

/// Nothing if `value` is empty or not a scalar.
[[nodiscard]] Scalar scalarOf(tally::detail::ConstValueRef value);

}  // namespace tally::fake::detail

#pragma once

#include <string_view>

#include "schema/schema.h"
#include "tables/refusal.h"

namespace tally::fake::detail {

using tally::detail::Struct;

/// Reads `name=value` pairs joined by `&`, percent-encoded, into `params`, whose fields are those of `type`.
/// What is not named stays as it is; nothing is said of what is missing or out of range.
///
/// After a fault `params` is valid and partly filled.
[[nodiscard]] Fault readForm(std::string_view form, const Struct& type, void* params);

}  // namespace tally::fake::detail

#pragma once

#include <string_view>

#include "schema/schema.h"
#include "tables/refusal.h"

namespace tally::fake::detail {

using tally::detail::Struct;

/// Parses a URL-encoded form into `params`, an object of `type`. Fields that the form doesn't name stay
/// unchanged. Ranges and the required fields of `type` itself are not checked.
///
/// After a fault, `params` is valid but partially filled.
[[nodiscard]] Fault readForm(std::string_view form, const Struct& type, void* params);

}  // namespace tally::fake::detail

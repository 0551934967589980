#pragma once

#include <string_view>

#include "tables/refusal.h"
#include "tables/schema_types.h"

namespace tally::fake::detail {

/// Parses a URL-encoded form into `params`; if it is empty, every parameter is unknown. Fields that the form
/// doesn't name stay unchanged. Ranges and the required fields of `params` itself are not checked.
///
/// After a fault, `params` is valid but partially filled.
[[nodiscard]] Fault readForm(std::string_view form, ObjectRef params);

}  // namespace tally::fake::detail

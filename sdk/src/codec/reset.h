#pragma once

#include "schema/schema.h"

namespace tally::detail {

/// Sets a field of `object` to its default, keeping memory where possible.
void reset(const Field& field, void* object);

}  // namespace tally::detail

#pragma once

#include "schema/schema.h"

namespace tally::detail {

/// Gives a field of `object` the value that a new object has there. Memory is kept where it can be.
void reset(const Field& field, void* object);

}  // namespace tally::detail

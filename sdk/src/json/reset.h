#pragma once

#include "schema/object_ref.h"

namespace tally::detail {

/// Sets a field of `object` to its default, keeping memory where possible.
void reset(const Field& field, ObjectRef object);

/// The same for all fields, and clears the unknown ones.
void reset(ObjectRef object);

}  // namespace tally::detail

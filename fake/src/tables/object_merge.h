#pragma once

#include "tables/schema_types.h"

namespace tally::fake::detail {

/// Copies the field `from` of `source` to the field `to` of `target`; resets the target if the source has no
/// value or is empty. Both fields have the same type.
void copyField(const Field& from, ConstObjectRef source, const Field& to, ObjectRef target);

/// Copies every field; both objects have the same type.
void copyObject(ConstObjectRef source, ObjectRef target);

/// Copies the fields that `source` gives to the fields of the same name and kind in `target`, recursing into
/// objects. Other fields stay unchanged. Metadata edits are applied.
void mergeGiven(ConstObjectRef source, ObjectRef target);

}  // namespace tally::fake::detail

#pragma once

#include "schema/schema.h"

namespace tally::fake::detail {

using tally::detail::Field;
using tally::detail::Struct;

/// Copies the field `from` of `source` to the field `to` of `target`; resets the target if the source has no
/// value or is null. Both fields have the same type.
void copyField(const Field& from, const void* source, const Field& to, void* target);

/// Copies every field; both objects are of `type`.
void copyObject(const Struct& type, const void* source, void* target);

/// Copies the fields that `source` gives to the fields of the same name and kind in `target`, recursing into
/// objects. Other fields stay unchanged. Metadata edits are applied.
void mergeGiven(const Struct& from, const void* source, const Struct& to, void* target);

}  // namespace tally::fake::detail

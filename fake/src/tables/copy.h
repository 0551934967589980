#pragma once

#include "schema/schema.h"

namespace tally::fake::detail {

using tally::detail::Field;
using tally::detail::Struct;

/// Makes the field `to` of `target` hold what the field `from` of `source` holds, or nothing if that does.
/// A null `source` holds nothing. Both fields are of one type.
void copyField(const Field& from, const void* source, const Field& to, void* target);

/// Makes every field of `target` hold what that of `source` holds; both are of `type`.
void copyObject(const Struct& type, const void* source, void* target);

/// Sets the fields of `target` from the fields of the same name and kind that `source` gives. What it does
/// not give stays, within objects too; an edit of metadata is carried out.
void mergeGiven(const Struct& from, const void* source, const Struct& to, void* target);

}  // namespace tally::fake::detail

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "schema/object_ref.h"

namespace tally::detail {

/// Reads one JSON object into `object`. Returns null, or what is wrong and where:
/// `amount_requested.value: expected an integer`. Fields that no member of it holds go into the object's
/// UnknownFields, if it has any: unknown ones, and the null of a field that may also be missing.
///
/// After success, nothing remains of the previous contents of `object`, but its memory is reused where
/// possible. After a failure, `object` is valid and partly overwritten.
[[nodiscard]] std::optional<std::string> readJson(std::string_view json, ObjectRef object);

/// The same for a partial object: fields not given keep their values. A given list or metadata replaces the
/// previous one. Nulls are not kept.
[[nodiscard]] std::optional<std::string> mergeJson(std::string_view json, ObjectRef object);

}  // namespace tally::detail

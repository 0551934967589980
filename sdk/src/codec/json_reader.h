#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "schema/schema.h"

namespace tally::detail {

/// Reads one JSON object into `object`, whose fields are those of `type`. Null on success, or else what is
/// wrong and where: `amount_requested.value: expected an integer`. What `type` does not know is kept in
/// the object's UnknownFields, where it has any.
///
/// What `object` held before is gone, whatever it was; its memory is used again where it can be. After a
/// failure `object` is valid and partly filled.
[[nodiscard]] std::optional<std::string> readJson(std::string_view json, const Struct& type, void* object);

/// The same for an object of which only some fields are given: the others stay as they are. A list or
/// metadata that is given takes the place of what was there.
[[nodiscard]] std::optional<std::string> mergeJson(std::string_view json, const Struct& type, void* object);

}  // namespace tally::detail

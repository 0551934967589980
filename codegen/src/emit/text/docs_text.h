#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/description.h"

namespace tally::codegen::emit {

/// The open point of an assumption.
[[nodiscard]] std::string assumptionPoint(const model::Description& description, const std::string& key);

/// The values that an integer may have; "" if it has no limits.
[[nodiscard]] std::string rangeText(const model::Field& field);

/// The comment on a type or a method: its description and its sources, one per line.
[[nodiscard]] std::vector<std::string> comment(const model::Description& description, const std::string& text,
                                               const model::Provenance& provenance);

/// The remark on a member: its description, whether it is required, and its range.
[[nodiscard]] std::string remark(const model::Field& field, const model::Struct& owner);

/// `payment_record` -> `payment record`.
[[nodiscard]] std::string spoken(std::string name);

/// `text` as a C++ string literal, a raw one if it is short and needs escapes; "" for an empty text.
[[nodiscard]] std::string literal(std::string_view text);

}  // namespace tally::codegen::emit

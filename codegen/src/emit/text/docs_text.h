#pragma once

#include <string>

#include "emit/text/layout.h"
#include "model/description.h"

namespace tally::codegen::emit {

/// The open point of an assumption.
[[nodiscard]] std::string assumptionPoint(const model::Description& description, const std::string& key);

/// The values that an integer may have; "" if it has no limits.
[[nodiscard]] std::string rangeText(const model::Field& field);

/// The comment above a type or a method, without `///`: its description and its source.
[[nodiscard]] Lines comment(const model::Description& description, std::size_t indent,
                            const std::string& text, const model::Provenance& provenance);

/// The remark on a member: its description, whether it is required, and its range.
[[nodiscard]] std::string remark(const model::Field& field, const model::Struct& owner);

}  // namespace tally::codegen::emit

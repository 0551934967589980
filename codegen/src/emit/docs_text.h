#pragma once

#include <string>

#include "../model/description.h"
#include "layout.h"

namespace tally::codegen::emit {

/// The comment above a type or a method, without `///`: what it is, and where in the specification.
[[nodiscard]] Lines comment(const model::Description& description, std::size_t indent,
                            const std::string& text, const model::Provenance& provenance);

/// What is said of a member: its description, and what the table of fields knows beyond it.
[[nodiscard]] std::string remark(const model::Field& field, const model::Struct& owner);

}  // namespace tally::codegen::emit

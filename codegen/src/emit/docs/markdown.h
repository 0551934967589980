#pragma once

#include <string>

namespace tally::codegen::emit {

/// `text` in a monospaced font.
[[nodiscard]] std::string code(const std::string& text);

/// Text for a cell of a table.
[[nodiscard]] std::string cell(const std::string& text);

/// The anchor of a heading.
[[nodiscard]] std::string anchor(const std::string& heading);

/// A link to a heading of a page in the same folder.
[[nodiscard]] std::string linkTo(const std::string& page, const std::string& heading);

}  // namespace tally::codegen::emit

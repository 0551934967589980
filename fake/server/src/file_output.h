#pragma once

#include <string>
#include <string_view>

namespace tally::fake::detail {

/// Replaces the contents of a file, or creates it. If this fails, or the program or the machine stops
/// meanwhile, the file has its old contents. Uses `file` with the suffix `.new`, so don't call it for one
/// file from two threads. Throws std::runtime_error with the name and the reason.
void replaceContents(const std::string& file, std::string_view text);

}  // namespace tally::fake::detail

#pragma once

#include <cstddef>
#include <string>
#include <string_view>

// Text for people, on one line. Text from the service may contain anything: control characters (which
// terminals execute), characters that change the text direction, and invalid UTF-8 are escaped. Texts of more
// than 1,000 bytes are cut.

namespace tally::detail {

inline constexpr std::size_t longestReadable = 1'000;

/// Appends `text`, escaped as above, and cut after `longest` bytes of it.
void appendReadable(std::string& out, std::string_view text, std::size_t longest = longestReadable);

/// The same in quotes; also escapes quotes and backslashes.
void appendQuoted(std::string& out, std::string_view text);

/// The same, but without quotes if `text` is a single word, such as an identifier.
void appendWord(std::string& out, std::string_view text);

}  // namespace tally::detail

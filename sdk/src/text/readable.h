#pragma once

#include <string>
#include <string_view>

// Text for people, in one line. What comes from the service may be anything: control characters, which
// terminals obey, characters that turn the direction of a line, and bytes that are no UTF-8 are escaped, and
// of a very long text the end is left out.

namespace tally::detail {

/// Appends `text` as it is, but for the above.
void appendReadable(std::string& out, std::string_view text);

/// The same in quotes, in which quotes and backslashes are escaped too.
void appendQuoted(std::string& out, std::string_view text);

/// The same in quotes, or without if it is a single word, such as an identifier.
void appendWord(std::string& out, std::string_view text);

}  // namespace tally::detail

#pragma once

#include <string_view>

namespace tally::fake::detail {

/// Prints the whole output of `program`. Returns its exit status: 0, or `failure` if the output is lost, of
/// which it complains.
[[nodiscard]] int printed(std::string_view program, std::string_view text, int failure = 1);

/// Prints the line of a server that is ready. If it is lost, complains with the address: without that, nobody
/// would find the server.
void announce(std::string_view line, std::string_view url);

}  // namespace tally::fake::detail

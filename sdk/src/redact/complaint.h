#pragma once

#include <string>
#include <string_view>

namespace tally::detail {

/// What a program prints about a problem, on one line: `tally-fake: can't read run.har`. Shows no keys,
/// because users confuse arguments.
[[nodiscard]] std::string complaint(std::string_view program, std::string_view problem);

/// The same about the arguments of a program; refers to its `--help`.
[[nodiscard]] std::string seeHelp(std::string_view program, std::string_view problem);

}  // namespace tally::detail

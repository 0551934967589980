#pragma once

#include <span>
#include <string>

namespace tally::fake::detail {

/// `tally-fake compare`. Returns the exit status.
[[nodiscard]] int runCompare(std::span<const std::string> arguments);

}  // namespace tally::fake::detail

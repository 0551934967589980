#pragma once

#include <cstdint>

namespace tally::stress {

/// What the command line asks for.
struct Settings {
  std::uint64_t seed = 1;  // of the first round; the others follow
  int rounds = 10;         // of 2,000 calls
};

[[nodiscard]] const Settings& settings();

}  // namespace tally::stress

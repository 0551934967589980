#pragma once

#include <cstdint>

namespace tally::stress {

/// The command line.
struct Settings {
  std::uint64_t seed = 1;  // of the first round; later rounds count up
  int rounds = 10;         // of 2,000 calls
};

[[nodiscard]] const Settings& settings();

}  // namespace tally::stress

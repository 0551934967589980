#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "claim.h"
#include "world.h"

namespace tally::stress {

struct RoundOptions {
  std::uint64_t seed = 0;
  Threads threads = Threads::inTurns;
  int workers = 8;
  int callsOfEach = 250;
};

/// The result of one round.
struct RoundResult {
  std::vector<std::string> problems{};  // empty on success
  std::vector<Claim> claims{};
  std::vector<std::string> log{};   // of the service, a line per request
  std::set<std::string> mishaps{};  // the faults and errors that requests met
};

/// Application threads use one service while everything fails occasionally. Afterwards, what they were told
/// is compared with what the service did.
[[nodiscard]] RoundResult play(const RoundOptions& options);

}  // namespace tally::stress

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

/// What came of one round.
struct RoundResult {
  std::vector<std::string> problems{};  // empty if all is as it should be
  std::vector<Claim> claims{};
  std::vector<std::string> log{};   // of the service, a line for each request
  std::set<std::string> mishaps{};  // the faults and errors that requests met
};

/// Threads of an application work with one service, on which everything goes wrong now and then. In the end
/// what they were told is compared with what the service did.
[[nodiscard]] RoundResult play(const RoundOptions& options);

}  // namespace tally::stress

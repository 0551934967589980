#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>

namespace tally::simulation {

/// A connection between two parties, which can be cut.
struct Link {
  std::string name{};
  bool isCut = false;
};

/// A client, and the promises against which its requests are checked.
struct Sender {
  std::string name{};
  std::uint64_t number = 0;
  Link* link = nullptr;
  /// Its requests may arrive after it has given up. Otherwise, they are lost then.
  bool mayBeLate = false;
  /// Has a mutation queue: one change to an object at a time, in the order of the calls.
  bool isQueued = false;
  /// Alone in its account, and has a pacer: no rate limit refuses a request.
  bool isPaced = false;
  /// Its process has died: nothing reaches it, and it sends nothing.
  bool isDead = false;

  std::set<std::string> changing{};                    // objects with a change in flight
  std::map<std::string, std::uint64_t> lastApplied{};  // the last change of each object
};

}  // namespace tally::simulation

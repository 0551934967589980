#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace tally::detail {

/// A limit that a request counts against, and, for a limit on each object, the object.
struct PacedLimit {
  std::size_t slot = 0;
  std::string object{};
  bool learned = false;  // has no number until a refusal sets one
};

/// What a pacer knows about a request; empty without a pacer.
using PacedRequest = std::vector<PacedLimit>;

}  // namespace tally::detail

#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace tally::detail {

/// Where a request is counted: a limit, and the object that it is about, for a limit on each.
struct PacedLimit {
  std::size_t slot = 0;
  std::string object{};
  bool learned = false;  // it has no number until a refusal gives it one
};

/// What a pacer knows of a request; nothing without a pacer.
using PacedRequest = std::vector<PacedLimit>;

}  // namespace tally::detail

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <tally/rate_limited_reason.h>

namespace tally::detail {

/// A limit that a request counts against, and, for a limit on each object, the object.
struct PacedLimit {
  std::size_t slot = 0;
  std::string object{};
  bool learned = false;  // has no number until a refusal sets one
};

/// What a pacer knows about a request; empty without a pacer.
using PacedRequest = std::vector<PacedLimit>;

/// The outcome of a sent request.
struct PacedOutcome {
  bool responded = false;  // took a normal response time; a 429 may come faster
  bool counted = true;     // may have reached the service
  bool changed = true;     // may have changed something
  std::optional<RateLimitedReason> refusedBy{};
};

}  // namespace tally::detail

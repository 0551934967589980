#pragma once

#include <tally/pacer.h>

namespace tally::test {

/// For a service without limits.
[[nodiscard]] inline PacerOptions withoutLimits() {
  PacerOptions pacing;
  for (const char* const limit :
       {"global_rate", "global_concurrency", "endpoint_rate", "endpoint_concurrency"})
    pacing.limits.push_back({.limit = limit});
  return pacing;
}

}  // namespace tally::test

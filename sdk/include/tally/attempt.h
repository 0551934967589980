#pragma once

#include <chrono>
#include <string>

#include <tally/clock.h>

namespace tally {

/// One time that a request was sent, and what came of it.
struct Attempt {
  Instant sent{};                    ///< On the client's clock.
  std::chrono::nanoseconds took{0};  ///< Until the answer, or until it was clear that none would come.
  int status = 0;                    ///< HTTP status; 0 where no answer came.
  std::string requestId{};           ///< Empty where the answer bore none.
  std::string problem{};             ///< Why it failed, for people; empty where it went well.
};

}  // namespace tally

#pragma once

#include <chrono>
#include <iosfwd>
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

/// As `2026-01-01T00:00:00Z: 429 after 0.05s, request req_1: This object cannot be accessed right now.`, in
/// one line whatever the service sent.
std::ostream& operator<<(std::ostream& out, const Attempt& attempt);

}  // namespace tally

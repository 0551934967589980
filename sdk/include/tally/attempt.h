#pragma once

#include <tally/detail/cpp20.h>

#include <chrono>
#include <iosfwd>
#include <string>

#include <tally/clock.h>

namespace [[gnu::visibility("default")]] tally {

/// One transmission of a request, and its result.
struct Attempt {
  Instant sent{};                        ///< On the client's clock.
  std::chrono::nanoseconds duration{0};  ///< Until the response arrived or the attempt failed.
  int status = 0;                        ///< HTTP status; 0 if no response arrived.
  std::string requestId{};               ///< Empty if there is none.
  std::string failure{};                 ///< Why it failed, human-readable; empty on success.
};

/// Prints one line, whatever the service sent: `2026-01-01T00:00:00Z: 404 after 0.05s, request req_1: There
/// is no payment record 'pr_1'.`
std::ostream& operator<<(std::ostream& out, const Attempt& attempt);

}  // namespace tally

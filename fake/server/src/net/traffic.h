#pragma once

#include <atomic>
#include <cstdint>

namespace tally::fake::detail {

/// What passes through a server. Its threads count.
struct Traffic {
  std::atomic<std::uint64_t> accepted = 0;     // connections so far
  std::atomic<std::int64_t> connections = 0;   // open
  std::atomic<std::int64_t> inFlight = 0;      // requests that have no complete response yet
  std::atomic<std::int64_t> streams = 0;       // of those, endless responses
  std::atomic<std::uint64_t> unparseable = 0;  // requests so far that are not HTTP/1.1
};

}  // namespace tally::fake::detail

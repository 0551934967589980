#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include <tally/fake/service.h>

namespace tally::fake::detail {

/// How a Host serves.
struct HostOptions {
  std::uint64_t seed = 1;
  std::size_t requestLog = ServiceOptions{}.requestLog;
  std::size_t requestLogBytes = ServiceOptions{}.requestLogBytes;
  bool virtualClock = false;
  bool limits = true;
  bool faultHeader = false;
  /// Plays in each new service, from its beginning.
  std::optional<FaultScript> faultScript{};
  /// How long a tenant stays without a request, in real time. Not set: forever.
  std::optional<std::chrono::seconds> dropIdle{};
  /// Keeps the services from one run to the next.
  std::optional<std::string> stateFile{};
};

}  // namespace tally::fake::detail

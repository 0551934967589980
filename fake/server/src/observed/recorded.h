#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include <tally/clock.h>
#include <tally/transport.h>

namespace tally::fake::detail {

/// How far from 1970 the times of a recording may be: the difference of any two of them fits, and so do the
/// sums with everything that is added to a time.
inline constexpr std::chrono::seconds farthestTime = std::chrono::years{140};

/// A recorded request, as the service saw it.
struct Recorded {
  std::uint64_t number = 0;  // in the recording, from 1
  Instant start{};           // when the recorder got the request
  Instant end{};             // when the response was complete
  HttpRequest request{};     // without the prefix of a gateway
  bool hadPrefix = false;
  std::string otherMethod{};  // set if the method is neither GET nor POST
  /// What the service responded. Empty if that is unknown: there was no response, or a fault replaced it.
  std::optional<HttpResponse> response{};
};

/// A recording that is read as a stream, several times.
class Recording {
 public:
  virtual ~Recording() = default;

  /// The next request; nothing at the end. Throws std::runtime_error for what is no recording.
  [[nodiscard]] virtual std::optional<Recorded> next() = 0;

  /// Takes back what next() returned. A recording that another thread reads can free it in that thread:
  /// threads that free each other's memory wait for each other.
  virtual void giveBack(Recorded used) { const Recorded freed{std::move(used)}; }

  /// Starts again.
  virtual void rewind() = 0;

 protected:
  Recording() = default;
  Recording(const Recording&) = default;
  Recording& operator=(const Recording&) = default;
};

}  // namespace tally::fake::detail

#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>

namespace tally::fake::detail {

/// The body of a response that is sent piece by piece, as soon as there is something, such as a stream of
/// events. Used by one thread at a time.
class BodyStream {
 public:
  using Time = std::chrono::steady_clock::time_point;

  BodyStream() = default;
  BodyStream(const BodyStream&) = delete;
  BodyStream& operator=(const BodyStream&) = delete;
  virtual ~BodyStream() = default;

  /// Called once, before take(). The stream calls `wake` whenever take() may have more, in any thread and
  /// without a lock that take() needs; a last call may come after the stream is destroyed.
  virtual void onMore(std::function<void()> wake) = 0;

  /// The next bytes; empty if there are none at present. Nothing at the end of the body.
  [[nodiscard]] virtual std::optional<std::string> take(Time now) = 0;

  /// When to call take() again if nothing wakes it before.
  [[nodiscard]] virtual Time nextTake() const = 0;
};

}  // namespace tally::fake::detail

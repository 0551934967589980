#pragma once

#include <chrono>
#include <cstddef>
#include <memory>

#include "platform/sockets.h"

namespace tally::detail {

/// What a socket is watched for, or ready for.
struct SocketEvents {
  bool input = false;
  bool output = false;
  bool failure = false;  // reported without being watched for

  bool operator==(const SocketEvents&) const = default;
};

/// Receives which sockets are ready.
class SocketReceiver {
 public:
  /// May receive sockets that are no longer watched, and may watch others.
  virtual void ready(Socket socket, SocketEvents events) noexcept = 0;

 protected:
  SocketReceiver() = default;
  SocketReceiver(const SocketReceiver&) = default;
  SocketReceiver& operator=(const SocketReceiver&) = default;
  ~SocketReceiver() = default;
};

/// Waits until sockets are ready. wake() is thread-safe; everything else is for one thread.
class SocketPoll {
 public:
  SocketPoll() = default;
  SocketPoll(const SocketPoll&) = delete;
  SocketPoll& operator=(const SocketPoll&) = delete;
  virtual ~SocketPoll() = default;

  /// Prepares for sockets below `end`, so that watch() needs no memory of this process. Throws
  /// std::bad_alloc.
  virtual void reserve(std::size_t end) = 0;

  /// Watches `socket` for `wanted`. If that is empty, stops watching it, which is necessary before it is
  /// closed. `before` is what it has been watched for. If the system lacks memory, the socket is not watched.
  virtual void watch(Socket socket, SocketEvents before, SocketEvents wanted) noexcept = 0;

  /// Waits until a socket is ready, until wake() has been called since the last wait, or for `atMost`, which
  /// is not negative and at most one hour. Then reports some or all sockets that are ready; the next wait
  /// reports the others. May return early, and up to one millisecond late.
  virtual void wait(std::chrono::nanoseconds atMost, SocketReceiver& receiver) noexcept = 0;

  /// Ends the present or the next wait.
  virtual void wake() noexcept = 0;
};

/// For waits of whole milliseconds. Rounds up: a wait of less than one must not end immediately, again and
/// again.
[[nodiscard]] inline int millisecondsUpwards(std::chrono::nanoseconds wait) noexcept {
  return static_cast<int>(std::chrono::ceil<std::chrono::milliseconds>(wait).count());
}

/// The one that the CMake option TALLY_EVENTS selects. Throws std::system_error without file descriptors, and
/// std::bad_alloc.
[[nodiscard]] std::unique_ptr<SocketPoll> makeSocketPoll();

}  // namespace tally::detail

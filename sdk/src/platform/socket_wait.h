#pragma once

#include <array>
#include <atomic>
#include <chrono>

#include "platform/sockets.h"

namespace tally::detail {

/// Waits until the socket has input, or takes output if `output`. May end early, such as by a signal.
void awaitSocket(Socket socket, bool output, std::chrono::milliseconds atMost) noexcept;

/// Waits for input, in one thread, until another one stops that.
class StoppableWait {
 public:
  /// Throws std::system_error without file descriptors.
  StoppableWait();
  StoppableWait(const StoppableWait&) = delete;
  StoppableWait& operator=(const StoppableWait&) = delete;
  ~StoppableWait();

  /// Until the socket has input, without limit. May end early. False if it has been stopped.
  [[nodiscard]] bool awaitInput(Socket socket) const noexcept;
  /// For a time. May end early. False if it has been stopped.
  [[nodiscard]] bool pause(std::chrono::milliseconds atMost) const noexcept;

  /// Ends the present wait and all that follow. Thread-safe; call it once at most.
  void stop() noexcept;

 private:
  [[nodiscard]] bool await(Socket socket, int milliseconds) const noexcept;

  std::array<int, 2> pipe_{-1, -1};  // stop() writes to the second end, which ends a wait
  std::atomic<bool> isStopped_{false};
};

}  // namespace tally::detail

#pragma once

#include <chrono>
#include <csignal>
#include <optional>

namespace tally::fake::detail {

/// SIGTERM, SIGINT and SIGHUP end the program. They are blocked in all threads, so that sigwait() receives
/// them.
class Endings {
 public:
  Endings();

  /// Whether a signal is pending, so that await() would return immediately.
  [[nodiscard]] bool came() const;

  /// Waits for a signal, at most for `most`. Returns whether it came.
  [[nodiscard]] bool await(std::optional<std::chrono::seconds> most = std::nullopt) const;

  /// Makes await() return. Thread-safe.
  static void end();

 private:
  sigset_t signals_{};
};

/// A write that can't succeed then fails, and does not end the program: to standard output that nobody reads,
/// or beyond the maximum size of a file.
void surviveFailedWrites();

}  // namespace tally::fake::detail

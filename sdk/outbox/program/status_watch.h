#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include <tally/outbox.h>

namespace tally::detail {

/// What waits in the database, read by a thread, so that whoever asks need not wait. Thread-safe.
class StatusWatch {
 public:
  using Status = std::vector<OutboxStatus>;

  using Clock = std::function<std::chrono::steady_clock::time_point()>;

  /// `read` may throw std::exception; then nothing is known.
  explicit StatusWatch(std::function<Status()> read, Clock clock = std::chrono::steady_clock::now);
  StatusWatch(const StatusWatch&) = delete;
  StatusWatch& operator=(const StatusWatch&) = delete;
  ~StatusWatch();

  /// What was read last; empty if that failed, or if reading takes longer than 15 seconds. Has it read again
  /// for the next call if it is older than that.
  [[nodiscard]] std::optional<Status> latest();

 private:
  void watch();

  std::function<Status()> read_;
  Clock clock_;
  std::mutex mutex_{};
  std::condition_variable changed_{};
  std::optional<Status> status_{};
  std::chrono::steady_clock::time_point readAt_{};
  std::chrono::steady_clock::time_point wantedAt_;
  bool isWanted_ = true;
  bool isEnded_ = false;
  std::thread thread_{};
};

}  // namespace tally::detail

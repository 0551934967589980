#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "observed/recorded.h"

namespace tally::fake::detail {

/// Reads a recording in a thread of its own, a bounded number of requests ahead of their use.
class ReadAhead final : public Recording {
 public:
  /// `recording` must outlive this, which alone may use it. Reading starts immediately.
  explicit ReadAhead(Recording& recording) : recording_(recording) { start(); }
  ~ReadAhead() override { stop(); }

  /// Throws what the recording throws, after the requests before.
  [[nodiscard]] std::optional<Recorded> next() override;
  void giveBack(Recorded used) override { used_.push_back(std::move(used)); }
  void rewind() override;

 private:
  using Batch = std::vector<Recorded>;

  void start();
  void stop() noexcept;
  void read() noexcept;
  [[nodiscard]] bool readInto(Batch& batch);
  [[nodiscard]] bool hand(Batch batch);
  [[nodiscard]] bool take();

  Recording& recording_;
  Batch current_{};
  std::size_t taken_ = 0;  // of the current batch
  Batch used_{};

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Batch> ready_{};
  std::vector<Batch> returned_{};  // to the reader, which frees them
  std::exception_ptr failure_ = nullptr;
  bool ended_ = false;
  bool stopping_ = false;
  std::thread reader_{};
};

}  // namespace tally::fake::detail

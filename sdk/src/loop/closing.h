#pragma once

#include <functional>
#include <utility>

#include <tally/async_client.h>

#include "event/event_loop.h"

namespace tally::detail {

/// The closing of an AsyncClient: whether it has begun, when what is outstanding is canceled, and how that
/// ended.
class Closing final : private LoopTask, private Timer {
 public:
  /// `cancelAll` cancels what is outstanding. It is called once, in the thread of the loop.
  explicit Closing(std::function<void()> cancelAll) : cancelAll_(std::move(cancelAll)) {}

  // For the holder of the engine's lock.

  /// From now on, nothing starts. False: it has begun before.
  [[nodiscard]] bool begin() noexcept { return !std::exchange(begun_, true); }
  [[nodiscard]] bool hasBegun() const noexcept { return begun_; }

  /// Counts the outcome of an activity, if the closing has begun.
  void add(const CloseResult& outcome) noexcept;
  [[nodiscard]] const CloseResult& result() const noexcept { return result_; }

  // For any thread, once.

  /// Cancels what is outstanding at `deadline`. `loop` must not be destroyed before it has stopped.
  void cancelAt(EventLoop& loop, Instant deadline) noexcept;

  // For the thread of the loop.

  void cancelNow();
  /// What is outstanding, or starts now, is canceled.
  [[nodiscard]] bool cancels() const noexcept { return cancels_; }

 private:
  void run() override { loop_->set(*this, deadline_); }
  void expired() override { cancelNow(); }

  std::function<void()> cancelAll_;
  bool begun_ = false;
  bool cancels_ = false;
  CloseResult result_{};
  EventLoop* loop_ = nullptr;
  Instant deadline_{};
};

/// How an activity ended that was outstanding when its client was closed. `error`: null on success.
[[nodiscard]] CloseResult outcomeOf(const Error* error) noexcept;

}  // namespace tally::detail

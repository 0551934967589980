#pragma once

#include <tally/detail/cpp20.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace tally::fake {

/// Counts changes and notifies listeners. Thread-safe.
class ChangeSignal {
 public:
  using Listener = std::function<void()>;

  /// How many changes have been noted. What the caller reads afterwards includes them.
  [[nodiscard]] std::uint64_t count() const noexcept { return count_.load(std::memory_order_acquire); }

  /// Calls `listener` after every change, in the thread that made the change and without holding any lock,
  /// until the result is destroyed. Calls may overlap, and a call that is in progress in another thread may
  /// end after the destruction. `listener` must not throw.
  [[nodiscard]] std::shared_ptr<const void> onChange(Listener listener);

  /// Must be called after each change, without holding a lock that a listener needs.
  void note() noexcept;

 private:
  [[nodiscard]] std::vector<std::shared_ptr<const Listener>> listeners() const;

  std::atomic<std::uint64_t> count_ = 0;
  std::atomic<bool> heard_ = false;  // whether there has been a listener
  mutable std::mutex mutex_{};
  std::vector<std::weak_ptr<const Listener>> listeners_{};
};

}  // namespace tally::fake

#pragma once

#include <tally/detail/cpp20.h>

// Part of <tally/asio.h>, compiled once instead of in every source that includes that header.

#include <atomic>
#include <list>
#include <memory>
#include <mutex>

namespace [[gnu::visibility("default")]] tally {

namespace detail {

/// A call whose handler is to run in an execution context.
class AsioWaiter {
 public:
  /// Called when the execution context shuts down. Cancels the call and destroys the handler.
  virtual void shutDown() noexcept = 0;

 protected:
  AsioWaiter() = default;
  AsioWaiter(const AsioWaiter&) = default;
  AsioWaiter& operator=(const AsioWaiter&) = default;
  ~AsioWaiter() = default;
};

/// The calls whose handlers are to run in one execution context. Thread-safe.
class AsioWaiters {
 public:
  using Place = std::list<std::weak_ptr<AsioWaiter>>::iterator;

  /// Returns false if the execution context has shut down.
  [[nodiscard]] bool add(const std::shared_ptr<AsioWaiter>& waiter, Place& place);

  /// Removes a call. If the function returns true, the execution context continues to exist at least until
  /// delivered() is called; otherwise, the context destroys the handler.
  [[nodiscard]] bool remove(Place place);
  void delivered() noexcept;

  void shutDown() noexcept;

 private:
  std::mutex mutex_{};
  std::list<std::weak_ptr<AsioWaiter>> waiters_{};  // constant once `isShutDown_` is true
  bool isShutDown_ = false;
  std::atomic<int> delivering_{0};
};

}  // namespace detail

}  // namespace tally

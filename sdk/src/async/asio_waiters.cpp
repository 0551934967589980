#include <tally/detail/asio_waiters.h>

namespace tally::detail {

bool AsioWaiters::add(const std::shared_ptr<AsioWaiter>& waiter, Place& place) {
  std::list<std::weak_ptr<AsioWaiter>> one{waiter};
  const std::lock_guard lock{mutex_};
  if (isShutDown_) return false;
  place = one.begin();
  waiters_.splice(waiters_.end(), one);
  return true;
}

bool AsioWaiters::remove(Place place) {
  const std::lock_guard lock{mutex_};
  if (isShutDown_) return false;
  waiters_.erase(place);
  delivering_.fetch_add(1, std::memory_order_relaxed);
  return true;
}

void AsioWaiters::delivered() noexcept {
  if (delivering_.fetch_sub(1, std::memory_order_release) == 1) delivering_.notify_all();
}

void AsioWaiters::shutDown() noexcept {
  {
    const std::lock_guard lock{mutex_};
    isShutDown_ = true;
  }
  for (int count = 0; (count = delivering_.load(std::memory_order_acquire)) != 0;)
    delivering_.wait(count);
  for (const auto& waiter : waiters_)
    if (const auto waiting = waiter.lock()) waiting->shutDown();
  waiters_.clear();
}

}  // namespace tally::detail

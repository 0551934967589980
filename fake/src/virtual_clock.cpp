#include <algorithm>
#include <iterator>
#include <stdexcept>

#include <tally/fake/virtual_clock.h>

namespace tally::fake {

using Guard = std::lock_guard<std::mutex>;

Instant VirtualClock::now() const {
  const Guard guard{mutex_};
  return now_;
}

void VirtualClock::wait(std::unique_lock<std::mutex>& lock, Instant time, const std::stop_token& stop) {
  if (frozen_) {
    const auto sleeper = sleepers_.insert(time);
    changed_.notify_all();
    changed_.wait(lock, stop, [&] { return !frozen_ || time <= now_; });
    sleepers_.erase(sleeper);
    if (stop.stop_requested() || time <= now_) return;
  }
  now_ = time;
}

bool VirtualClock::sleepUntil(Instant time, std::stop_token stop) {
  if (stop.stop_requested()) return false;
  std::unique_lock lock{mutex_};
  if (time <= now_) return true;
  slept_.push_back(time - now_);
  if (slept_.size() > waitsKept) slept_.pop_front();
  wait(lock, time, stop);
  return time <= now_;
}

bool VirtualClock::passUntil(Instant time, std::stop_token stop) {
  if (stop.stop_requested()) return false;
  std::unique_lock lock{mutex_};
  if (time > now_) wait(lock, time, stop);
  return time <= now_;
}

void VirtualClock::advance(std::chrono::nanoseconds duration) {
  if (duration < std::chrono::nanoseconds::zero()) throw std::invalid_argument{"a clock can't be moved back"};
  const Guard guard{mutex_};
  if (duration > Instant::max() - now_) throw std::invalid_argument{"the clock does not go so far"};
  now_ += duration;
  changed_.notify_all();
}

void VirtualClock::freeze() {
  const Guard guard{mutex_};
  frozen_ = true;
}

void VirtualClock::thaw() {
  const Guard guard{mutex_};
  frozen_ = false;
  changed_.notify_all();
}

bool VirtualClock::frozen() const {
  const Guard guard{mutex_};
  return frozen_;
}

void VirtualClock::awaitSleepers(std::size_t count) const {
  // A thread whose wait is over may not have noticed yet.
  const auto blocked = [&] { return std::distance(sleepers_.upper_bound(now_), sleepers_.end()); };
  std::unique_lock lock{mutex_};
  changed_.wait(lock, [&] { return static_cast<std::size_t>(blocked()) >= count; });
}

std::vector<std::chrono::nanoseconds> VirtualClock::slept() const {
  const Guard guard{mutex_};
  return {slept_.begin(), slept_.end()};
}

void VirtualClock::set(Instant time) {
  const Guard guard{mutex_};
  now_ = time;
  changed_.notify_all();
}

}  // namespace tally::fake

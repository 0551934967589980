#include <stdexcept>

#include <tally/fake/virtual_clock.h>

namespace tally::fake {

Instant VirtualClock::now() const {
  const std::lock_guard lock{mutex_};
  return now_;
}

bool VirtualClock::sleepUntil(Instant time, std::stop_token stop) {
  if (stop.stop_requested()) return false;
  const std::lock_guard lock{mutex_};
  if (time <= now_) return true;
  slept_.push_back(time - now_);
  if (slept_.size() > waitsKept) slept_.pop_front();
  now_ = time;
  return true;
}

void VirtualClock::advance(std::chrono::nanoseconds duration) {
  if (duration < std::chrono::nanoseconds::zero()) throw std::invalid_argument{"a clock can't be moved back"};
  const std::lock_guard lock{mutex_};
  now_ += duration;
}

std::vector<std::chrono::nanoseconds> VirtualClock::slept() const {
  const std::lock_guard lock{mutex_};
  return {slept_.begin(), slept_.end()};
}

}  // namespace tally::fake

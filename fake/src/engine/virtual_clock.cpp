#include <algorithm>
#include <stdexcept>

#include <tally/fake/virtual_clock.h>

#include "time/saturating.h"

namespace tally::fake {

using tally::detail::saturatingAdd;
using tally::detail::saturatingSince;
using Guard = std::lock_guard<std::mutex>;

namespace {

/// The longest single wait, because the system cannot wait until Instant::max().
constexpr std::chrono::nanoseconds longestWait = std::chrono::hours{1};

}  // namespace

Instant VirtualClock::now() const {
  const Guard guard{mutex_};
  return present();
}

Instant VirtualClock::present() const {
  return running_ && !frozen_ ? saturatingAdd(now_, std::chrono::steady_clock::now() - since_) : now_;
}

void VirtualClock::wait(std::unique_lock<std::mutex>& lock, Instant time, const std::stop_token& stop) {
  if (!frozen_ && !running_) return leapTo(time);
  const auto sleeper = sleepers_.emplace(time, stop);
  changed_.notify_all();
  while (time > present() && !stop.stop_requested()) {
    if (frozen_ || running_) {
      block(lock, time, stop);
    } else {
      leapTo(time);
    }
  }
  sleepers_.erase(sleeper);
}

/// Blocks until `time`, until the clock is frozen, thawed or set running, until a stop, or for an hour.
void VirtualClock::block(std::unique_lock<std::mutex>& lock, Instant time, const std::stop_token& stop) {
  const bool frozen = frozen_;
  const bool running = running_;
  const auto most =
      running && !frozen ? std::min(saturatingSince(present(), time), longestWait) : longestWait;
  changed_.wait_for(lock, stop, most,
                    [&] { return frozen_ != frozen || running_ != running || time <= present(); });
}

/// Wakes the others, as they may wait for a time that has now passed.
void VirtualClock::leapTo(Instant time) {
  now_ = time;
  if (!sleepers_.empty()) changed_.notify_all();
}

bool VirtualClock::awaitUntil(Instant time, std::stop_token stop) {
  std::unique_lock lock{mutex_};
  const auto sleeper = sleepers_.emplace(time, stop);
  changed_.notify_all();
  while (time > present() && !stop.stop_requested())
    block(lock, time, stop);
  sleepers_.erase(sleeper);
  return time <= present();
}

bool VirtualClock::sleepUntil(Instant time, std::stop_token stop) {
  if (stop.stop_requested()) return false;
  std::unique_lock lock{mutex_};
  const Instant begin = present();
  if (time <= begin) return true;
  slept_.push_back(saturatingSince(begin, time));
  if (slept_.size() > waitsKept) slept_.pop_front();
  wait(lock, time, stop);
  return time <= present();
}

bool VirtualClock::passUntil(Instant time, const std::stop_token& stop) {
  if (stop.stop_requested()) return false;
  std::unique_lock lock{mutex_};
  if (time > present()) wait(lock, time, stop);
  return time <= present();
}

void VirtualClock::advance(std::chrono::nanoseconds duration) {
  if (duration < std::chrono::nanoseconds::zero()) throw std::invalid_argument{"the clock can't be set back"};
  const Guard guard{mutex_};
  if (now_ > Instant::max() - duration)
    throw std::invalid_argument{"the time exceeds the range of the clock"};
  now_ += duration;
  changed_.notify_all();
}

void VirtualClock::freeze() {
  const Guard guard{mutex_};
  now_ = present();
  frozen_ = true;
  changed_.notify_all();
}

void VirtualClock::thaw() {
  const Guard guard{mutex_};
  now_ = present();
  frozen_ = false;
  since_ = std::chrono::steady_clock::now();
  changed_.notify_all();
}

bool VirtualClock::frozen() const {
  const Guard guard{mutex_};
  return frozen_;
}

void VirtualClock::run() {
  const Guard guard{mutex_};
  now_ = present();
  running_ = true;
  since_ = std::chrono::steady_clock::now();
  changed_.notify_all();
}

bool VirtualClock::running() const {
  const Guard guard{mutex_};
  return running_;
}

void VirtualClock::awaitSleepers(std::size_t count) const {
  // Ignores threads whose wait is over but which have not woken up yet.
  const auto blocked = [&] {
    return std::count_if(sleepers_.upper_bound(present()), sleepers_.end(),
                         [](const auto& sleeper) { return !sleeper.second.stop_requested(); });
  };
  std::unique_lock lock{mutex_};
  changed_.wait(lock, [&] { return static_cast<std::size_t>(blocked()) >= count; });
}

std::vector<std::chrono::nanoseconds> VirtualClock::slept() const {
  const Guard guard{mutex_};
  return {slept_.begin(), slept_.end()};
}

VirtualClock::Reading VirtualClock::reading() const {
  const Guard guard{mutex_};
  return {.time = present(), .frozen = frozen_, .running = running_};
}

void VirtualClock::set(const Reading& reading) {
  const Guard guard{mutex_};
  now_ = reading.time;
  frozen_ = reading.frozen;
  running_ = reading.running;
  since_ = std::chrono::steady_clock::now();
  changed_.notify_all();
}

void VirtualClock::set(Instant time) {
  const Guard guard{mutex_};
  now_ = time;
  since_ = std::chrono::steady_clock::now();
  changed_.notify_all();
}

}  // namespace tally::fake

#include <algorithm>
#include <iterator>
#include <limits>
#include <stdexcept>
#include <utility>

#include <tally/fake/virtual_clock.h>

#include "text/random.h"
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
  return movesByItself() ? saturatingAdd(now_, std::chrono::steady_clock::now() - since_) : now_;
}

/// How long to wait for `time` while the clock runs.
std::chrono::nanoseconds VirtualClock::nextWait(Instant time) const {
  return std::min(saturatingSince(present(), time), longestWait);
}

/// If nothing else waits or has joined, a wait needs no other thread.
bool VirtualClock::isIdle() const {
  return turn_ == nullptr && waiting_.empty() && rung_.empty() && !frozen_ && !running_;
}

/// Whether the calling thread has joined: a joined thread runs only in its turn.
bool VirtualClock::hasTurn() const {
  return turn_ != nullptr && turn_->id == std::this_thread::get_id();
}

/// Waits until `time` or a stop. A thread that has the turn passes it on.
///
/// The callback runs in the thread that requests the stop and takes the lock; so it is created and destroyed
/// without the lock.
bool VirtualClock::wait(Lock& lock, Instant time, const StopToken& stop, bool advances) {
  if (time <= present()) return true;
  if (advances && isIdle()) {
    now_ = time;
    return true;
  }
  Waiter notJoined;
  Waiter& waiter = hasTurn() ? *turn_ : notJoined;
  waiter.advances = advances;
  waiter.stopped = waiter.awake = false;
  lock.unlock();
  {
    const StopCallback interrupted{stop, [&] { interrupt(waiter); }};
    lock.lock();
    if (!waiter.stopped) await(lock, waiter, time);
    lock.unlock();
  }
  lock.lock();
  return time <= present();
}

void VirtualClock::await(Lock& lock, Waiter& waiter, Instant time) {
  waiter.place = waiting_.emplace(Turn{time, ++waits_}, &waiter).first;
  sleeping_.notify_all();
  if (turn_ == &waiter) turn_ = nullptr;
  proceed(lock);
  block(lock, waiter);
}

/// Blocks until the thread may run. On a running clock, its end comes by itself.
void VirtualClock::block(Lock& lock, Waiter& waiter) {
  while (!waiter.awake) {
    if (waiter.place && movesByItself()) {
      waiter.changed.wait_for(lock, nextWait((*waiter.place)->first.first));
    } else {
      waiter.changed.wait(lock);
    }
    proceed(lock);
  }
}

void VirtualClock::interrupt(Waiter& waiter) {
  Lock lock{mutex_};
  waiter.stopped = true;
  if (!waiter.place) return;
  wake(waiter, present());
  proceed(lock);
}

/// Ends a wait. A joined thread then waits for its turn, from `time` on. Allocates nothing for a thread.
void VirtualClock::wake(Waiter& waiter, Instant time) {
  auto place = waiting_.extract(*waiter.place);
  waiter.place.reset();
  if (waiter.joined) {
    place.key().first = time;
    ready_.insert(std::move(place));
  } else if (waiter.wake) {
    rung_.push_back(waiter.wake);
  } else {
    waiter.awake = true;
    waiter.changed.notify_one();
  }
}

void VirtualClock::wakeDue() {
  while (!waiting_.empty() && waiting_.begin()->first.first <= present())
    wake(*waiting_.begin()->second, waiting_.begin()->first.first);
}

/// Ends the waits whose time has come, and calls their alarms without the lock, unless another thread does.
void VirtualClock::proceed(Lock& lock) {
  settle();
  if (std::exchange(ringing_, true)) return;
  for (; !rung_.empty(); settle()) {
    auto wake = rung_.front().lock();
    lock.unlock();
    if (wake) (*wake)();
    wake.reset();
    lock.lock();
    rung_.pop_front();
  }
  ringing_ = false;
}

/// Ends the waits whose time has come. If no joined thread can run, moves time on to the next end.
void VirtualClock::settle() {
  wakeDue();
  while (mayLeap()) {
    now_ = waiting_.begin()->first.first;
    wakeDue();
  }
  if (turn_ == nullptr && !ready_.empty() && rung_.empty()) passTurn();
}

/// A wait for another thread does not move time, but time that moves for others stops at its end, too.
bool VirtualClock::mayLeap() const {
  return !frozen_ && !running_ && turn_ == nullptr && ready_.empty() && rung_.empty() &&
         std::ranges::any_of(waiting_, [](const auto& waiting) { return waiting.second->advances; });
}

void VirtualClock::passTurn() {
  auto next = ready_.begin();
  if (shuffle_) std::advance(next, tally::detail::nextRandom(*shuffle_) % ready_.size());
  turn_ = next->second;
  ready_.erase(next);
  turn_->awake = true;
  turn_->changed.notify_one();
}

/// After an edit of the time or the mode, waits may be over, or last another time.
template <class Edit>
void VirtualClock::edit(const Edit& edit) {
  Lock lock{mutex_};
  edit();
  settle();
  for (const auto& [end, waiter] : waiting_) {
    waiter->changed.notify_one();
    if (waiter->wake && movesByItself()) rung_.push_back(waiter->wake);
  }
  proceed(lock);
}

template <class Edit>
void VirtualClock::change(const Edit& change) {
  edit(change);
  if (changes_) changes_->note();
}

bool VirtualClock::sleepUntil(Instant time, StopToken stop) {
  if (stop.stop_requested()) return false;
  Lock lock{mutex_};
  const Instant begin = present();
  if (time <= begin) return true;
  slept_.push_back(saturatingSince(begin, time));
  if (slept_.size() > waitsKept) slept_.pop_front();
  return wait(lock, time, stop, true);
}

bool VirtualClock::waitUntil(Instant time, StopToken stop) {
  Lock lock{mutex_};
  return wait(lock, time, stop, false);
}

bool VirtualClock::passUntil(Instant time, const StopToken& stop) {
  if (stop.stop_requested()) return false;
  Lock lock{mutex_};
  return wait(lock, time, stop, true);
}

void VirtualClock::shuffle(std::uint64_t seed) {
  const Guard guard{mutex_};
  shuffle_ = seed;
}

void VirtualClock::advance(std::chrono::nanoseconds duration) {
  if (duration < std::chrono::nanoseconds::zero()) throw std::invalid_argument{"the clock can't be set back"};
  change([&] {
    if (now_ > Instant::max() - duration)
      throw std::invalid_argument{"the time would exceed the range of the clock"};
    now_ += duration;
  });
}

void VirtualClock::advanceTo(Instant time) {
  change([&] {
    if (time < present()) throw std::invalid_argument{"the clock can't be set back"};
    now_ = time;
    since_ = std::chrono::steady_clock::now();
  });
}

void VirtualClock::catchUp(Instant time) {
  change([&] {
    if (!movesByItself() || time <= present()) return;
    now_ = time;
    since_ = std::chrono::steady_clock::now();
  });
}

void VirtualClock::freeze() {
  change([&] {
    now_ = present();
    frozen_ = true;
  });
}

void VirtualClock::thaw() {
  change([&] {
    now_ = present();
    frozen_ = false;
    since_ = std::chrono::steady_clock::now();
  });
}

bool VirtualClock::frozen() const {
  const Guard guard{mutex_};
  return frozen_;
}

void VirtualClock::run() {
  change([&] {
    now_ = present();
    running_ = true;
    since_ = std::chrono::steady_clock::now();
  });
}

bool VirtualClock::running() const {
  const Guard guard{mutex_};
  return running_;
}

void VirtualClock::waitForSleepers(std::size_t count) const {
  // On a running clock, threads whose wait is over may not have noticed yet.
  const auto blocked = [&] {
    const Turn over{present(), std::numeric_limits<std::uint64_t>::max()};
    return static_cast<std::size_t>(std::distance(waiting_.upper_bound(over), waiting_.end()));
  };
  Lock lock{mutex_};
  sleeping_.wait(lock, [&] { return blocked() >= count; });
}

std::vector<std::chrono::nanoseconds> VirtualClock::sleepDurations() const {
  const Guard guard{mutex_};
  return {slept_.begin(), slept_.end()};
}

VirtualClock::Reading VirtualClock::reading() const {
  const Guard guard{mutex_};
  return {.time = present(), .frozen = frozen_, .running = running_};
}

void VirtualClock::restore(const Reading& reading) {
  edit([&] {
    now_ = reading.time;
    frozen_ = reading.frozen;
    running_ = reading.running;
    since_ = std::chrono::steady_clock::now();
  });
}

}  // namespace tally::fake

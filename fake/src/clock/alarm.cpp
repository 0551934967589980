#include <utility>

#include <tally/fake/virtual_clock.h>

namespace tally::fake {

using Machine = std::chrono::steady_clock;

VirtualClock::Alarm::Alarm(VirtualClock& clock, Instant time, std::function<void()> wake)
    : clock_(clock), time_(time) {
  Lock lock{clock_.mutex_};
  if (time <= clock_.present()) return;
  if (clock_.isIdle()) {
    clock_.now_ = time;
    return;
  }
  self_.wake = std::make_shared<const Wake>(std::move(wake));
  self_.advances = true;
  self_.place = clock_.waiting_.emplace(Turn{time, ++clock_.waits_}, &self_).first;
  clock_.sleeping_.notify_all();
  clock_.proceed(lock);
}

VirtualClock::Alarm::~Alarm() {
  const Lock lock{clock_.mutex_};
  if (self_.place) clock_.waiting_.erase(*self_.place);
}

Machine::time_point VirtualClock::Alarm::realTime() const {
  const Lock lock{clock_.mutex_};
  if (time_ <= clock_.present()) return Machine::time_point::min();
  return clock_.movesByItself() ? Machine::now() + clock_.nextWait(time_) : Machine::time_point::max();
}

}  // namespace tally::fake

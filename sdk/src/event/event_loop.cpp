#include "event/event_loop.h"

#include <utility>

namespace tally::detail {

namespace {

using Guard = std::lock_guard<std::mutex>;

/// Sleeps on a clock. Without a time, it waits for other threads, so a virtual clock must not advance.
class SleepSource final : public ClockSource {
 public:
  explicit SleepSource(Clock& clock) : clock_(clock) {}

 private:
  void wait(Instant time, const StopToken& woken) override {
    if (time == Instant::max()) {
      clock_.waitUntil(time, woken);
    } else {
      clock_.sleepUntil(time, woken);
    }
  }

  Clock& clock_;
};

thread_local bool isTurning = false;
thread_local bool pollsAlone = false;

}  // namespace

std::unique_ptr<EventSource> makeClockSource(Clock& clock) {
  return std::make_unique<SleepSource>(clock);
}

void ClockSource::waitUntil(Instant time) {
  if (time == Instant::min()) return;
  StopToken woken;
  {
    const Guard guard{mutex_};
    if (std::exchange(awake_, false)) return;
    if (!wake_ || wake_->stop_requested()) wake_.emplace();
    woken = wake_->get_token();
    waiting_ = true;
  }
  wait(time, woken);
  const Guard guard{mutex_};
  waiting_ = false;
  awake_ = false;
}

/// Requests the stop through a copy and without the lock, since a clock may run code in it.
void ClockSource::wake() noexcept {
  StopSource source{noStopState};
  {
    const Guard guard{mutex_};
    awake_ = true;
    if (waiting_) source = *wake_;
  }
  source.request_stop();
}

EventLoop::Turn::Turn(EventLoop& loop) noexcept
    : thread_(loop.thread_),
      outer_(thread_.exchange(std::this_thread::get_id())),
      wasTurning_(std::exchange(isTurning, true)) {}

EventLoop::Turn::~Turn() {
  thread_ = outer_;
  isTurning = wasTurning_;
}

EventLoop::Alone::Alone() noexcept : wasAlone_(std::exchange(pollsAlone, true)) {}

EventLoop::Alone::~Alone() {
  pollsAlone = wasAlone_;
}

bool EventLoop::isAlone() noexcept {
  return pollsAlone;
}

EventLoop::EventLoop(Clock& clock, std::unique_ptr<EventSource> source)
    : clock_(clock), source_(std::move(source)) {}

EventLoop::~EventLoop() = default;

bool EventLoop::post(LoopTask& task) noexcept {
  bool wakes = false;
  {
    const Guard guard{mutex_};
    if (ended_) return false;
    posted_.push_back(task);
    wakes = std::exchange(waiting_, false);
  }
  if (wakes) source_->wake();
  return true;
}

bool EventLoop::postIfTurning(LoopTask& task) noexcept {
  const Guard guard{mutex_};
  if (ended_ || waiting_ || thread_.load(std::memory_order_relaxed) == std::thread::id{}) return false;
  posted_.push_back(task);
  return true;
}

void EventLoop::withdraw(LoopTask& task) noexcept {
  const Guard guard{mutex_};
  task.hook_.unlink();
}

bool EventLoop::isAnyCurrent() noexcept {
  return isTurning;
}

bool EventLoop::hasTasks() noexcept {
  const Guard guard{mutex_};
  return !ready_.empty() || !posted_.empty();
}

bool EventLoop::endIfIdle() noexcept {
  const Guard guard{mutex_};
  ended_ = ready_.empty() && posted_.empty();
  return ended_;
}

void EventLoop::set(Timer& timer, Instant time) noexcept {
  cancel(timer);
  timer.due_ = {time, ++set_};
  timers_.insert(timers_.end(), timer);  // where most belong, since most waits of a kind are equally long
}

void EventLoop::cancel(Timer& timer) noexcept {
  timer.hook_.unlink();
}

void EventLoop::poll() {
  const Turn turn{*this};
  const bool ran = runTasks();
  source_->waitUntil(ran || !beginWait() ? Instant::min() : nextTime());
  endWait();
  expireNext();
}

/// False if a task has been posted, so that there is no time to wait.
bool EventLoop::beginWait() noexcept {
  const Guard guard{mutex_};
  waiting_ = posted_.empty();
  return waiting_;
}

void EventLoop::endWait() noexcept {
  const Guard guard{mutex_};
  waiting_ = false;
}

Instant EventLoop::nextTime() const noexcept {
  return timers_.empty() ? Instant::max() : timers_.begin()->due_.time;
}

/// Tasks that are posted meanwhile wait for the next poll, so that timers and events are served too.
bool EventLoop::runTasks() {
  takePosted();
  if (ready_.empty()) return false;
  while (!ready_.empty()) {
    LoopTask& next = ready_.front();
    ready_.pop_front();
    next.run();
  }
  return true;
}

void EventLoop::takePosted() noexcept {
  if (!ready_.empty()) return;
  const Guard guard{mutex_};
  ready_.swap(posted_);
}

/// One at a time, because its work may come before that of the next one.
void EventLoop::expireNext() {
  if (timers_.empty()) return;
  Timer& next = *timers_.begin();
  if (next.due_.time > clock_.now()) return;
  cancel(next);
  next.expired();
}

}  // namespace tally::detail

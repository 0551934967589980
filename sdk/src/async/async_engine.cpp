#include "async/async_engine.h"

#include <limits>
#include <stdexcept>
#include <utility>

#include "async/blocking_adapter.h"
#include "time/saturating.h"

namespace tally::detail {

namespace {

void check(const AsyncOptions& options) {
  if (options.maxInFlight == 0) throw std::invalid_argument{"AsyncOptions::maxInFlight must be at least 1"};
}

std::size_t saturatingSum(std::size_t a, std::size_t b) {
  return a > std::numeric_limits<std::size_t>::max() - b ? std::numeric_limits<std::size_t>::max() : a + b;
}

AsyncSetup setUp(const ClientOptions& options) {
  if (auto made = options.transport->makeAsync(options.clock)) return std::move(*made);
  AsyncSetup setup;
  setup.loop = std::make_unique<EventLoop>(*options.clock, makeClockSource(*options.clock));
  setup.transport = std::make_unique<BlockingAdapter>(options.transport, *setup.loop);
  return setup;
}

constexpr const char* closedText = "the AsyncClient is closed";

Error refusal(ErrorKind kind, const char* message) {
  return Error{{.kind = kind, .message = message}};
}

/// How a call ended that was outstanding when the client was closed.
CloseResult resultOf(const Error* error) {
  if (error == nullptr || error->kind() != ErrorKind::canceled) return {.completed = 1};
  return error->effect() == Effect::none ? CloseResult{.unsent = 1} : CloseResult{.unknown = 1};
}

}  // namespace

/// Cancels what is outstanding once the time limit of close() has passed.
class AsyncEngine::Closer final : public LoopTask, public Timer {
 public:
  explicit Closer(AsyncEngine& engine) : engine_(engine) {}

  void closeAt(Instant deadline) {
    deadline_ = deadline;
    engine_.loop().post(*this);
  }

 private:
  void run() override { engine_.loop().set(*this, deadline_); }
  void expired() override { engine_.cancelAll(); }

  AsyncEngine& engine_;
  Instant deadline_{};
};

/// The delivery of a result by an executor.
class AsyncEngine::Delivery final : public Completing {
 public:
  explicit Delivery(ActivityRef activity) : activity_(activity.release()) {}

  void complete() override { activity_->complete(); }

 private:
  struct Release {
    void operator()(Activity* activity) const noexcept { activity->releaseInLoop(); }
  };

  std::unique_ptr<Activity, Release> activity_;
};

/// Waits until the condition holds, which the end of any call may bring about.
template <class Holds>
void AsyncEngine::watch(Lock& lock, const Holds& holds) {
  ++watching_;
  changed_.wait(lock, holds);
  --watching_;
}

/// This thread turns the loop, once no other one does or the condition holds.
class AsyncEngine::Turning final {
 public:
  Turning(AsyncEngine& engine, Condition over) : engine_(engine) {
    Lock lock{engine_.mutex_};
    engine_.watch(lock, [&] { return !engine_.turning_ || (engine_.*over)(); });
    turns_ = !std::exchange(engine_.turning_, true);
  }
  Turning(const Turning&) = delete;
  Turning& operator=(const Turning&) = delete;
  ~Turning() {
    if (!turns_) return;
    {
      const Lock lock{engine_.mutex_};
      engine_.turning_ = false;
    }
    engine_.changed_.notify_all();
  }

  explicit operator bool() const noexcept { return turns_; }

 private:
  AsyncEngine& engine_;
  bool turns_ = false;
};

AsyncEngine::AsyncEngine(std::shared_ptr<const ClientCore> core, AsyncOptions options)
    : core_(std::move(core)),
      options_((check(options), std::move(options))),
      most_(saturatingSum(options_.maxInFlight, options_.maxWaiting)),
      inProcess_(core_->options().transport->inProcess()),
      closer_(std::make_unique<Closer>(*this)),
      setup_(setUp(core_->options())) {}

AsyncEngine::~AsyncEngine() = default;

void AsyncEngine::startThread() {
  if (!inProcess_) thread_ = std::thread{[self = shared_from_this()] { self->work(); }};
}

void AsyncEngine::work() noexcept {
  while (!holds(&AsyncEngine::isStopped))
    turn();
}

/// Passes on what a handler has thrown, unless nobody could go on. If the loop itself can't wait, no call
/// can.
void AsyncEngine::turn() {
  try {
    loop().turn();
  } catch (...) {
    failAll(std::current_exception());
    if (!inProcess_) awaitCalls();
  }
  stopIfClosed();
  if (thrown_ && !isOrphaned_) std::rethrow_exception(std::exchange(thrown_, nullptr));
}

/// The calls that the handlers start meanwhile may succeed.
void AsyncEngine::failAll(const std::exception_ptr& exception) noexcept {
  Activities failing;
  failing.swap(outstanding_);
  while (!failing.empty()) {
    Activity& next = failing.front();
    if (next.waitsForPart()) {
      failing.pop_front();
      outstanding_.push_back(next);
    } else {
      next.failBy(exception);
    }
  }
  while (!late_.empty())
    late_.front().abort();
}

/// Without the clock, which has thrown.
void AsyncEngine::awaitCalls() {
  Lock lock{mutex_};
  awaitsCalls_ = true;
  changed_.wait(lock, [this] { return closed_ || unfinished_ != 0; });
  awaitsCalls_ = false;
}

void AsyncEngine::start(Activity& activity) {
  ActivityRef first{&activity};
  switch (enter()) {
    case Refusal::none:
      break;
    case Refusal::full:
      activity.refuse(refusal(ErrorKind::queueFull, "too many calls are outstanding"));
      break;
    case Refusal::closed:
      activity.refuse(refusal(ErrorKind::canceled, closedText));
      break;
    case Refusal::stopped:
      activity.refuse(refusal(ErrorKind::canceled, closedText));
      (void)first.release();
      return activity.endRefused();
  }
  activity.signal(Activity::starting);
  (void)first.release();  // of the engine, until the activity ends
}

AsyncEngine::Refusal AsyncEngine::enter() {
  Lock lock{mutex_};
  while (awaitsRoom())
    awaitRoom(lock);
  const bool full = isFull();
  ++unfinished_;
  if (awaitsCalls_) changed_.notify_all();
  if (closed_) return stopped_ ? Refusal::stopped : Refusal::closed;
  return full ? Refusal::full : Refusal::none;
}

bool AsyncEngine::awaitsRoom() const noexcept {
  return !closed_ && isFull() && options_.whenFull == WhenFull::wait && !setup_.loop->isCurrent();
}

void AsyncEngine::awaitRoom(Lock& lock) {
  watch(lock, [this] { return hasRoom() || (inProcess_ && !turning_); });
  if (hasRoom()) return;
  lock.unlock();
  turnUntil(&AsyncEngine::hasRoom);
  lock.lock();
}

/// Unless another thread does it.
void AsyncEngine::turnUntil(Condition over) {
  const auto self = shared_from_this();  // a handler may destroy the client
  const Turning turning{*this, over};
  if (!turning) return;
  while (!holds(over))
    turn();
  if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
}

bool AsyncEngine::holds(Condition condition) const {
  const Lock lock{mutex_};
  return (this->*condition)();
}

void AsyncEngine::run() {
  if (loop().isCurrent()) throw std::logic_error{"AsyncClient::run() can't be called in a handler"};
  if (inProcess_) return turnUntil(&AsyncEngine::isIdle);
  Lock lock{mutex_};
  changed_.wait(lock, [this] { return isIdle(); });
}

AsyncCounts AsyncEngine::counts() const {
  const Lock lock{mutex_};
  const std::size_t inFlight = inFlight_.load(std::memory_order_relaxed);
  const std::size_t all = unfinished_ + left_;
  return {.inFlight = inFlight, .waiting = all > inFlight ? all - inFlight : 0};
}

void AsyncEngine::deliver(ActivityRef activity, const Error* error) noexcept {
  const CloseResult change = activity->isRefusedAs(ErrorKind::canceled) ? CloseResult{} : resultOf(error);
  ++delivering_;
  try {
    if (options_.executor) {
      options_.executor(Completion{std::make_unique<Delivery>(std::move(activity))});
    } else {
      activity->complete();
    }
  } catch (...) {
    handlerThrew();
  }
  leave(change);
}

void AsyncEngine::handlerThrew() noexcept {
  if (options_.onException) return options_.onException(std::current_exception());
  if (!inProcess_ || !loop().isCurrent()) std::terminate();
  if (!thrown_) thrown_ = std::current_exception();
}

/// Wakes run() only once it may return: waking it for each call would double the cost of a call.
void AsyncEngine::leave(const CloseResult& change) noexcept {
  bool wakes = false;
  {
    const Lock lock{mutex_};
    --unfinished_;
    --delivering_;
    if (closed_) {
      closing_.completed += change.completed;
      closing_.unsent += change.unsent;
      closing_.unknown += change.unknown;
    }
    wakes = watching_ != 0 || isIdle();
  }
  if (wakes) changed_.notify_all();
}

void AsyncEngine::leftInFlight(AsyncDriver& call) noexcept {
  late_.push_back(call);
  const Lock lock{mutex_};
  ++left_;
}

void AsyncEngine::leftEnded() noexcept {
  bool wakes = false;
  {
    const Lock lock{mutex_};
    --left_;
    wakes = watching_ != 0 || isIdle();
  }
  if (wakes) changed_.notify_all();
}

bool AsyncEngine::acquireSlot(AsyncDriver& call) noexcept {
  if (inFlight_.load(std::memory_order_relaxed) >= options_.maxInFlight || !admission_.empty()) {
    admission_.push_back(call);
    return false;
  }
  inFlight_.fetch_add(1, std::memory_order_relaxed);
  return true;
}

/// Passes the place on to the call that has waited longest.
void AsyncEngine::releaseSlot() noexcept {
  if (admission_.empty()) {
    inFlight_.fetch_sub(1, std::memory_order_relaxed);
    return;
  }
  AsyncDriver& next = admission_.front();
  admission_.pop_front();
  next.admit();
}

CloseResult AsyncEngine::close(std::chrono::milliseconds timeLimit) {
  if (loop().isCurrent()) throw std::logic_error{"AsyncClient::close() can't be called in a handler"};
  return closeAt(saturatingAdd(loop().now(), saturatingNanoseconds(timeLimit)));
}

CloseResult AsyncEngine::closeAt(Instant deadline) {
  requestClose(deadline);
  if (inProcess_) {
    turnUntil(&AsyncEngine::isStopped);
  } else {
    const Lock joining{joining_};
    if (thread_.joinable()) thread_.join();
  }
  const Lock lock{mutex_};
  return closing_;
}

void AsyncEngine::closeInDestructor() noexcept {
  if (!loop().isCurrent()) {
    (void)closeAt(Instant::min());  // the clock might throw
  } else {
    isOrphaned_ = true;
    requestClose(Instant::min());
    if (thread_.joinable()) thread_.detach();  // it keeps this alive
  }
}

void AsyncEngine::requestClose(Instant deadline) {
  {
    const Lock lock{mutex_};
    if (std::exchange(closed_, true)) return;
  }
  changed_.notify_all();
  closer_->closeAt(deadline);
}

void AsyncEngine::cancelAll() noexcept {
  cancelsAll_ = true;
  for (Activity& activity : outstanding_)
    activity.signal(Activity::canceling);
}

/// Requests that nobody waits for end with the loop, and pages requested in advance. The last signals are
/// handled before, since they own their activities.
void AsyncEngine::stopIfClosed() noexcept {
  if (!holds(&AsyncEngine::isClosedAndDone)) return;
  if (!outstanding_.empty() && !cancelsAll_) cancelAll();
  while (!late_.empty())
    late_.front().abort();
  if (!outstanding_.empty()) return;
  {
    const Lock lock{mutex_};
    if (unfinished_ != 0 || !loop().endIfIdle()) return;  // a call that has been refused meanwhile
    stopped_ = true;
  }
  changed_.notify_all();
}

}  // namespace tally::detail

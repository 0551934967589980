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
class AsyncEngine::Closer final : public Task, public Timer {
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
  explicit Delivery(ActivityRef activity) : activity_(std::move(activity)) {}

  void complete() override { activity_->complete(); }

 private:
  ActivityRef activity_;
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
  while (!isStopped())
    turn();
}

/// Passes on what a handler has thrown, unless nobody could go on.
void AsyncEngine::turn() {
  loop().turn();
  stopIfClosed();
  if (thrown_ && !isOrphaned_) std::rethrow_exception(std::exchange(thrown_, nullptr));
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
  if (closed_) return stopped_ ? Refusal::stopped : Refusal::closed;
  return full ? Refusal::full : Refusal::none;
}

bool AsyncEngine::awaitsRoom() const noexcept {
  return !closed_ && isFull() && options_.whenFull == WhenFull::wait && !setup_.loop->isCurrent();
}

void AsyncEngine::awaitRoom(Lock& lock) {
  if (!inProcess_) return room_.wait(lock, [this] { return closed_ || !isFull(); });
  lock.unlock();
  turnUntil(&AsyncEngine::hasRoom);
  lock.lock();
}

void AsyncEngine::turnUntil(bool (AsyncEngine::*over)() const) {
  const auto self = shared_from_this();  // a handler may destroy the client
  const Lock turning{turning_};
  while (!(this->*over)())
    turn();
  if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
}

bool AsyncEngine::isIdle() const {
  const Lock lock{mutex_};
  return isIdleLocked();
}

bool AsyncEngine::isClosedAndDone() const {
  const Lock lock{mutex_};
  return closed_ && unfinished_ == 0;
}

bool AsyncEngine::hasRoom() const {
  const Lock lock{mutex_};
  return closed_ || !isFull();
}

bool AsyncEngine::isStopped() const {
  const Lock lock{mutex_};
  return stopped_;
}

void AsyncEngine::run() {
  if (loop().isCurrent()) throw std::logic_error{"AsyncClient::run() can't be called in a handler"};
  if (inProcess_) return turnUntil(&AsyncEngine::isIdle);
  Lock lock{mutex_};
  idle_.wait(lock, [this] { return isIdleLocked(); });
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
  bool idle = false;
  {
    const Lock lock{mutex_};
    --unfinished_;
    --delivering_;
    if (closed_) {
      closing_.completed += change.completed;
      closing_.unsent += change.unsent;
      closing_.unknown += change.unknown;
    }
    idle = isIdleLocked();
  }
  room_.notify_one();
  if (idle) idle_.notify_all();
}

void AsyncEngine::leftInFlight(AsyncDriver& call) noexcept {
  late_.push_back(call);
  const Lock lock{mutex_};
  ++left_;
}

void AsyncEngine::leftEnded() noexcept {
  bool idle = false;
  {
    const Lock lock{mutex_};
    --left_;
    idle = isIdleLocked();
  }
  if (idle) idle_.notify_all();
}

bool AsyncEngine::acquirePlace(AsyncDriver& call) noexcept {
  if (inFlight_.load(std::memory_order_relaxed) >= options_.maxInFlight || !admission_.empty()) {
    admission_.push_back(call);
    return false;
  }
  inFlight_.fetch_add(1, std::memory_order_relaxed);
  return true;
}

/// Passes the place on to the call that has waited longest.
void AsyncEngine::releasePlace() noexcept {
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
  requestClose(saturatingAdd(loop().now(), saturatingNanoseconds(timeLimit)));
  if (inProcess_) {
    turnUntil(&AsyncEngine::isStopped);
  } else {
    const Lock joining{turning_};
    if (thread_.joinable()) thread_.join();
  }
  const Lock lock{mutex_};
  return closing_;
}

void AsyncEngine::closeInDestructor() noexcept {
  if (!loop().isCurrent()) {
    (void)close(std::chrono::milliseconds{0});
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
  room_.notify_all();
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
  if (!isClosedAndDone()) return;
  if (!outstanding_.empty() && !cancelsAll_) cancelAll();
  while (!late_.empty())
    late_.front().abort();
  if (!outstanding_.empty() || loop().hasTasks()) return;
  {
    const Lock lock{mutex_};
    if (unfinished_ != 0) return;  // a call that has been refused meanwhile
    stopped_ = true;
  }
  idle_.notify_all();
}

}  // namespace tally::detail

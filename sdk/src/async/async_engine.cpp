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
  void run() override {
    engine_.loop().set(*this, deadline_);
    engine_.stopIfClosed();
  }
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

/// Passes on what a handler has thrown.
void AsyncEngine::turn() {
  loop().turn();
  if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
}

void AsyncEngine::start(Activity& activity) {
  ActivityRef first{&activity};
  switch (enter()) {
    case Refusal::none:
      break;
    case Refusal::full:
      activity.refuse(refusal(ErrorKind::queueFull, "too many calls are outstanding"));
      break;
    case Refusal::closed:  // its loop may have ended
      activity.setPart();
      (void)first.release();
      return activity.failed(refusal(ErrorKind::canceled, "the AsyncClient is closed"));
  }
  activity.signal(Activity::starting);
  (void)first.release();  // of the engine, until the activity ends
}

AsyncEngine::Refusal AsyncEngine::enter() {
  Lock lock{mutex_};
  if (isFull() && options_.whenFull == WhenFull::wait && !loop().isCurrent()) awaitRoom(lock);
  if (closed_) return Refusal::closed;
  return unfinished_++ >= most_ ? Refusal::full : Refusal::none;
}

void AsyncEngine::awaitRoom(Lock& lock) {
  if (!inProcess_) return changed_.wait(lock, [this] { return closed_ || !isFull(); });
  lock.unlock();
  turnUntil(&AsyncEngine::hasRoom);
  lock.lock();
}

void AsyncEngine::turnUntil(bool (AsyncEngine::*over)() const) {
  const auto self = shared_from_this();  // a handler may destroy the client
  const Lock turning{turning_};
  while (!(this->*over)())
    turn();
}

bool AsyncEngine::isIdle() const {
  const Lock lock{mutex_};
  return closed_ ? stopped_ : unfinished_ == 0;
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
  changed_.wait(lock, [this] { return closed_ ? stopped_ : unfinished_ == 0; });
}

AsyncCounts AsyncEngine::counts() const {
  const Lock lock{mutex_};
  const std::size_t inFlight = inFlight_.load(std::memory_order_relaxed);
  return {.inFlight = inFlight, .waiting = unfinished_ > inFlight ? unfinished_ - inFlight : 0};
}

void AsyncEngine::deliver(ActivityRef activity, const Error* error) noexcept {
  const CloseResult change = resultOf(error);
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
  if (!inProcess_) std::terminate();
  if (!thrown_) thrown_ = std::current_exception();
}

void AsyncEngine::leave(const CloseResult& change) noexcept {
  {
    const Lock lock{mutex_};
    --unfinished_;
    if (closed_) {
      closing_.completed += change.completed;
      closing_.unsent += change.unsent;
      closing_.unknown += change.unknown;
    }
  }
  changed_.notify_all();
  stopIfClosed();
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
  } else if (thread_.joinable()) {
    thread_.join();
  }
  const Lock lock{mutex_};
  return closing_;
}

void AsyncEngine::closeInDestructor() noexcept {
  if (!loop().isCurrent()) {
    (void)close(std::chrono::milliseconds{0});
  } else {
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

/// Requests that nobody waits for end with the loop.
void AsyncEngine::stopIfClosed() noexcept {
  {
    const Lock lock{mutex_};
    if (!closed_ || unfinished_ != 0) return;
  }
  while (!late_.empty())
    static_cast<AsyncDriver&>(late_.front()).abort();
  {
    const Lock lock{mutex_};
    stopped_ = true;
  }
  changed_.notify_all();
}

}  // namespace tally::detail

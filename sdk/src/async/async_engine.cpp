#include "async/async_engine.h"

#include <limits>
#include <new>
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

}  // namespace

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

/// Null if memory runs out: the result is then delivered without the executor instead of being lost.
std::unique_ptr<Completing> AsyncEngine::deliveryOf(ActivityRef& activity) {
  try {
    return std::make_unique<Delivery>(std::move(activity));
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

AsyncEngine::AsyncEngine(std::shared_ptr<const ClientCore> core, AsyncOptions options)
    : core_(std::move(core)),
      options_((check(options), std::move(options))),
      full_({.kind = ErrorKind::queueFull, .message = "too many calls are outstanding"}),
      closed_({.kind = ErrorKind::canceled, .message = "the AsyncClient is closed"}),
      slots_(options_.maxInFlight),
      admission_(saturatingSum(options_.maxInFlight, options_.maxWaiting)),
      closing_([this] { signalAll(); }),
      owner_(setUp(core_->options()), core_->options().transport->inProcess(), *this) {
  slots_.limitTo(owner_.transport().mostInFlight());
}

AsyncEngine::~AsyncEngine() = default;

void AsyncEngine::start(Activity& activity) {
  ActivityRef first{&activity};
  switch (enter()) {
    case Refusal::none:
      break;
    case Refusal::full:
      activity.refuse(full_);
      break;
    case Refusal::closed:
      activity.refuse(closed_);
      break;
    case Refusal::stopped:
      return refuseStopped(activity, std::move(first));
  }
  activity.signal(Activity::starting);
  (void)first.release();  // of the engine, until the activity ends
}

/// The activity may be the last to keep the engine, and an executor may release it before it returns.
void AsyncEngine::refuseStopped(Activity& activity, ActivityRef first) {
  const auto self = shared_from_this();
  activity.refuse(closed_);
  (void)first.release();
  activity.failRefused();
}

AsyncEngine::Refusal AsyncEngine::enter() {
  LoopOwner::Lock lock = owner_.lock();
  const bool isInherited = owner_.isInherited();
  if (!isInherited && options_.whenFull == WhenFull::wait && admission_.isFull() && !loop().isCurrent())
    owner_.waitUntil(lock, [this] { return closing_.hasBegun() || !admission_.isFull(); });
  const bool admitted = admission_.enter();
  if (isInherited) return Refusal::stopped;
  owner_.wakeLoop();
  if (closing_.hasBegun()) return owner_.hasStopped() ? Refusal::stopped : Refusal::closed;
  return admitted ? Refusal::none : Refusal::full;
}

void AsyncEngine::run() {
  if (loop().isCurrent()) throw std::logic_error{"AsyncClient::run() can't be called from a handler"};
  if (owner_.isInherited()) return;
  const auto self = shared_from_this();  // a handler may destroy the client
  owner_.waitUntilIdle();
}

AsyncCounts AsyncEngine::counts() const {
  const auto lock = owner_.lock();
  const std::size_t inFlight = slots_.inFlight();
  const std::size_t all = admission_.outstanding() + admission_.detached();
  return {.inFlight = inFlight, .waiting = all > inFlight ? all - inFlight : 0};
}

void AsyncEngine::deliver(ActivityRef activity, const Error* error) noexcept {
  const CloseResult outcome = activity->isRefusedAs(ErrorKind::canceled) ? CloseResult{} : outcomeOf(error);
  admission_.deliver();
  try {
    auto delivery = options_.executor ? deliveryOf(activity) : nullptr;
    if (delivery != nullptr) {
      options_.executor(Completion{std::move(delivery)});
    } else {
      activity->complete();
    }
  } catch (...) {
    handlerThrew();
  }
  leave(outcome);
}

void AsyncEngine::handlerThrew() noexcept {
  if (options_.onException) return options_.onException(std::current_exception());
  if (!owner_.isLent()) std::terminate();
  owner_.keep(std::current_exception());
}

void AsyncEngine::leave(const CloseResult& outcome) noexcept {
  auto lock = owner_.lock();
  admission_.leave();
  closing_.add(outcome);
  owner_.wakeWaiting(std::move(lock));
}

void AsyncEngine::detached(OutgoingRequest& request) noexcept {
  detached_.push_back(request);
  const auto lock = owner_.lock();
  admission_.detach();
}

void AsyncEngine::detachedEnded() noexcept {
  auto lock = owner_.lock();
  admission_.detachedEnded();
  owner_.wakeWaiting(std::move(lock));
}

CloseResult AsyncEngine::close(std::chrono::milliseconds timeLimit) {
  if (loop().isCurrent()) throw std::logic_error{"AsyncClient::close() can't be called from a handler"};
  return closeAt(saturatingAdd(loop().now(), saturatingNanoseconds(timeLimit)));
}

/// The parent of this process carries on with the calls of an inherited engine, which its thread keeps.
CloseResult AsyncEngine::closeAt(Instant deadline) {
  if (owner_.isInherited()) return {};
  const auto self = shared_from_this();  // a handler may destroy the client
  requestClose(deadline);
  owner_.waitUntilStopped();
  const auto lock = owner_.lock();
  return closing_.result();
}

void AsyncEngine::closeInDestructor() noexcept {
  if (!loop().isCurrent()) {
    (void)closeAt(Instant::min());  // the clock might throw
  } else {
    // At once, since the handler may have more to do, such as with the rest of a page. close() may have been
    // called with a later deadline.
    requestClose(Instant::min());
    closing_.cancelNow();
    owner_.orphan();
  }
}

void AsyncEngine::requestClose(Instant deadline) {
  auto lock = owner_.lock();
  if (!closing_.begin()) return;
  owner_.wakeLoop();
  owner_.wakeWaiting(std::move(lock));
  closing_.cancelAt(loop(), deadline);
}

void AsyncEngine::signalAll() noexcept {
  for (Activity& activity : outstanding_)
    activity.signal(Activity::canceling);
}

void AsyncEngine::abortDetached() noexcept {
  while (!detached_.empty())
    detached_.front().abort();
}

/// The calls that the handlers start meanwhile may succeed.
void AsyncEngine::fail(const std::exception_ptr& exception) noexcept {
  const EventLoop::Turn turn{loop()};  // for the handlers and observers
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
  abortDetached();
}

/// Requests that nobody waits for end with the loop, and pages requested in advance. The last signals are
/// handled before, since they own their activities.
void AsyncEngine::stopIfClosed() noexcept {
  {
    const auto lock = owner_.lock();
    if (!closing_.hasBegun() || admission_.outstanding() != 0) return;
  }
  const EventLoop::Turn turn{loop()};  // for the observers
  if (!outstanding_.empty()) closing_.cancelNow();
  abortDetached();
  if (!outstanding_.empty()) return;
  auto lock = owner_.lock();
  if (admission_.outstanding() != 0 || !owner_.stopIfIdle())
    return;  // a call that has been refused meanwhile
  owner_.wakeWaiting(std::move(lock));
}

bool AsyncEngine::isIdle() const noexcept {
  if (closing_.hasBegun()) return owner_.hasStopped();
  return admission_.outstanding() == 0 && admission_.detached() == 0;
}

bool AsyncEngine::needsLoop() const noexcept {
  return closing_.hasBegun() || admission_.outstanding() != 0;
}

}  // namespace tally::detail

#include "async/activity.h"

#include <new>
#include <string>
#include <utility>

namespace tally::detail {

namespace {

std::string messageOf(const std::exception_ptr& exception) {
  std::string message = "an exception ended the call";
  try {
    std::rethrow_exception(exception);
  } catch (const std::exception& known) {
    message += std::string{": "} + known.what();
  } catch (...) {
    message += ": not a std::exception";
  }
  return message;
}

/// The error of an activity that an exception of a transport, a clock or an observer has ended. Without
/// memory, it is `unexplained`.
Error errorOf(const std::exception_ptr& exception, const Error& unexplained) noexcept {
  try {
    return Error{{.kind = ErrorKind::exception, .message = messageOf(exception)}};
  } catch (const std::bad_alloc&) {
    return unexplained;
  }
}

}  // namespace

Activity::Activity(std::shared_ptr<ActivityHost> engine)
    : engine_(std::move(engine)), unexplained_(unexplained()) {}

const Error& Activity::unexplained() {
  static const Error error{{.kind = ErrorKind::exception, .message = "an exception ended the call"}};
  return error;
}

void Activity::signal(Signal signal) noexcept {
  if (signals_.fetch_or(signal, std::memory_order_acq_rel) != 0) return;
  addRef();
  if (!engine_->loop().post(*this)) release();
}

void Activity::startAsPart() noexcept {
  isPart_ = true;
  engine_->began(*this);
  signal(starting);
}

void Activity::release() noexcept {
  if (refs_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
}

void Activity::releaseInLoop() noexcept {
  EventLoop& loop = engine_->loop();
  if (loop.isCurrent() || signals_.fetch_or(returning, std::memory_order_acq_rel) != 0 ||
      !loop.postIfTurning(*this))
    release();
}

void Activity::run() {
  const unsigned signals = signals_.exchange(0, std::memory_order_acq_rel);
  if (!ended_) guarded([&] { handle(signals); });
  release();  // the signal's reference
}

void Activity::handle(unsigned signals) {
  if ((signals & canceling) != 0 || engine_->cancelsAll()) canceled_ = true;
  if ((signals & starting) == 0) {
    // A coroutine may be destroyed while the start of its call waits for room.
    if (is_linked()) resume();
    return;
  }
  if (!isPart_) engine_->began(*this);
  if (refusal_) return fail(*refusal_);
  begin();
}

void Activity::expired() {
  guarded([this] { resume(); });
}

void Activity::failBy(const std::exception_ptr& exception) noexcept {
  if (!ended_) fail(errorOf(exception, unexplained_));
}

void Activity::setTimer(Instant time) noexcept {
  if (time == Instant::max()) return stopTimer();
  engine_->loop().set(*this, time);
}

void Activity::stopTimer() noexcept {
  engine_->loop().cancel(*this);
}

void Activity::end(const Error* error) noexcept {
  stopTimer();
  unlink();
  ended_ = true;
  ActivityRef self{this};
  if (isPart_) return complete();
  engine_->deliver(std::move(self), error);
}

}  // namespace tally::detail

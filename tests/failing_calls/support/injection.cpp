#include "failing_calls/support/injection.h"

#include <cerrno>
#include <utility>

#include <execinfo.h>

namespace tally::test {

namespace {

constinit thread_local Side threadSide = Side::none;
constinit thread_local bool isExempt = false;

constinit std::atomic<Injection*> current = nullptr;
constinit Side failingSide = Side::none;
constinit const Place* failingPlace = nullptr;

void note(Injection& injection) noexcept {
  if (injection.hasFailed.exchange(true)) return;
  const Exempt exempt;
  injection.callers.count = ::backtrace(injection.callers.frames.data(), Callers::most);
}

/// Whether this call is the one that fails, or a later one.
bool isFailing(Call call, std::uint32_t number) noexcept {
  if (failingPlace == nullptr || failingPlace->call != call) return false;
  return number == failingPlace->number || (number > failingPlace->number && failingPlace->persists);
}

/// The failing place, or null.
const Place* meet(Call call) noexcept {
  Injection* const injection = current.load(std::memory_order_acquire);
  if (injection == nullptr || threadSide != failingSide || isExempt) return nullptr;
  const std::uint32_t number = ++injection->counts[static_cast<std::size_t>(call)];
  if (!isFailing(call, number)) return nullptr;
  note(*injection);
  return failingPlace;
}

}  // namespace

OnSide::OnSide(Side side) noexcept : before_(std::exchange(threadSide, side)) {}

OnSide::~OnSide() {
  threadSide = before_;
}

Side currentSide() noexcept {
  return threadSide;
}

Exempt::Exempt() noexcept : before_(std::exchange(isExempt, true)) {}

bool Exempt::isInForce() noexcept {
  return isExempt;
}

Exempt::~Exempt() {
  isExempt = before_;
}

FailingCalls::FailingCalls(Injection& injection, Side side, const Place* place) noexcept {
  failingSide = side;
  failingPlace = place;
  current.store(&injection, std::memory_order_release);
}

FailingCalls::~FailingCalls() {
  current.store(nullptr, std::memory_order_release);
}

bool fails(Call call) noexcept {
  const Place* const place = meet(call);
  if (place == nullptr || place->error == Failure::shortened) return false;
  errno = place->error;
  return true;
}

bool fails(Call call, std::size_t& size) noexcept {
  const Place* const place = meet(call);
  if (place == nullptr) return false;
  if (place->error == Failure::shortened) {
    size = size == 0 ? 0 : 1;
    return false;
  }
  errno = place->error;
  return true;
}

bool failsFromNowOn(Call call) noexcept {
  const Injection* const injection = current.load(std::memory_order_acquire);
  return injection != nullptr && injection->hasFailed && failingPlace->call == call && failingPlace->persists;
}

}  // namespace tally::test

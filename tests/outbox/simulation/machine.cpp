#include "outbox/simulation/machine.h"

#include <utility>

namespace tally::test {

namespace {

using namespace std::chrono_literals;

class MachineClock final : public Clock {
 public:
  explicit MachineClock(Machine& machine) : machine_(machine) {}

  [[nodiscard]] Instant now() const override {
    const auto time = machine_.time().now().time_since_epoch();
    const auto since = time - std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}.time_since_epoch();
    return Instant{time + machine_.skew + since / 1'000'000 * machine_.drift};
  }

  bool sleepUntil(Instant time, StopToken stop) override {
    machine_.pass();
    if (time <= now()) return true;
    const bool reached = machine_.time().sleepUntil(inTime(time), std::move(stop));
    machine_.pass();
    return reached;
  }

  bool waitUntil(Instant time, StopToken stop) override {
    return machine_.time().waitUntil(inTime(time), std::move(stop));
  }

 private:
  /// Never too early.
  [[nodiscard]] Instant inTime(Instant time) const {
    if (time == Instant::max()) return time;
    const auto wait = time - now();
    return machine_.time().now() + wait + (machine_.drift == 0 ? 0ns : wait / 500 + 1us);
  }

  Machine& machine_;
};

}  // namespace

Machine::Machine(std::shared_ptr<fake::VirtualClock> time, StopToken over)
    : time_(std::move(time)), over_(std::move(over)) {}

void Machine::pass() {
  if (isDead) (void)time_->waitUntil(Instant::max(), over_);
  if (isOver()) return;
  if (const auto frozen = std::exchange(freeze, std::nullopt)) {
    (void)time_->sleepUntil(time_->now() + *frozen, over_);
    if (stopsWhileFrozen) skew -= *frozen;
  }
}

Machine*& Machine::current() noexcept {
  thread_local Machine* machine = nullptr;
  return machine;
}

std::shared_ptr<Clock> Machine::clock() {
  return std::make_shared<MachineClock>(*this);
}

}  // namespace tally::test

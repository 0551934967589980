#include <ostream>
#include <utility>

#include <tally/fake/holds.h>

#include "engine/engine.h"
#include "service/input_check.h"
#include "time/saturating.h"

namespace tally::fake {

using detail::Caller;
using detail::Holding;

Hold Holds::lockObject(std::string_view key, std::string_view id,
                       std::optional<std::chrono::nanoseconds> duration) {
  if (duration) detail::checkDuration(*duration);
  const std::uint64_t number = engine_->nextHold();
  const auto change = engine_->change();
  const Caller owner = change->accounts.ownerOf(key);
  Holding lock{.account = owner.account->account.id, .livemode = owner.livemode, .object = std::string{id}};
  const Instant now = engine_->clock()->now();
  if (duration) lock.until = tally::detail::saturatingAdd(now, *duration);
  const Instant end = lock.until.value_or(Instant::max());
  change->holds.emplace(number, std::move(lock));
  owner.mode().locks.lock(id, now, end, number);
  return {engine_, number};
}

Hold Holds::takeConcurrency(std::string_view key, std::string_view operation, std::int64_t units) {
  detail::checkCount(units, "unit");
  const auto* meant = operation.empty() ? nullptr : &operationNamed(engine_->catalog(), operation);
  const std::uint64_t number = engine_->nextHold();
  const auto change = engine_->change();
  const Caller owner = change->accounts.ownerOf(key);
  change->holds.emplace(number, Holding{.account = owner.payer->account.id,
                                        .livemode = owner.livemode,
                                        .operation = meant,
                                        .units = units});
  owner.payerMode().counters.hold(engine_->catalog().plan(), meant, units, engine_->clock()->now());
  return {engine_, number};
}

void Hold::release() noexcept {
  if (const auto engine = engine_.lock()) {
    const auto change = engine->change();
    change->release(number_, engine->catalog().plan(), engine->clock()->now());
    change.wakeAll();
  }
  engine_.reset();
}

std::optional<HeldThing> Hold::held() const {
  const auto engine = engine_.lock();
  if (!engine) return std::nullopt;
  const auto reading = engine->read();
  const auto found = reading->holds.find(number_);
  if (found == reading->holds.end()) return std::nullopt;
  const Holding& hold = found->second;
  if (hold.until && *hold.until <= engine->clock()->now()) return std::nullopt;
  return HeldThing{.account = hold.account,
                   .livemode = hold.livemode,
                   .object = hold.object,
                   .operation = std::string{hold.operation == nullptr ? "" : hold.operation->name},
                   .units = hold.units,
                   .until = hold.until};
}

std::ostream& operator<<(std::ostream& out, const HeldThing& value) {
  if (value.units == 0) {
    out << "the lock of " << value.object;
  } else {
    out << value.units << (value.units == 1 ? " unit" : " units") << " of "
        << (value.operation.empty() ? "any operation" : value.operation);
  }
  out << " of " << value.account << (value.livemode ? " in live mode" : " in the sandbox");
  if (value.until) out << " until " << tally::toString(*value.until);
  return out;
}

}  // namespace tally::fake

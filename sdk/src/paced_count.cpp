#include "paced_count.h"

#include <algorithm>

namespace tally::detail {

using std::chrono::nanoseconds;

namespace {

int breadth(const Limit& limit) {
  if (limit.scope == LimitScope::object) return 0;
  if (limit.scope == LimitScope::operation) return 1;
  return limit.operations.empty() ? 3 : 2;
}

/// A place among those in progress is taken last: it should not stand empty while a call waits for another.
int rankOf(const Limit& limit) {
  return 2 * breadth(limit) + (limit.counts == LimitCounts::inProgress ? 1 : 0);
}

}  // namespace

PacedCount::PacedCount(const Slot& slot, std::optional<std::int64_t> number, nanoseconds recovery,
                       std::uint64_t serial)
    : slot_(slot),
      order_(rankOf(*slot.limit), serial),
      number_(number, std::max<nanoseconds>(recovery, slot.limit->window)),
      window_(slot.limit->window) {}

std::int64_t PacedCount::used(Instant now) const {
  return held_ + (isRate() ? window_.countAt(now) : 0);
}

bool PacedCount::hasPlace(Instant now) const {
  const auto number = number_.at(now);
  return !number || used(now) < *number;
}

void PacedCount::settle(Instant arrived, Instant now) {
  --held_;
  if (isRate()) window_.addLate(arrived, now);
}

std::optional<Instant> PacedCount::frees(Instant now) const {
  if (hasPlace(now)) return now;
  const auto number = number_.at(now);
  if (!isRate() || held_ >= *number) return std::nullopt;
  const auto falls = window_.fallsBelow(*number - held_, now);
  const auto rises = number_.rises(now);
  return rises ? std::min(*falls, *rises) : falls;
}

Instant PacedCount::earliest(std::int64_t ahead, Instant now) const {
  const auto full = number_.full();
  if (!full || !isRate()) return now;
  const std::int64_t before = used(now) + ahead - *full;  // places that become free before the one it gets
  if (before < 0) return now;
  const std::int64_t over = window_.countAt(now);
  const std::int64_t rest = before % *full;
  const Instant first = rest < over ? *window_.fallsBelow(over - rest, now) : now;
  const std::int64_t windows = before / *full;
  if (windows > (Instant::max() - first) / limit().window) return Instant::max();
  return first + windows * limit().window;
}

void PacedCount::refused(std::int64_t before, Instant sent, Instant now) {
  const std::int64_t was = before + 1;
  if (!isRate()) return number_.lower(std::max<std::int64_t>(before, 1), was, now);
  // Whatever was on its way when it was lowered can't tell whether that was enough.
  if (number_.loweredSince(sent)) return;
  const std::int64_t most = std::min(was, number_.at(now).value_or(was));
  number_.lower(std::max<std::int64_t>(most / 2, 1), was, now);
}

bool PacedCount::isIdle(Instant now) const {
  return calls_ == 0 && used(now) == 0 && !number_.isLowered(now);
}

}  // namespace tally::detail

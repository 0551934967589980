#include "limits/object_locks.h"

#include <algorithm>

namespace tally::fake::detail {

Instant ObjectLocks::Locks::end() const {
  Instant last = ofRequests;
  for (const Hold& hold : held)
    last = std::max(last, hold.end);
  return last;
}

std::optional<Instant> ObjectLocks::lockedUntil(std::string_view id, Instant now) {
  const auto found = locks_.find(id);
  if (found == locks_.end()) return std::nullopt;
  if (const Instant end = found->second.end(); end > now) return end;
  if (found->second.waiting == 0) locks_.erase(found);
  return std::nullopt;
}

Instant ObjectLocks::lastEnd(std::string_view id) const {
  const auto found = locks_.find(id);
  return found == locks_.end() ? Instant::min() : found->second.end();
}

void ObjectLocks::beginWait(std::string_view id) {
  if (const auto found = locks_.find(id); found != locks_.end()) ++found->second.waiting;
}

/// After dropHeld(), it no longer waits here.
void ObjectLocks::endWait(std::string_view id) {
  const auto found = locks_.find(id);
  if (found != locks_.end() && found->second.waiting != 0) --found->second.waiting;
}

void ObjectLocks::lock(std::string_view id, Instant now, Instant end, std::uint64_t holder) {
  if (locks_.size() >= sweepAt_) sweep(now);
  Locks& locks = locks_.try_emplace(std::string{id}).first->second;
  if (holder == 0) {
    locks.ofRequests = std::max(locks.ofRequests, end);
  } else {
    locks.held.push_back({end, holder});
  }
}

/// Needed because lockedUntil(), which also removes expired locks, may never be called again for most
/// objects.
void ObjectLocks::sweep(Instant now) {
  std::erase_if(locks_,
                [now](const auto& entry) { return entry.second.waiting == 0 && entry.second.end() <= now; });
  sweepAt_ = std::max<std::size_t>(64, 2 * locks_.size());
}

void ObjectLocks::unlock(std::string_view id, Instant now, std::uint64_t holder) {
  const auto found = locks_.find(id);
  if (found == locks_.end()) return;
  Locks& locks = found->second;
  const auto hold = std::ranges::find(locks.held, holder, &Hold::holder);
  if (hold == locks.held.end()) return;
  locks.ofRequests = std::max(locks.ofRequests, std::min(hold->end, now));
  locks.held.erase(hold);
}

void ObjectLocks::dropHeld() {
  for (auto& [id, locks] : locks_) {
    locks.held.clear();
    locks.waiting = 0;
  }
}

}  // namespace tally::fake::detail

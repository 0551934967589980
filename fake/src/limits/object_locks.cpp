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
  locks_.erase(found);
  return std::nullopt;
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
  std::erase_if(locks_, [now](const auto& entry) { return entry.second.end() <= now; });
  sweepAt_ = std::max<std::size_t>(64, 2 * locks_.size());
}

void ObjectLocks::unlock(std::string_view id, std::uint64_t holder) {
  const auto found = locks_.find(id);
  if (found == locks_.end()) return;
  std::erase_if(found->second.held, [holder](const Hold& hold) { return hold.holder == holder; });
}

void ObjectLocks::dropHeld() {
  for (auto& [id, locks] : locks_)
    locks.held.clear();
}

}  // namespace tally::fake::detail

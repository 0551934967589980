#include "object_locks.h"

#include <algorithm>
#include <utility>

namespace tally::fake::detail {

void ObjectLocks::remove(std::size_t index) {
  std::swap(holds_[index], holds_.back());
  holds_.pop_back();
}

std::optional<Instant> ObjectLocks::lockedUntil(std::string_view id, Instant now) {
  std::optional<Instant> until;
  for (std::size_t i = 0; i < holds_.size();) {
    if (holds_[i].end <= now) {
      remove(i);
      continue;
    }
    if (holds_[i].id == id) until = std::max(until.value_or(now), holds_[i].end);
    ++i;
  }
  return until;
}

void ObjectLocks::lock(std::string_view id, Instant end, std::uint64_t holder) {
  holds_.push_back({std::string{id}, end, holder});
}

void ObjectLocks::unlock(std::uint64_t holder) {
  std::erase_if(holds_, [holder](const Hold& hold) { return hold.holder == holder; });
}

void ObjectLocks::dropHeld() {
  std::erase_if(holds_, [](const Hold& hold) { return hold.holder != 0; });
}

}  // namespace tally::fake::detail

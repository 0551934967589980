#include "in_progress.h"

#include <algorithm>
#include <functional>

namespace tally::fake::detail {

void InProgress::forget(Instant now) {
  while (!ends_.empty() && ends_.front() <= now) {
    std::ranges::pop_heap(ends_, std::greater<>{});
    ends_.pop_back();
  }
}

std::int64_t InProgress::count(Instant now) {
  forget(now);
  return held_ + static_cast<std::int64_t>(ends_.size());
}

void InProgress::addUntil(Instant end) {
  ends_.push_back(end);
  std::ranges::push_heap(ends_, std::greater<>{});
}

std::optional<Instant> InProgress::nextEnd(Instant now) {
  forget(now);
  if (ends_.empty()) return std::nullopt;
  return ends_.front();
}

}  // namespace tally::fake::detail

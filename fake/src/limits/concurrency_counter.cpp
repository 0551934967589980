#include "limits/concurrency_counter.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>

namespace tally::fake::detail {

void ConcurrencyCounter::forget(Instant now) {
  while (!ends_.empty() && ends_.front() <= now) {
    std::ranges::pop_heap(ends_, std::greater<>{});
    ends_.pop_back();
  }
}

std::int64_t ConcurrencyCounter::count(Instant now) {
  forget(now);
  return held_ + static_cast<std::int64_t>(ends_.size());
}

std::int64_t ConcurrencyCounter::countAt(Instant now) const {
  return held_ + std::ranges::count_if(ends_, [now](Instant end) { return end > now; });
}

/// Removes the requests that have ended, since count() may never be called.
void ConcurrencyCounter::addUntil(Instant end, Instant now) {
  forget(now);
  ends_.push_back(end);
  std::ranges::push_heap(ends_, std::greater<>{});
}

std::optional<Instant> ConcurrencyCounter::fallsBelow(std::int64_t number, Instant now) const {
  std::vector<Instant> ends;
  std::ranges::copy_if(ends_, std::back_inserter(ends), [now](Instant end) { return end > now; });
  const std::int64_t tooMany = held_ + std::ssize(ends) - number;
  if (tooMany < 0) return now;
  if (tooMany >= std::ssize(ends)) return std::nullopt;
  const auto last = ends.begin() + static_cast<std::ptrdiff_t>(tooMany);
  std::ranges::nth_element(ends, last);
  return *last;
}

}  // namespace tally::fake::detail

#include "pagination/prefetch_schedule.h"

#include <utility>

namespace tally::detail {

bool PrefetchSchedule::ask(const std::string& cursor) {
  asked_ = true;
  if (pages_.empty() && !next_) next_ = cursor;
  return first() == cursor;
}

/// Every page fetched, except one that is waited for, is a prefetched page.
bool PrefetchSchedule::hasNext() const noexcept {
  return next_ && !begun_ && pages_.size() <= (asked_ ? 1U : 0U);
}

const std::string* PrefetchSchedule::begin() noexcept {
  if (!hasNext()) return nullptr;
  begun_ = true;
  return &*next_;
}

void PrefetchSchedule::fetched(RawPage page) {
  auto next = std::exchange(page.next, std::nullopt);
  pages_.push_back({*std::move(next_), std::move(page)});
  next_ = std::move(next);
  begun_ = false;
}

RawPage PrefetchSchedule::take() {
  RawPage page = std::move(pages_.front().page);
  pages_.erase(pages_.begin());
  asked_ = false;
  return page;
}

}  // namespace tally::detail

#include "request_log.h"

namespace tally::fake::detail {

LoggedRequest* RequestLog::next() {
  if (capacity_ == 0) return nullptr;
  if (entries_.size() < capacity_) return &entries_.emplace_back();
  LoggedRequest* entry = &entries_[oldest_];
  oldest_ = (oldest_ + 1) % capacity_;
  return entry;
}

std::vector<LoggedRequest> RequestLog::entries() const {
  std::vector<LoggedRequest> result;
  result.reserve(entries_.size());
  for (std::size_t i = 0; i < entries_.size(); ++i)
    result.push_back(entries_[(oldest_ + i) % entries_.size()]);
  return result;
}

}  // namespace tally::fake::detail

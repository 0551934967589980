#include "faults/request_log.h"

#include <algorithm>
#include <utility>

namespace tally::fake::detail {

namespace {

/// The memory of the parts of an entry whose size the sender controls.
std::size_t bytesOf(const LoggedRequest& entry) {
  const HttpRequest& request = entry.request;
  std::size_t bytes = request.url.capacity() + request.body.capacity() + entry.object.capacity() +
                      request.headers.capacity() * sizeof(Header);
  for (const Header& header : request.headers)
    bytes += header.name.capacity() + header.value.capacity();
  return bytes;
}

}  // namespace

LoggedRequest* RequestLog::next() {
  if (capacity_ == 0) {
    ++dropped_;
    return nullptr;
  }
  addUp();
  if (count_ == capacity_) {
    bytes_ -= bytesOf(entries_[oldest_]);
    forgetOldest();
  }
  if (count_ == entries_.size()) {
    std::rotate(entries_.begin(), entries_.begin() + static_cast<std::ptrdiff_t>(oldest_), entries_.end());
    oldest_ = 0;
    entries_.emplace_back();
  }
  LoggedRequest& entry = entries_[(oldest_ + count_++) % entries_.size()];
  entry.number = dropped_ + count_;
  return &entry;
}

/// Counts the newest entry, and frees the oldest ones while the log is too large.
void RequestLog::addUp() {
  if (count_ == 0) return;
  bytes_ += bytesOf(entries_[(oldest_ + count_ - 1) % entries_.size()]);
  while (bytes_ > mostBytes_) {
    bytes_ -= bytesOf(std::exchange(entries_[oldest_], {}));
    forgetOldest();
  }
}

void RequestLog::forgetOldest() {
  oldest_ = (oldest_ + 1) % entries_.size();
  --count_;
  ++dropped_;
}

std::vector<LoggedRequest> RequestLog::entries(std::uint64_t after, std::size_t most) const {
  const std::size_t first = after <= dropped_ ? 0 : std::min<std::uint64_t>(after - dropped_, count_);
  const std::size_t end = first + std::min(most, count_ - first);
  std::vector<LoggedRequest> result;
  result.reserve(end - first);
  for (std::size_t i = first; i < end; ++i)
    result.push_back(entries_[(oldest_ + i) % entries_.size()]);
  return result;
}

}  // namespace tally::fake::detail

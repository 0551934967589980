#include "faults/request_log.h"

#include <utility>

namespace tally::fake::detail {

namespace {

constexpr std::size_t growth = 4;

std::size_t bytesOf(const std::vector<Header>& headers) {
  std::size_t bytes = headers.capacity() * sizeof(Header);
  for (const Header& header : headers)
    bytes += header.name.capacity() + header.value.capacity();
  return bytes;
}

std::size_t bytesOf(const std::optional<HttpResponse>& response) {
  return response ? response->body.capacity() + bytesOf(response->headers) : 0;
}

/// The memory of the parts of an entry that may be large.
std::size_t bytesOf(const LoggedRequest& entry) {
  const HttpRequest& request = entry.request;
  return request.url.capacity() + request.body.capacity() + entry.object.capacity() +
         bytesOf(request.headers) + bytesOf(entry.response);
}

}  // namespace

/// Adds up the memory of the copied entries, which lack the spare capacity of the reused ones.
RequestLog::RequestLog(const RequestLog& other)
    : capacity_(other.capacity_),
      mostBytes_(other.mostBytes_),
      oldest_(other.oldest_),
      count_(other.count_),
      bare_(other.bare_),
      cleared_(other.cleared_),
      dropped_(other.dropped_),
      entries_(other.entries_) {
  for (std::size_t age = 0; age + 1 < count_; ++age)
    bytes_ += bytesOf(entries_[place(age)]);
}

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
    grow();
  }
  LoggedRequest& entry = entries_[place(count_++)];
  entry.number = last();
  return &entry;
}

/// The entry before it becomes the newest again, which does not count in `bytes_`.
void RequestLog::takeBack() noexcept {
  if (capacity_ == 0) {
    --dropped_;
  } else if (--count_ != 0) {
    bytes_ -= bytesOf(entries_[place(count_ - 1)]);
  }
}

/// Adds an entry. Entries are large, so they move less often than in a vector that doubles. Memory that is
/// reserved and not used is never touched.
void RequestLog::grow() {
  if (const std::size_t size = entries_.size(); size == entries_.capacity())
    entries_.reserve(std::min(capacity_, growth * size));
  entries_.emplace_back();
}

/// Counts the newest entry, and frees the oldest ones while the log is too large.
void RequestLog::addUp() {
  if (count_ == 0) return;
  bytes_ += bytesOf(entries_[place(count_ - 1)]);
  while (bytes_ > mostBytes_)
    makeRoom();
}

void RequestLog::makeRoom() {
  if (bare_ < count_) {
    LoggedRequest& entry = entries_[place(bare_++)];
    entry.responseMissing = entry.responseMissing || entry.response;
    bytes_ -= bytesOf(std::exchange(entry.response, std::nullopt));
  } else {
    bytes_ -= bytesOf(std::exchange(entries_[oldest_], {}));
    forgetOldest();
  }
}

void RequestLog::forgetOldest() {
  oldest_ = place(1);
  bare_ -= std::min<std::size_t>(bare_, 1);
  --count_;
  ++dropped_;
}

/// The newest entry does not count in `bytes_` yet, and those that gave up their response don't get one
/// again.
void RequestLog::complete(std::uint64_t number, const HttpResponse& response) {
  const std::uint64_t gone = cleared_ + dropped_ + bare_;
  if (number <= gone || number > last()) return;
  LoggedRequest& entry = entries_[place(number - gone - 1 + bare_)];
  if (number != last()) bytes_ -= bytesOf(entry.response);
  entry.response = response;
  entry.responseMissing = false;
  if (number != last()) bytes_ += bytesOf(entry.response);
}

void RequestLog::clear() {
  cleared_ = last();
  dropped_ = 0;
  oldest_ = count_ = bare_ = bytes_ = 0;
  entries_.clear();
}

std::vector<LoggedRequest> RequestLog::entries(std::uint64_t after, std::size_t most) const {
  const std::uint64_t gone = cleared_ + dropped_;
  const auto first = static_cast<std::size_t>(std::min<std::uint64_t>(after - std::min(after, gone), count_));
  const std::size_t end = first + std::min(most, count_ - first);
  std::vector<LoggedRequest> result;
  result.reserve(end - first);
  for (std::size_t i = first; i < end; ++i)
    result.push_back(entries_[place(i)]);
  return result;
}

}  // namespace tally::fake::detail

#include "curl/curl_shard.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <new>
#include <utility>

#include "curl/curl_failure.h"
#include "time/milliseconds.h"
#include "time/saturating.h"

namespace tally::detail {

namespace {

/// libcurl measures the idle time of connections in whole seconds.
long secondsUpwards(std::chrono::milliseconds duration) {
  constexpr long second = 1'000;
  return (milliseconds(duration) + second - 1) / second;
}

}  // namespace

CurlHandles::Lease CurlHandles::take(std::string_view origin) {
  Lease taken;
  const auto latest = std::find_if(idle_.rbegin(), idle_.rend(),
                                   [origin](const CurlHandle& handle) { return handle.origin() == origin; });
  if (latest != idle_.rend()) {
    taken.splice(taken.end(), idle_, std::prev(latest.base()));
    return taken;
  }
  CURL* easy = taken.emplace_back(options_, origin).easy();
  set(easy, CURLOPT_MAXAGE_CONN, secondsUpwards(options_.maxIdleTime));
  set(easy, CURLOPT_FORBID_REUSE, options_.maxIdleConnections == 0 ? 1L : 0L);
  return taken;
}

void CurlHandles::giveBack(Lease& lease) noexcept {
  constexpr std::size_t most = 64;
  idle_.splice(idle_.end(), lease);
  if (idle_.size() > most) idle_.pop_front();
}

void CurlRequest::fail(TransportFailure failure) noexcept {
  failure_ = std::move(failure);
  loop_.set(*this, Instant::min());
  loop_.wake();
}

void CurlRequest::expired() {
  if (failure_) return end(*std::move(failure_));
  if (shard_ != nullptr && transfer_.begun) shard_->doubtConnection();
  end([&]() -> TransportFailure {
    try {
      return curlFailure({.code = CURLE_OPERATION_TIMEDOUT, .sent = transfer_.begun});
    } catch (const std::bad_alloc&) {
      return outOfMemory(transfer_.begun);
    }
  }());
}

void CurlRequest::end(TransportResult&& result) {
  leave();
  receiver_.ended(std::move(result));
}

void CurlRequest::leave() noexcept {
  loop_.cancel(*this);
  if (shard_ != nullptr) std::exchange(shard_, nullptr)->leave(*this);
}

CurlShard::CurlShard(CurlShardOwner& owner, CurlSource& source, const CurlTransportOptions& options,
                     std::string_view origin, bool separate)
    : CurlMulti(source), owner_(owner), options_(options), origin_(origin), separate_(separate) {}

CurlShard::~CurlShard() {
  for (CurlRequest::List* requests : {&waiting_, &begun_}) {
    while (!requests->empty()) {
      CurlRequest& request = requests->front();
      requests->pop_front();
      request.shard_ = nullptr;
      owner_.loop().cancel(request);
      if (!request.handle_.empty()) remove(request.handle_.front().easy());
      request.handle_.clear();
    }
  }
}

bool CurlShard::hasRoom() const noexcept {
  constexpr std::size_t connections = 64;
  constexpr std::size_t streams = 100;  // as many as libcurl opens on one connection
  return !isUseless() && requests_ < (separate_ ? connections : streams);
}

void CurlShard::enter(CurlRequest& request) noexcept {
  request.shard_ = this;
  waiting_.push_back(request);
  ++requests_;
  // libcurl's own time limit begins when it is given the request.
  if (!separate_) owner_.loop().set(request, request.deadline_);
  beReady();
}

void CurlShard::leave(CurlRequest& request) noexcept {
  request.hook_.unlink();
  giveHandleBack(request);
  if (!waiting_.empty()) beReady();
  if (--requests_ == 0) noteIdle();
}

void CurlShard::giveHandleBack(CurlRequest& request) noexcept {
  if (connecting_ == &request) connecting_ = nullptr;
  if (request.handle_.empty()) return;
  remove(request.handle_.front().easy());
  request.handle_.front().clear();
  owner_.handles().giveBack(request.handle_);
  limitIdle();
}

void CurlShard::noteIdle() noexcept {
  try {
    idleSince_ = isUseless() ? Instant::min() : owner_.loop().now();
  } catch (...) {  // the clock's
    idleSince_ = Instant::min();
  }
  owner_.becameIdle();
}

void CurlShard::step() noexcept {
  do {
    while (!waiting_.empty() && mayBegin())
      beginNext();
    limitIdle();  // a transfer may end in the step that begins it
    act();
  } while (!waiting_.empty() && mayBegin());
}

void CurlShard::beginNext() noexcept {
  CurlRequest& request = waiting_.front();
  waiting_.pop_front();
  begun_.push_back(request);
  try {
    begin(request);
    if (!separate_) connecting_ = &request;
  } catch (const std::bad_alloc&) {
    request.handle_.clear();
    request.fail(outOfMemory(false));
  }
}

void CurlShard::begin(CurlRequest& request) {
  request.handle_ = owner_.handles().take(origin_);
  CurlHandle& handle = request.handle_.front();
  request.transfer_.connection = &connection();
  request.transfer_.departure = &request.receiver_;
  handle.prepare(request.transfer_, request.request_, request.remaining_);
  set(handle.easy(), CURLOPT_PRIVATE, &request);
  set(handle.easy(), CURLOPT_FRESH_CONNECT, connectionBroken_ ? 1L : 0L);
  add(handle.easy());
}

/// Sets how many connections libcurl keeps when the next transfer ends. That one counts as running, and so do
/// those that have ended in the same poll: the calls that follow them can only begin in the next poll, and
/// should find their connections open.
void CurlShard::limitIdle() noexcept {
  constexpr std::size_t most = std::numeric_limits<std::int32_t>::max();
  const std::size_t others = std::max<std::size_t>(transfers(), 1) - 1 + waiting_.size();
  limitConnections(std::clamp<std::size_t>(others + std::min(options_.maxIdleConnections, most), 1, most));
}

void CurlShard::acted() noexcept {
  limitIdle();
  if (connecting_ != nullptr && connecting_->transfer_.begun) connecting_ = nullptr;
  if (!waiting_.empty() && mayBegin()) beReady();
}

bool CurlShard::deliver() {
  const CURLMsg* message = nextEnded();
  if (message == nullptr) return false;
  CurlRequest* request = nullptr;
  curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &request);
  if (request->transfer_.isStale) {
    beginAgain(*request);
  } else {
    request->end(resultOf(*request, message->data.result));
  }
  return true;
}

/// In the time that is left. Must be the last step, since the receiver may destroy the request.
void CurlShard::beginAgain(CurlRequest& request) {
  request.remaining_ = request.transfer_.latest - std::chrono::steady_clock::now();
  if (request.remaining_ <= std::chrono::nanoseconds{0}) return request.expired();
  giveHandleBack(request);
  request.transfer_ = {.maxResponseBytes = options_.maxResponseBytes};
  request.hook_.unlink();
  waiting_.push_front(request);
  beReady();
}

TransportResult CurlShard::resultOf(CurlRequest& request, CURLcode code) noexcept {
  CurlTransfer& transfer = request.transfer_;
  if (transfer.headEnded) separate_ = !transfer.http2;
  if (isBroken() && code != CURLE_OK) return outOfMemory(transfer.begun);
  try {
    auto result = request.handle_.front().result(code, transfer);
    if (transfer.connectionBroken) doubtConnection();
    return result;
  } catch (const std::bad_alloc&) {
    return outOfMemory(transfer.begun);
  }
}

}  // namespace tally::detail

#include "curl/curl_worker.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <new>

#include "time/saturating.h"

namespace tally::detail {

namespace {

static_assert(noSocket == CURL_SOCKET_BAD);

curl_socket_t onOpen(void* connection, curlsocktype /*purpose*/, curl_sockaddr* address) {
  return static_cast<CurlConnection*>(connection)->openFor(*address);
}

int onClose(void* connection, curl_socket_t socket) {
  static_cast<CurlConnection*>(connection)->forget(socket);
  return closeSocket(socket);
}

void setConnections(CURLM* multi, CURL* easy, CurlConnection* connection) {
  curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, 1L);
  // Disables libcurl's idle limit (in seconds): CurlWorkers applies its own.
  set(easy, CURLOPT_MAXAGE_CONN, static_cast<long>(std::numeric_limits<std::int32_t>::max()));
  // libcurl's own sockets are inherited by the programs that this process starts.
  set(easy, CURLOPT_OPENSOCKETFUNCTION, &onOpen);
  set(easy, CURLOPT_OPENSOCKETDATA, connection);
  set(easy, CURLOPT_CLOSESOCKETFUNCTION, &onClose);
  set(easy, CURLOPT_CLOSESOCKETDATA, connection);
}

}  // namespace

CurlWorker::CurlWorker(const CurlTransportOptions& options, std::string_view origin)
    : handle_(options, origin) {
  if (multi_ == nullptr) throw std::bad_alloc{};
  setConnections(multi_.get(), handle_.easy(), &connection_);
}

void CurlWorker::noteConnection(bool ended) noexcept {
  socket_ = CURL_SOCKET_BAD;
  if (ended) curl_easy_getinfo(handle_.easy(), CURLINFO_ACTIVESOCKET, &socket_);
}

void CurlWorker::connectAnew(bool anew) {
  set(handle_.easy(), CURLOPT_FRESH_CONNECT, anew ? 1L : 0L);
}

CurlWorkers::Lease CurlWorkers::take(std::string_view origin, Instant now) {
  Lease useless;  // closes connections after the lock is released
  Lease taken;
  {
    const std::lock_guard lock{mutex_};
    useless = takeInherited();
    taken = takeIdle(origin);
    moveUseless(useless, now);
  }
  if (taken.empty()) {
    taken.emplace_back(options_, origin);
  } else {
    taken.front().connectAnew(tooOld(taken.front(), now));
  }
  return taken;
}

void CurlWorkers::giveBack(Lease lease, Instant now) noexcept {
  lease.front().becomeIdle(now);
  Lease surplus;
  const std::lock_guard lock{mutex_};
  idle_.splice(idle_.end(), lease);
  if (idle_.size() > options_.maxIdleConnections) surplus.splice(surplus.end(), idle_, idle_.begin());
}

/// If this process has been forked since the workers became idle, takes them all. Destroying them would
/// otherwise end the parent's connections, at least those that use TLS.
CurlWorkers::Lease CurlWorkers::takeInherited() noexcept {
  Lease inherited;
  const int process = processId();
  if (process == process_) return inherited;
  process_ = process;
  inherited.swap(idle_);
  for (CurlWorker& worker : inherited)
    worker.leaveConnection();
  return inherited;
}

/// Takes the most recent worker even if its connection is unusable: it has already loaded the trusted
/// certificates, which takes time, and libcurl reconnects.
CurlWorkers::Lease CurlWorkers::takeIdle(std::string_view origin) {
  Lease taken;
  const auto latest = std::find_if(idle_.rbegin(), idle_.rend(),
                                   [origin](const CurlWorker& worker) { return worker.origin() == origin; });
  if (latest != idle_.rend()) taken.splice(taken.end(), idle_, std::prev(latest.base()));
  return taken;
}

void CurlWorkers::moveUseless(Lease& useless, Instant now) {
  checked_.clear();
  for (const CurlWorker& worker : idle_)
    checked_.push_back({.socket = worker.socket()});
  checkIdle(checked_);
  auto worker = idle_.begin();
  for (const IdleSocket& checked : checked_) {
    const auto next = std::next(worker);
    if (checked.isUseless || tooOld(*worker, now)) useless.splice(useless.end(), idle_, worker);
    worker = next;
  }
}

bool CurlWorkers::tooOld(const CurlWorker& worker, Instant now) const {
  return saturatingSince(worker.idleSince(), now) > saturatingNanoseconds(options_.maxIdleTime);
}

}  // namespace tally::detail

#include "curl/curl_source.h"

#include <algorithm>
#include <new>
#include <type_traits>
#include <utility>

#include "curl/curl_transfer.h"
#include "time/saturating.h"

namespace tally::detail {

namespace {

using std::chrono::nanoseconds;

static_assert(std::is_same_v<Socket, curl_socket_t>);

SocketEvents eventsOf(int what) {
  return {.input = (what & CURL_POLL_IN) != 0, .output = (what & CURL_POLL_OUT) != 0};
}

int eventsForCurl(SocketEvents events) {
  return (events.input ? CURL_CSELECT_IN : 0) | (events.output ? CURL_CSELECT_OUT : 0) |
         (events.failure ? CURL_CSELECT_ERR : 0);
}

}  // namespace

CurlMulti::CurlMulti(CurlSource& source) : source_(source) {
  if (multi_ == nullptr) throw std::bad_alloc{};
  curl_multi_setopt(multi_.get(), CURLMOPT_SOCKETFUNCTION, &onSocket);
  curl_multi_setopt(multi_.get(), CURLMOPT_SOCKETDATA, this);
  curl_multi_setopt(multi_.get(), CURLMOPT_TIMERFUNCTION, &onTimer);
  curl_multi_setopt(multi_.get(), CURLMOPT_TIMERDATA, this);
  source_.multis_.push_back(*this);
}

void CurlMulti::add(CURL* easy) {
  // Connections are known from opening to closing, so that their sockets stay registered between transfers.
  set(easy, CURLOPT_OPENSOCKETFUNCTION, &onOpen);
  set(easy, CURLOPT_OPENSOCKETDATA, this);
  set(easy, CURLOPT_CLOSESOCKETFUNCTION, &onClose);
  set(easy, CURLOPT_CLOSESOCKETDATA, this);
  if (curl_multi_add_handle(multi_.get(), easy) != CURLM_OK) throw std::bad_alloc{};
  ++added_;
  ++source_.inFlight_;
}

void CurlMulti::remove(CURL* easy) noexcept {
  countConnection(easy);
  curl_multi_remove_handle(multi_.get(), easy);
  --added_;
  --source_.inFlight_;
}

/// Counts the connection of a transfer that made one when the transfer leaves it. Opened sockets can't be
/// counted instead: libcurl 7.88 closes those of failed attempts without calling the close callback.
void CurlMulti::countConnection(CURL* easy) noexcept {
  long made = 0;
  curl_easy_getinfo(easy, CURLINFO_NUM_CONNECTS, &made);
  if (made == 0) return;  // libcurl looks for the socket among all connections
  curl_socket_t socket = CURL_SOCKET_BAD;
  curl_easy_getinfo(easy, CURLINFO_ACTIVESOCKET, &socket);
  if (socket != CURL_SOCKET_BAD && source_.count(socket)) ++connections_;
}

const CURLMsg* CurlMulti::nextEnded() noexcept {
  int left = 0;
  return curl_multi_info_read(multi_.get(), &left);
}

void CurlMulti::limitConnections(std::size_t count) noexcept {
  curl_multi_setopt(multi_.get(), CURLMOPT_MAXCONNECTS, static_cast<long>(count));
}

void CurlMulti::beReady() noexcept {
  if (!ready_.is_linked()) source_.ready_.push_back(*this);
}

void CurlMulti::haveEnded() noexcept {
  if (!ended_.is_linked()) source_.ended_.push_back(*this);
}

void CurlMulti::act(curl_socket_t socket, int events) noexcept {
  if (socket == CURL_SOCKET_TIMEOUT) due_ = Time::max();
  int transfers = 0;
  if (curl_multi_socket_action(multi_.get(), socket, events, &transfers) != CURLM_OK) {
    broken_ = true;
    curl_multi_perform(multi_.get(), &transfers);  // ends all transfers
  }
  if (static_cast<std::size_t>(transfers) < added_) haveEnded();
  acted();
}

/// Opens the socket as libcurl does.
curl_socket_t CurlMulti::onOpen(void* self, curlsocktype, curl_sockaddr* address) {
  auto& multi = *static_cast<CurlMulti*>(self);
  const curl_socket_t socket = multi.connection_.openFor(*address);
  if (socket == noSocket) return CURL_SOCKET_BAD;
  try {
    multi.source_.opened(socket);
    return socket;
  } catch (const std::bad_alloc&) {
    multi.broken_ = true;
    (void)closeSocket(socket);
    return CURL_SOCKET_BAD;
  }
}

int CurlMulti::onClose(void* self, curl_socket_t socket) {
  auto& multi = *static_cast<CurlMulti*>(self);
  multi.connection_.forget(socket);
  if (multi.source_.closing(socket)) --multi.connections_;
  return closeSocket(socket);
}

/// Never returns -1, with which libcurl would fail all transfers of the handle: libcurl 7.88 crashes if one
/// of them has no connection yet.
int CurlMulti::onSocket(CURL*, curl_socket_t socket, int what, void* self, void*) {
  auto& multi = *static_cast<CurlMulti*>(self);
  try {
    multi.source_.watch(multi, socket, what == CURL_POLL_REMOVE ? SocketEvents{} : eventsOf(what));
  } catch (const std::bad_alloc&) {
    multi.broken_ = true;  // the transfers that need the socket end at their deadlines
  }
  return 0;
}

/// libcurl must not be called from here, not even for a time that has come.
int CurlMulti::onTimer(CURLM*, long milliseconds, void* self) {
  auto& multi = *static_cast<CurlMulti*>(self);
  const bool later = milliseconds > 0;
  multi.due_ = later ? Clock::now() + std::chrono::milliseconds{milliseconds} : Time::max();
  multi.source_.due_ = std::min(multi.source_.due_, multi.due_);
  if (milliseconds == 0) multi.beReady();
  return 0;
}

CurlSource::CurlSource(Clock& clock) : clock_(clock) {
  if (&clock != systemClock().get()) withoutSockets_ = makeClockSource(clock);
}

CurlSource::~CurlSource() = default;

void CurlSource::waitUntil(Instant time) {
  step();
  if (inFlight_ == 0 && ended_.empty() && withoutSockets_ != nullptr) return withoutSockets_->waitUntil(time);
  applyChanges();
  poll_->wait(longestWait(time), *this);
  deliver();
}

void CurlSource::wake() noexcept {
  poll_->wake();
  if (withoutSockets_ != nullptr) withoutSockets_->wake();
}

void CurlSource::opened(curl_socket_t socket) {
  Entry& entry = at(socket);
  entry = {.lasting = true, .changed = entry.changed};
}

bool CurlSource::count(curl_socket_t socket) noexcept {
  const auto index = static_cast<std::size_t>(socket);
  if (index >= sockets_.size() || !sockets_[index].lasting) return false;
  return !std::exchange(sockets_[index].counted, true);
}

bool CurlSource::closing(curl_socket_t socket) noexcept {
  Entry& entry = sockets_[static_cast<std::size_t>(socket)];
  entry.wanted = {};
  apply(socket, entry);
  entry.multi = nullptr;
  entry.lasting = false;
  return std::exchange(entry.counted, false);
}

CurlSource::Entry& CurlSource::at(curl_socket_t socket) {
  const auto index = static_cast<std::size_t>(socket);
  if (index >= sockets_.size()) {
    const std::size_t end = std::max(index + 1, 2 * sockets_.size());
    poll_->reserve(end);
    changed_.reserve(end);
    sockets_.resize(end);
  }
  return sockets_[index];
}

/// Between two transfers of a connection, its registration doesn't change: that spares system calls. Unknown
/// sockets, such as those of name lookups, must not remain registered when they are closed.
void CurlSource::watch(CurlMulti& multi, curl_socket_t socket, SocketEvents events) {
  Entry& entry = at(socket);
  if (entry.lasting && !entry.changed) {
    changed_.push_back(socket);
    entry.changed = true;
  }
  entry.multi = events != SocketEvents{} ? &multi : nullptr;
  entry.wanted = events;
  if (!entry.lasting) apply(socket, entry);
}

/// Without memory in the system, the socket's transfers end at their time limits.
void CurlSource::apply(curl_socket_t socket, Entry& entry) noexcept {
  if (entry.wanted == entry.watched) return;
  poll_->watch(socket, entry.watched, entry.wanted);
  entry.watched = entry.wanted;
}

void CurlSource::applyChanges() noexcept {
  for (const curl_socket_t socket : changed_) {
    Entry& entry = sockets_[static_cast<std::size_t>(socket)];
    entry.changed = false;
    apply(socket, entry);
  }
  changed_.clear();
}

void CurlSource::step() noexcept {
  noteDue(CurlMulti::Clock::now());
  Ready ready;  // a multi handle may get ready again
  ready.swap(ready_);
  while (!ready.empty()) {
    CurlMulti& multi = ready.front();
    ready.pop_front();
    multi.step();
  }
}

void CurlSource::noteDue(CurlMulti::Time now) noexcept {
  if (now < due_) return;
  due_ = CurlMulti::Time::max();
  for (CurlMulti& multi : multis_) {
    if (multi.due_ <= now)
      multi.beReady();
    else
      due_ = std::min(due_, multi.due_);
  }
}

void CurlSource::ready(Socket socket, SocketEvents events) noexcept {
  // Null: of no interest since an earlier event of this wait.
  if (CurlMulti* const multi = sockets_[static_cast<std::size_t>(socket)].multi)
    multi->act(socket, eventsForCurl(events));
}

/// After an exception of a receiver, the next poll continues.
void CurlSource::deliver() {
  while (!ended_.empty()) {
    CurlMulti& multi = ended_.front();
    ended_.pop_front();
    multi.haveEnded();  // at the back; a destroyed one unlinks itself
    if (!multi.deliver()) multi.ended_.unlink();
  }
}

nanoseconds CurlSource::longestWait(Instant time) const {
  if (!ended_.empty() || !ready_.empty()) return nanoseconds::zero();
  constexpr nanoseconds betweenReadings = std::chrono::milliseconds{10};
  constexpr nanoseconds longest = std::chrono::hours{1};
  nanoseconds wait = time == Instant::min() ? nanoseconds::zero() : saturatingSince(clock_.now(), time);
  if (withoutSockets_ != nullptr) wait = std::min(wait, betweenReadings);
  if (due_ != CurlMulti::Time::max()) wait = std::min<nanoseconds>(wait, due_ - CurlMulti::Clock::now());
  return std::clamp(wait, nanoseconds::zero(), longest);
}

}  // namespace tally::detail

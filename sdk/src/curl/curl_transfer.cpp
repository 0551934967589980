#include "curl/curl_transfer.h"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <utility>

#include "platform/sockets.h"
#include "text/ascii.h"
#include "text/wipe.h"

namespace tally::detail {

namespace {

/// Finds the socket of the connection that the transfer has made. Only now is it certainly open: libcurl 7.88
/// closes the sockets of failed attempts without calling the close callback.
void noteConnection(CurlTransfer& transfer, int port) {
  transfer.localPort = port;
  for (const curl_socket_t socket : transfer.opened) {
    if (socket == CURL_SOCKET_BAD || port == 0 || localPort(socket) != port) continue;
    return transfer.connection->begin(socket, port);
  }
}

/// Whether something that no request has asked for has arrived over a kept connection of HTTP/1: the end of
/// TLS, or a response such as 408, with which some servers end idle connections. libcurl 7.88 would take it
/// for the response to the next request. True once: the connection is then closed.
bool hasInterjection(CurlTransfer& transfer) {
  CurlConnection::Open* const kept = transfer.connection->find(transfer.localPort);
  return kept != nullptr && kept->http1 && hasInput(kept->socket) && std::exchange(kept->http1, false);
}

/// Called just before a request is sent. libcurl resends by itself if a kept connection turns out to be
/// closed, or the server refuses the stream. That is prevented: the first request may have had an effect.
/// Nor is a request sent whose time is over, since the process was suspended: the caller relies on that.
/// Before anything is sent over a stale connection, the transfer ends, and with it the connection. The caller
/// then begins it again.
int permitOnce(void* data, char*, char*, int, int port) {
  auto& transfer = *static_cast<CurlTransfer*>(data);
  try {
    noteConnection(transfer, port);
  } catch (const std::bad_alloc&) {
    transfer.outOfMemory = true;
    return CURL_PREREQFUNC_ABORT;
  }
  transfer.progressed();
  transfer.late = !transfer.begun && std::chrono::steady_clock::now() >= transfer.latest;
  if (transfer.late) return CURL_PREREQFUNC_ABORT;
  transfer.repeated = transfer.begun;
  if (transfer.repeated) return CURL_PREREQFUNC_ABORT;
  transfer.isStale = hasInterjection(transfer);
  if (transfer.isStale) return CURL_PREREQFUNC_ABORT;
  transfer.isFenced = transfer.fence != nullptr && !transfer.fence->maySend();  // only if it can be sent
  if (transfer.isFenced) return CURL_PREREQFUNC_ABORT;
  transfer.begun = true;
  if (transfer.departure != nullptr) transfer.departure->departs();
  return CURL_PREREQFUNC_OK;
}

/// Called before a connection is made: avoids the connection for a resend.
int connectOnce(void* data, curl_socket_t socket, curlsocktype) {
  auto& transfer = *static_cast<CurlTransfer*>(data);
  if (transfer.fence != nullptr) discardUnsent(socket, transfer.timeout);
  transfer.opened = {socket, transfer.opened[0]};
  transfer.repeated = transfer.begun;
  return transfer.repeated ? CURL_SOCKOPT_ERROR : CURL_SOCKOPT_OK;
}

/// Ends the connection of a transfer, since libcurl offers no other way out of a flood. Returns whether its
/// socket is known.
bool cutOff(const CurlTransfer& transfer) {
  const CurlConnection& connection = *transfer.connection;
  if (connection.socket == CURL_SOCKET_BAD || connection.localPort != transfer.localPort) return false;
  if (localPort(connection.socket) != connection.localPort) return false;
  disconnect(connection.socket);
  return true;
}

/// Called for each TLS record, and for each message of libcurl about a frame, which takes libcurl more time.
int onEvent(CURL*, curl_infotype type, char*, std::size_t, void* data) {
  auto* const transfer = static_cast<CurlTransfer*>(data);
  if (transfer == nullptr) return 0;
  // A large body needs many frames that permit more data. After each part, libcurl checks time limits.
  if (type == CURLINFO_DATA_OUT) transfer->progressed();
  const bool isCounted = type == CURLINFO_SSL_DATA_IN || type == CURLINFO_TEXT;
  if (!isCounted || !transfer->isFlooded()) return 0;
  if (cutOff(*transfer)) transfer->flooded = true;
  transfer->progressed();
  return 0;
}

/// Reserves space for the whole body, but at most 1 MiB, since a server can claim any Content-Length.
void reserveMore(CurlTransfer& transfer) {
  constexpr std::size_t most = std::size_t{1024} * 1024;
  transfer.response.body.reserve(std::min({transfer.contentLength, transfer.maxResponseBytes, most}));
}

using TooLarge = CurlTransfer::TooLarge;

/// Passes bytes of a response to `take`, which returns what is too large. Returns the number of bytes taken
/// to libcurl: any number but `size` ends the transfer. Exceptions must not pass through libcurl.
template <class Take>
std::size_t taken(CurlTransfer& transfer, std::size_t size, Take take) noexcept {
  transfer.progressed();
  try {
    transfer.tooLarge = take();
  } catch (...) {  // only std::bad_alloc is possible
    transfer.outOfMemory = true;
  }
  return transfer.tooLarge != TooLarge::nothing || transfer.outOfMemory ? 0 : size;
}

TooLarge takeBody(CurlTransfer& transfer, std::string_view bytes) {
  std::string& body = transfer.response.body;
  if (bytes.size() > transfer.maxResponseBytes - body.size()) return TooLarge::body;
  if (body.empty()) reserveMore(transfer);
  body.append(bytes);
  return TooLarge::nothing;
}

std::size_t onBody(char* bytes, std::size_t, std::size_t size, void* data) {
  auto& transfer = *static_cast<CurlTransfer*>(data);
  return taken(transfer, size, [&] { return takeBody(transfer, {bytes, size}); });
}

void takeField(CurlTransfer& transfer, std::string_view name, std::string_view value) {
  transfer.response.headers.push_back({std::string{name}, std::string{value}});
  if (equalIgnoringCase(name, "Content-Length"))
    std::from_chars(value.data(), value.data() + value.size(), transfer.contentLength);
}

void noteProtocol(const CurlTransfer& transfer) {
  if (CurlConnection::Open* used = transfer.connection->find(transfer.localPort))
    used->http1 = !transfer.http2;
}

void beginHead(CurlTransfer& transfer, std::string_view statusLine) {
  constexpr std::size_t usual = 16;
  transfer.headEnded = false;
  transfer.http2 = statusLine.starts_with("HTTP/2");
  noteProtocol(transfer);
  transfer.response.headers.clear();
  transfer.response.headers.reserve(usual);
  transfer.contentLength = 0;
}

/// A status line starts a new head, as after `100 Continue`. Trailers may follow a chunked body. What comes
/// before the request is a proxy's response to CONNECT, and shows nothing about the service.
TooLarge takeLine(CurlTransfer& transfer, std::string_view line) {
  transfer.headBytes += line.size();
  if (transfer.headBytes > transfer.maxHeadBytes()) return TooLarge::head;
  if (line.size() > CurlTransfer::mostLineBytes) return TooLarge::line;
  if (!transfer.begun) return TooLarge::nothing;
  if (line.starts_with("HTTP/")) {
    beginHead(transfer, line);
  } else if (line.starts_with('\r') || line.starts_with('\n')) {
    transfer.headEnded = true;
  } else if (const std::size_t colon = line.find(':');
             colon != std::string_view::npos && !transfer.headEnded) {
    takeField(transfer, line.substr(0, colon), trimmed(line.substr(colon + 1), " \t\r\n"));
  }
  return TooLarge::nothing;
}

std::size_t onLine(char* bytes, std::size_t, std::size_t size, void* data) {
  auto& transfer = *static_cast<CurlTransfer*>(data);
  return taken(transfer, size, [&] { return takeLine(transfer, {bytes, size}); });
}

}  // namespace

void CurlTransfer::attachTo(CURL* easy) {
  set(easy, CURLOPT_PREREQFUNCTION, &permitOnce);
  set(easy, CURLOPT_PREREQDATA, this);
  set(easy, CURLOPT_SOCKOPTFUNCTION, &connectOnce);
  set(easy, CURLOPT_SOCKOPTDATA, this);
  set(easy, CURLOPT_WRITEFUNCTION, &onBody);
  set(easy, CURLOPT_WRITEDATA, this);
  set(easy, CURLOPT_HEADERFUNCTION, &onLine);
  set(easy, CURLOPT_HEADERDATA, this);
  set(easy, CURLOPT_DEBUGFUNCTION, &onEvent);
  set(easy, CURLOPT_DEBUGDATA, this);
}

std::string& CurlHeaders::nextLine() {
  if (used_ == lines_.size()) lines_.emplace_back();
  return lines_[used_++];
}

void CurlHeaders::wipeKey() noexcept {
  constexpr std::string_view name = "Authorization:";
  for (std::size_t i = 0; i < used_; ++i)
    if (equalIgnoringCase(std::string_view{lines_[i]}.substr(0, name.size()), name)) return wipe(lines_[i]);
}

curl_slist* CurlHeaders::of(const HttpRequest& request) {
  used_ = 0;
  for (const Header& header : request.headers) {
    std::string& line = nextLine() = header.name;
    // `Name;` makes libcurl send a header without a value.
    line += header.value.empty() ? ";" : ": ";
    line += header.value;
  }
  if (request.method == Method::post) nextLine() = "Expect:";  // avoids a round trip before a large body
  nodes_.resize(used_);
  for (std::size_t i = 0; i < used_; ++i)
    nodes_[i] = {.data = lines_[i].data(), .next = i + 1 < used_ ? &nodes_[i + 1] : nullptr};
  return nodes_.empty() ? nullptr : nodes_.data();
}

}  // namespace tally::detail

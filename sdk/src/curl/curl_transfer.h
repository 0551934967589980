#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <new>
#include <string>
#include <vector>

#include <tally/curl_transport.h>

#include <curl/curl.h>

#include "curl/curl_connection.h"
#include "event/departure.h"

namespace tally::detail {

/// One transfer: the progress of its request, and the response as it arrives.
struct CurlTransfer {
  /// Makes the next transfer of `easy` write here.
  void attachTo(CURL* easy);

  /// The size limits of the head of a response, with interim responses and trailers, and of one line in it.
  /// libcurl's own are higher, 300 and 100 KiB, or 128 and 64 KiB with HTTP/2, but it reports them as a
  /// broken connection or as out of memory.
  static constexpr std::size_t mostHeadBytes = std::size_t{120} * 1024;
  static constexpr std::size_t mostLineBytes = std::size_t{60} * 1024;

  /// How many TLS records may arrive while a request makes no progress. libcurl 7.88 reads HTTP/2 frames as
  /// long as they arrive, and ignores all time limits while it does. Services need few frames without a
  /// response.
  static constexpr std::size_t mostEventsInVain = 4'096;

  /// Counts a TLS record, or a message of libcurl. Returns whether there are too many: the server then floods
  /// the client. Before a request, libcurl obeys time limits, and its messages about a connection that can't
  /// be made are not a flood.
  [[nodiscard]] bool isFlooded() noexcept { return begun && ++connection->events > mostEventsInVain; }
  /// A request begins, a part of it has been sent, or a part of a response has arrived.
  void progressed() noexcept { connection->events = 0; }

  /// What exceeds its limit.
  enum class TooLarge : std::uint8_t { nothing, body, head, line };

  [[nodiscard]] std::size_t maxHeadBytes() const noexcept {
    return std::min(maxResponseBytes, mostHeadBytes);
  }

  std::size_t maxResponseBytes = 0;
  DepartureListener* departure = nullptr;  // may be null
  const SendFence* fence = nullptr;
  std::chrono::nanoseconds timeout{0};
  bool isFenced = false;  // nothing was sent, since the fence did not permit it
  bool isStale = false;  // nothing was sent, since the kept connection has received something: see permitOnce
  bool begun = false;    // the request may have been sent, at least in part
  bool repeated = false;  // libcurl tried to send it again
  std::chrono::steady_clock::time_point latest{std::chrono::steady_clock::time_point::max()};
  bool late = false;  // it could have been sent only after `latest`
  HttpResponse response{};
  std::size_t contentLength = 0;  // from the response's head; 0 if absent
  std::size_t headBytes = 0;
  TooLarge tooLarge = TooLarge::nothing;
  bool outOfMemory = false;
  bool headEnded = false;
  CurlConnection* connection = nullptr;  // set before the transfer is prepared
  /// The sockets that it has opened last: libcurl may try two addresses at once.
  std::array<curl_socket_t, 2> opened{CURL_SOCKET_BAD, CURL_SOCKET_BAD};
  int localPort = 0;              // of its connection, since its request began
  bool flooded = false;           // so the connection was cut off
  bool http2 = false;             // the protocol of the response
  bool connectionBroken = false;  // libcurl keeps it, but the next request on it would fail
};

/// Sets an option of libcurl. Throws std::bad_alloc if libcurl is out of memory, so that nothing is sent with
/// an option missing.
template <class Value>
void set(CURL* easy, CURLoption option, Value value) {
  if (curl_easy_setopt(easy, option, value) == CURLE_OUT_OF_MEMORY) throw std::bad_alloc{};
}

/// The headers of a request in libcurl's format. Their memory is reused by the next request.
class CurlHeaders {
 public:
  /// The list for `request`; valid until the next call.
  [[nodiscard]] curl_slist* of(const HttpRequest& request);

  CurlHeaders() = default;
  CurlHeaders(const CurlHeaders&) = delete;
  CurlHeaders& operator=(const CurlHeaders&) = delete;
  ~CurlHeaders() { wipeKey(); }

  /// Overwrites the key in the list.
  void wipeKey() noexcept;

 private:
  [[nodiscard]] std::string& nextLine();

  std::vector<std::string> lines_{};
  std::vector<curl_slist> nodes_{};
  std::size_t used_ = 0;
};

}  // namespace tally::detail

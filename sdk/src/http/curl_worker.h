#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include <tally/curl_transport.h>

#include <curl/curl.h>
#include <poll.h>

#include "http/curl_transfer.h"

namespace tally::detail {

/// The kind of destination, which decides about proxies.
enum class Route : std::uint8_t { plainLoopback, plain, secure };

/// Makes the transfers to one origin (scheme, host and port), one at a time. Kept between transfers, since it
/// holds the open connection and everything that all transfers share.
class CurlWorker {
 public:
  /// Throws std::bad_alloc if libcurl is out of memory.
  CurlWorker(const CurlTransportOptions& options, std::string_view origin);
  CurlWorker(const CurlWorker&) = delete;
  CurlWorker& operator=(const CurlWorker&) = delete;

  [[nodiscard]] CURL* easy() const noexcept { return easy_.get(); }
  [[nodiscard]] CURLM* multi() const noexcept { return multi_.get(); }
  [[nodiscard]] CurlHeaders& headers() noexcept { return headers_; }
  [[nodiscard]] const std::string& origin() const noexcept { return origin_; }
  [[nodiscard]] Route route() const noexcept { return route_; }
  /// libcurl's message about the last failure; may be empty.
  [[nodiscard]] const char* problem() const noexcept { return problem_.data(); }

  /// Call it after a transfer, before the handles are separated. After an incomplete transfer, the connection
  /// is not kept, or not known.
  void noteConnection(bool ended) noexcept;
  /// The socket of the kept connection; CURL_SOCKET_BAD if unknown.
  [[nodiscard]] curl_socket_t socket() const noexcept { return socket_; }

  void becomeIdle(Instant now) noexcept { idleSince_ = now; }
  [[nodiscard]] Instant idleSince() const noexcept { return idleSince_; }

  /// If true, the next transfer opens a new connection even if one is kept.
  void connectAnew(bool anew);

 private:
  std::string origin_;
  Route route_;
  CurlHeaders headers_{};
  Instant idleSince_{};
  curl_socket_t socket_ = CURL_SOCKET_BAD;
  std::array<char, CURL_ERROR_SIZE> problem_{};
  // The multi handle owns the connection, so it is destroyed last.
  std::unique_ptr<CURLM, decltype(&curl_multi_cleanup)> multi_{curl_multi_init(), &curl_multi_cleanup};
  std::unique_ptr<CURL, decltype(&curl_easy_cleanup)> easy_{curl_easy_init(), &curl_easy_cleanup};
};

/// The idle workers, and with them the kept connections. Thread-safe.
class CurlWorkers {
 public:
  /// One worker in use. A list, so that returning it allocates nothing.
  using Lease = std::list<CurlWorker>;

  /// `options` must outlive this.
  explicit CurlWorkers(const CurlTransportOptions& options) : options_(options) {}

  /// The most recently used worker for that origin, or a new one. Drops others that have been idle for too
  /// long or whose peer has closed the connection.
  [[nodiscard]] Lease take(std::string_view origin, Instant now);

  /// If there are now too many, drops the one that has been idle longest.
  void giveBack(Lease lease, Instant now) noexcept;

 private:
  [[nodiscard]] Lease takeIdle(std::string_view origin);
  void moveUseless(Lease& useless, Instant now);
  [[nodiscard]] bool tooOld(const CurlWorker& worker, Instant now) const;

  const CurlTransportOptions& options_;
  std::mutex mutex_{};
  std::list<CurlWorker> idle_{};  // longest idle first
  std::vector<pollfd> polled_{};  // kept to reuse its memory
};

}  // namespace tally::detail

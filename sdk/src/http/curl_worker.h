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

/// Where a URL leads, which decides about proxies.
enum class Route : std::uint8_t { plainLoopback, plain, secure };

/// What makes the transfers to one origin (scheme, host and port), one at a time: kept between transfers, for
/// it holds the open connection, and whatever is the same for all of them.
class CurlWorker {
 public:
  /// Throws std::bad_alloc where libcurl has no memory.
  CurlWorker(const CurlTransportOptions& options, std::string_view origin);
  CurlWorker(const CurlWorker&) = delete;
  CurlWorker& operator=(const CurlWorker&) = delete;

  [[nodiscard]] CURL* easy() const noexcept { return easy_.get(); }
  [[nodiscard]] CURLM* multi() const noexcept { return multi_.get(); }
  [[nodiscard]] CurlHeaders& headers() noexcept { return headers_; }
  [[nodiscard]] const std::string& origin() const noexcept { return origin_; }
  [[nodiscard]] Route route() const noexcept { return route_; }
  /// libcurl's own words for why the last transfer failed; empty where it has none.
  [[nodiscard]] const char* problem() const noexcept { return problem_.data(); }

  /// To be called when a transfer is over, before the handles are parted. The connection of one that has not
  /// come to its end is not kept, or it isn't known.
  void noteConnection(bool ended) noexcept;
  /// The socket of the connection that is kept; none where it isn't known.
  [[nodiscard]] curl_socket_t socket() const noexcept { return socket_; }

  void becomeIdle(Instant now) noexcept { idleSince_ = now; }
  [[nodiscard]] Instant idleSince() const noexcept { return idleSince_; }

  /// Whether the next transfer makes a connection, also where one is kept.
  void connectAnew(bool anew);

 private:
  std::string origin_;
  Route route_;
  CurlHeaders headers_{};
  Instant idleSince_{};
  curl_socket_t socket_ = CURL_SOCKET_BAD;
  std::array<char, CURL_ERROR_SIZE> problem_{};
  // The multi handle owns the connection, so it goes last.
  std::unique_ptr<CURLM, decltype(&curl_multi_cleanup)> multi_{curl_multi_init(), &curl_multi_cleanup};
  std::unique_ptr<CURL, decltype(&curl_easy_cleanup)> easy_{curl_easy_init(), &curl_easy_cleanup};
};

/// The workers that are idle, and with them the connections that are kept. Thread-safe.
class CurlWorkers {
 public:
  /// Just one, while it works. A list, so that no memory is needed to give it back.
  using Lease = std::list<CurlWorker>;

  /// `options` outlive this.
  explicit CurlWorkers(const CurlTransportOptions& options) : options_(options) {}

  /// The one for that origin that has worked last, or else a new one. Of the others, those go that have been
  /// idle for too long, or whose connection the other side has closed.
  [[nodiscard]] Lease take(std::string_view origin, Instant now);

  /// Where that is one too many, the one goes that has been idle for longest.
  void giveBack(Lease lease, Instant now) noexcept;

 private:
  [[nodiscard]] Lease takeIdle(std::string_view origin);
  void moveUseless(Lease& useless, Instant now);
  [[nodiscard]] bool tooOld(const CurlWorker& worker, Instant now) const;

  const CurlTransportOptions& options_;
  std::mutex mutex_{};
  std::list<CurlWorker> idle_{};  // in the order in which they became so
  std::vector<pollfd> polled_{};  // its memory is kept
};

}  // namespace tally::detail

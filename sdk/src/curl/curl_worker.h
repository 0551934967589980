#pragma once

#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include <tally/curl_transport.h>

#include <curl/curl.h>

#include "curl/curl_handle.h"
#include "platform/machine.h"
#include "platform/sockets.h"

namespace tally::detail {

/// A handle with a connection of its own. Kept between transfers, since it holds the open connection.
class CurlWorker {
 public:
  /// Throws std::bad_alloc if libcurl is out of memory.
  CurlWorker(const CurlTransportOptions& options, std::string_view origin);
  CurlWorker(const CurlWorker&) = delete;
  CurlWorker& operator=(const CurlWorker&) = delete;

  [[nodiscard]] CurlHandle& handle() noexcept { return handle_; }
  [[nodiscard]] CurlConnection& connection() noexcept { return connection_; }
  [[nodiscard]] CURLM* multi() const noexcept { return multi_.get(); }
  [[nodiscard]] const std::string& origin() const noexcept { return handle_.origin(); }

  /// Call it after a transfer, before the handles are separated. After an incomplete transfer, the connection
  /// is not kept, or not known.
  void noteConnection(bool ended) noexcept;
  /// The socket of the kept connection; CURL_SOCKET_BAD if unknown.
  [[nodiscard]] curl_socket_t socket() const noexcept { return socket_; }

  /// Call it before the worker is destroyed in a process that was forked from the one that connected.
  void leaveConnection() noexcept { detail::leaveConnection(socket_); }

  void becomeIdle(Instant now) noexcept { idleSince_ = now; }
  [[nodiscard]] Instant idleSince() const noexcept { return idleSince_; }

  /// If true, the next transfer opens a new connection even if one is kept.
  void connectAnew(bool anew);

 private:
  Instant idleSince_{};
  curl_socket_t socket_ = CURL_SOCKET_BAD;
  CurlConnection connection_{};
  // The multi handle owns the connection, so it is destroyed after the handle.
  std::unique_ptr<CURLM, decltype(&curl_multi_cleanup)> multi_{curl_multi_init(), &curl_multi_cleanup};
  CurlHandle handle_;
};

/// The idle workers, and with them the kept connections. A process that was forked from the one that
/// connected neither uses nor ends these connections. Thread-safe.
class CurlWorkers {
 public:
  /// One worker in use. A list, so that returning it allocates nothing.
  using Lease = std::list<CurlWorker>;

  /// `options` must outlive this.
  explicit CurlWorkers(const CurlTransportOptions& options) : options_(options) {}
  CurlWorkers(const CurlWorkers&) = delete;
  CurlWorkers& operator=(const CurlWorkers&) = delete;
  ~CurlWorkers() { (void)takeInherited(); }

  /// The most recently used worker for that origin, or a new one. Drops others that have been idle for too
  /// long or whose peer has closed the connection.
  [[nodiscard]] Lease take(std::string_view origin, Instant now);

  /// If there are now too many, drops the one that has been idle longest.
  void giveBack(Lease lease, Instant now) noexcept;

 private:
  [[nodiscard]] Lease takeInherited() noexcept;
  [[nodiscard]] Lease takeIdle(std::string_view origin);
  void moveUseless(Lease& useless, Instant now);
  [[nodiscard]] bool tooOld(const CurlWorker& worker, Instant now) const;

  const CurlTransportOptions& options_;
  std::mutex mutex_{};
  int process_ = processId();          // that of the idle workers
  std::list<CurlWorker> idle_{};       // longest idle first
  std::vector<IdleSocket> checked_{};  // kept to reuse its memory
};

}  // namespace tally::detail

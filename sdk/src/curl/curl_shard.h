#pragma once

#include <chrono>
#include <cstddef>
#include <list>
#include <optional>
#include <string>
#include <string_view>

#include <tally/curl_transport.h>

#include <boost/intrusive/list.hpp>

#include "curl/curl_handle.h"
#include "curl/curl_source.h"
#include "curl/curl_transfer.h"
#include "event/async_transport.h"
#include "event/event_loop.h"

namespace tally::detail {

class CurlShard;  // NOLINT(cppcoreguidelines-virtual-class-destructor): it is final

/// The idle easy handles of an asynchronous transport.
class CurlHandles {
 public:
  /// One handle in use. A list, so that returning it allocates nothing.
  using Lease = std::list<CurlHandle>;

  /// `options` must outlive this.
  explicit CurlHandles(const CurlTransportOptions& options) : options_(options) {}

  /// The most recently used handle for that origin, or a new one. Throws std::bad_alloc.
  [[nodiscard]] Lease take(std::string_view origin);
  void giveBack(Lease& lease) noexcept;

 private:
  const CurlTransportOptions& options_;
  std::list<CurlHandle> idle_{};  // longest idle first
};

/// A request of an asynchronous transport. As a timer, it ends at its deadline while it waits for a
/// connection, or immediately if it can't be sent.
class CurlRequest final : public AsyncTransfer, public Timer {
 public:
  CurlRequest(EventLoop& loop, const HttpRequest& request, Instant deadline,
              std::chrono::nanoseconds remaining, AsyncTransport::Receiver& receiver,
              const CurlTransportOptions& options)
      : loop_(loop),
        request_(request),
        deadline_(deadline),
        remaining_(remaining),
        receiver_(receiver),
        transfer_{.maxResponseBytes = options.maxResponseBytes} {}
  ~CurlRequest() override { leave(); }

  [[nodiscard]] bool mayHaveBeenSent() const noexcept override { return transfer_.begun; }

  /// Ends with that failure in the next poll.
  void fail(TransportFailure failure) noexcept;

 private:
  friend CurlShard;

  void expired() override;
  /// Must be the last step, since the receiver may destroy this.
  void end(TransportResult&& result);
  void leave() noexcept;

  EventLoop& loop_;
  const HttpRequest& request_;
  Instant deadline_;
  std::chrono::nanoseconds remaining_;  // until then, when it began
  AsyncTransport::Receiver& receiver_;
  CurlTransfer transfer_;
  CurlHandles::Lease handle_{};  // empty: not begun, or ended
  CurlShard* shard_ = nullptr;
  std::optional<TransportFailure> failure_{};
  boost::intrusive::list_member_hook<boost::intrusive::link_mode<boost::intrusive::auto_unlink>> hook_{};

 public:
  using List = boost::intrusive::list<
      CurlRequest,
      boost::intrusive::member_hook<
          CurlRequest,
          boost::intrusive::list_member_hook<boost::intrusive::link_mode<boost::intrusive::auto_unlink>>,
          &CurlRequest::hook_>,
      boost::intrusive::constant_time_size<false>>;
};

/// What the shards of a transport share.
class CurlShardOwner {
 public:
  virtual CurlHandles& handles() noexcept = 0;
  virtual EventLoop& loop() noexcept = 0;
  /// Called when the last request of a shard has left.
  virtual void becameIdle() noexcept = 0;

 protected:
  CurlShardOwner() = default;
  CurlShardOwner(const CurlShardOwner&) = default;
  CurlShardOwner& operator=(const CurlShardOwner&) = default;
  ~CurlShardOwner() = default;
};

/// Requests to one origin and their connections. libcurl's effort for each event grows with the number of
/// transfers of a multi handle, so a transport has several shards.
///
/// Many requests that begin at once over HTTP/2 would each open a connection, because libcurl doesn't know
/// the protocol until one of them is established. Therefore, unless the origin is known to speak HTTP/1, a
/// shard begins the next request only when the previous one has its connection.
class CurlShard final : public CurlMulti {
 public:
  /// `separate`: whether each request in flight is known to need its own connection.
  CurlShard(CurlShardOwner& owner, CurlSource& source, const CurlTransportOptions& options,
            std::string_view origin, bool separate);
  ~CurlShard();

  [[nodiscard]] const std::string& origin() const noexcept { return origin_; }
  [[nodiscard]] bool isSeparate() const noexcept { return separate_; }
  [[nodiscard]] bool hasRoom() const noexcept;
  [[nodiscard]] bool isIdle() const noexcept { return requests_ == 0; }
  /// When the last request left; the beginning of time if the connections must not be used again.
  [[nodiscard]] Instant idleSince() const noexcept { return idleSince_; }

  void enter(CurlRequest& request) noexcept;
  /// Later requests do not use the connection that requests share.
  void doubtConnection() noexcept { connectionBroken_ = connectionBroken_ || !separate_; }
  void leave(CurlRequest& request) noexcept;

 private:
  void step() noexcept override;
  void acted() noexcept override;
  bool deliver() override;

  /// Whether its connections must not be used again.
  [[nodiscard]] bool isUseless() const noexcept { return isBroken() || connectionBroken_; }
  [[nodiscard]] bool mayBegin() const noexcept { return separate_ || connecting_ == nullptr; }
  void beginNext() noexcept;
  void begin(CurlRequest& request);
  void beginAgain(CurlRequest& request);
  void giveHandleBack(CurlRequest& request) noexcept;
  void noteIdle() noexcept;
  void limitIdle() noexcept;
  [[nodiscard]] TransportResult resultOf(CurlRequest& request, CURLcode code) noexcept;

  CurlShardOwner& owner_;
  const CurlTransportOptions& options_;
  std::string origin_;
  bool separate_;
  bool connectionBroken_ = false;
  std::size_t requests_ = 0;
  Instant idleSince_{};
  CurlRequest* connecting_ = nullptr;  // unless separate
  CurlRequest::List waiting_{};
  CurlRequest::List begun_{};
};

}  // namespace tally::detail

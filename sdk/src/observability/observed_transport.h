#pragma once

#include <memory>

#include <tally/transport.h>

namespace tally::detail {

/// Receives the end of one request, at most once. Must not throw.
class RequestObserver {
 public:
  RequestObserver() = default;
  RequestObserver(const RequestObserver&) = delete;
  RequestObserver& operator=(const RequestObserver&) = delete;
  virtual ~RequestObserver() = default;

  virtual void ended(const TransportResult& result) = 0;
  /// The transport threw an exception.
  virtual void threw() = 0;
  /// The client no longer waits for the result.
  virtual void abandoned() = 0;
};

/// Receives the requests of a transport, in any thread.
class TransportObserver {
 public:
  TransportObserver() = default;
  TransportObserver(const TransportObserver&) = delete;
  TransportObserver& operator=(const TransportObserver&) = delete;
  virtual ~TransportObserver() = default;

  /// Null if it can't observe this request.
  [[nodiscard]] virtual std::unique_ptr<RequestObserver> begin(const HttpRequest& request) noexcept = 0;
};

/// Sends through `next`, blocking or not.
[[nodiscard]] std::shared_ptr<Transport> observedTransport(std::shared_ptr<Transport> next,
                                                           std::shared_ptr<TransportObserver> observer);

}  // namespace tally::detail

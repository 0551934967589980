#pragma once

#include <cstddef>
#include <exception>
#include <limits>
#include <memory>

#include <tally/clock.h>
#include <tally/transport.h>

#include "event/departure.h"
#include "event/event_loop.h"

namespace tally::detail {

/// A request in flight. Destroying it ends it, and its receiver hears nothing more.
class AsyncTransfer {
 public:
  AsyncTransfer() = default;
  AsyncTransfer(const AsyncTransfer&) = delete;
  AsyncTransfer& operator=(const AsyncTransfer&) = delete;
  virtual ~AsyncTransfer() = default;

  /// False only if no byte of the request can have reached the service.
  [[nodiscard]] virtual bool mayHaveBeenSent() const noexcept = 0;
};

/// Carries requests to the service without blocking; the results are those of Transport::send(). Only for the
/// thread of its loop.
class AsyncTransport {
 public:
  class Receiver : public DepartureListener {
   public:
    /// Called at most once, also within start(), and only by transports that know it.
    void departs() noexcept override {}

    /// The request has ended. Called once, never within start(). May destroy the AsyncTransfer, and start
    /// others. Does not throw.
    virtual void ended(TransportResult&& result) = 0;

    /// The same, for a transport that threw: whether the request was sent is unknown.
    virtual void threw(const std::exception_ptr& exception) = 0;

   protected:
    Receiver() = default;
    Receiver(const Receiver&) = default;
    Receiver& operator=(const Receiver&) = default;
    ~Receiver() = default;
  };

  AsyncTransport() = default;
  AsyncTransport(const AsyncTransport&) = delete;
  AsyncTransport& operator=(const AsyncTransport&) = delete;
  virtual ~AsyncTransport() = default;

  /// How many requests it can carry at once.
  [[nodiscard]] virtual std::size_t mostInFlight() const noexcept {
    return std::numeric_limits<std::size_t>::max();
  }

  /// Sends a request. `request` and `receiver` must outlive the result. `deadline` is on the loop's clock:
  /// the request then ends in a timeout. Destroying this ends its requests without results. Throws
  /// std::bad_alloc if there is no memory for an AsyncTransfer; nothing is sent then.
  [[nodiscard]] virtual std::unique_ptr<AsyncTransfer> start(const HttpRequest& request, Instant deadline,
                                                             Receiver& receiver) = 0;
};

/// A transport and the loop that it runs in.
struct AsyncSetup {
  std::unique_ptr<EventLoop> loop{};
  std::unique_ptr<AsyncTransport> transport{};  // refers to the loop
};

}  // namespace tally::detail

#pragma once

#include <cstddef>
#include <memory>

#include <tally/transport.h>

#include "event/async_transport.h"
#include "event/event_loop.h"

namespace tally::detail {

/// Sends through a transport that blocks, in the thread of the loop. Takes one request at a time, since the
/// others would wait for it, and their time limits would pass.
class BlockingAdapter final : public AsyncTransport {
 public:
  /// `loop` must outlive this.
  BlockingAdapter(std::shared_ptr<Transport> transport, EventLoop& loop)
      : transport_(std::move(transport)), loop_(loop) {}

  [[nodiscard]] std::size_t mostInFlight() const noexcept override { return 1; }
  [[nodiscard]] std::unique_ptr<AsyncTransfer> start(const HttpRequest& request, Instant deadline,
                                                     Receiver& receiver) override;

 private:
  class Transfer;

  std::shared_ptr<Transport> transport_;
  EventLoop& loop_;
};

}  // namespace tally::detail

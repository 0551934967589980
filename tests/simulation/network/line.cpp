#include "simulation/network/line.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "event/async_transport.h"
#include "event/event_loop.h"
#include "simulation/network/delivery.h"

namespace tally::simulation {

namespace {

using detail::AsyncTransfer;
using detail::AsyncTransport;
using detail::EventLoop;

/// A request of an AsyncClient.
class LineTransfer final : public AsyncTransfer, private detail::Timer {
 public:
  LineTransfer(Network& network, Sender& sender, EventLoop& loop, const HttpRequest& request,
               Instant deadline, AsyncTransport::Receiver& receiver)
      : network_(network),
        loop_(loop),
        deadline_(deadline),
        receiver_(receiver),
        delivery_(std::make_unique<Delivery>(network, sender, request)) {
    wait();
  }
  LineTransfer(const LineTransfer&) = delete;
  LineTransfer& operator=(const LineTransfer&) = delete;
  ~LineTransfer() override {
    if (delivery_) network_.orphan(std::move(delivery_));
  }

  [[nodiscard]] bool mayHaveBeenSent() const noexcept override {
    return !delivery_ || delivery_->mayHaveBeenSent();
  }

 private:
  void wait() { loop_.set(*this, std::min(delivery_->next(), deadline_)); }

  void expired() override {
    if (delivery_->proceed()) return end(delivery_->take());
    if (loop_.now() < deadline_) return wait();
    end(delivery_->giveUp(TransportFailure::Kind::timeout));
  }

  /// The receiver may destroy this.
  void end(TransportResult&& result) {
    AsyncTransport::Receiver& receiver = receiver_;
    network_.orphan(std::move(delivery_));
    receiver.ended(std::move(result));
  }

  Network& network_;
  EventLoop& loop_;
  Instant deadline_;
  AsyncTransport::Receiver& receiver_;
  std::unique_ptr<Delivery> delivery_;
};

class AsyncLine final : public AsyncTransport {
 public:
  AsyncLine(Network& network, Sender& sender, EventLoop& loop)
      : network_(network), sender_(sender), loop_(loop) {}

  [[nodiscard]] std::unique_ptr<AsyncTransfer> start(const HttpRequest& request, Instant deadline,
                                                     Receiver& receiver) override {
    return std::make_unique<LineTransfer>(network_, sender_, loop_, request, deadline, receiver);
  }

 private:
  Network& network_;
  Sender& sender_;
  EventLoop& loop_;
};

class Line final : public Transport {
 public:
  Line(Network& network, Sender& sender) : network_(network), sender_(sender) {}

  TransportResult send(const HttpRequest& request, const SendLimits& limits) override {
    fake::VirtualClock& clock = *network_.service().clock();
    auto delivery = std::make_unique<Delivery>(network_, sender_, request);
    while (true) {
      const bool goesOn = clock.passUntil(std::min(delivery->next(), limits.deadline), limits.stop);
      if (goesOn && delivery->proceed()) return delivery->take();
      if (goesOn && clock.now() < limits.deadline) continue;
      const auto failure =
          delivery->giveUp(goesOn ? TransportFailure::Kind::timeout : TransportFailure::Kind::canceled);
      network_.orphan(std::move(delivery));
      return failure;
    }
  }

  [[nodiscard]] bool inProcess() const noexcept override { return true; }

  [[nodiscard]] std::unique_ptr<detail::AsyncSetup> makeAsync(const std::shared_ptr<Clock>& clock) override {
    if (clock != network_.service().clock()) return nullptr;
    auto setup = std::make_unique<detail::AsyncSetup>();
    setup->loop = std::make_unique<EventLoop>(*clock, detail::makeClockSource(*clock));
    setup->transport = std::make_unique<AsyncLine>(network_, sender_, *setup->loop);
    return setup;
  }

 private:
  Network& network_;
  Sender& sender_;
};

}  // namespace

std::shared_ptr<Transport> makeLine(Network& network, Sender& sender) {
  return std::make_shared<Line>(network, sender);
}

}  // namespace tally::simulation

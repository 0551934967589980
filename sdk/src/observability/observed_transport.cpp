#include "observability/observed_transport.h"

#include <cstddef>
#include <exception>
#include <utility>

#include "event/async_transport.h"

namespace tally::detail {

namespace {

/// A request in flight.
class ObservedTransfer final : public AsyncTransfer, private AsyncTransport::Receiver {
 public:
  ObservedTransfer(std::unique_ptr<RequestObserver> observer, AsyncTransport::Receiver& receiver)
      : observer_(std::move(observer)), receiver_(receiver) {}
  ObservedTransfer(const ObservedTransfer&) = delete;
  ObservedTransfer& operator=(const ObservedTransfer&) = delete;
  ~ObservedTransfer() override {
    if (observer_ != nullptr && next_ != nullptr && !hasEnded_) observer_->abandoned();
  }

  void start(AsyncTransport& next, const HttpRequest& request, Instant deadline) {
    next_ = next.start(request, deadline, *this);
  }

  [[nodiscard]] bool mayHaveBeenSent() const noexcept override { return next_->mayHaveBeenSent(); }

 private:
  void departs() noexcept override { receiver_.departs(); }

  // The receiver may destroy this.

  void ended(TransportResult&& result) override {
    hasEnded_ = true;
    if (observer_ != nullptr) observer_->ended(result);
    receiver_.ended(std::move(result));
  }
  void threw(const std::exception_ptr& exception) override {
    hasEnded_ = true;
    if (observer_ != nullptr) observer_->threw();
    receiver_.threw(exception);
  }

  std::unique_ptr<RequestObserver> observer_;  // may be null
  AsyncTransport::Receiver& receiver_;
  std::unique_ptr<AsyncTransfer> next_{};
  bool hasEnded_ = false;
};

class AsyncObserved final : public AsyncTransport {
 public:
  AsyncObserved(std::shared_ptr<TransportObserver> observer, std::unique_ptr<AsyncTransport> next)
      : observer_(std::move(observer)), next_(std::move(next)) {}

  [[nodiscard]] std::size_t mostInFlight() const noexcept override { return next_->mostInFlight(); }
  [[nodiscard]] std::unique_ptr<AsyncTransfer> start(const HttpRequest& request, Instant deadline,
                                                     Receiver& receiver) override {
    auto transfer = std::make_unique<ObservedTransfer>(observer_->begin(request), receiver);
    transfer->start(*next_, request, deadline);
    return transfer;
  }

 private:
  std::shared_ptr<TransportObserver> observer_;
  std::unique_ptr<AsyncTransport> next_;
};

class Observed final : public Transport {
 public:
  Observed(std::shared_ptr<Transport> next, std::shared_ptr<TransportObserver> observer)
      : next_(std::move(next)), observer_(std::move(observer)) {}

  TransportResult send(const HttpRequest& request, const SendLimits& limits) override {
    const auto observer = observer_->begin(request);
    try {
      TransportResult result = next_->send(request, limits);
      if (observer != nullptr) observer->ended(result);
      return result;
    } catch (...) {
      if (observer != nullptr) observer->threw();
      throw;
    }
  }

  [[nodiscard]] bool inProcess() const noexcept override { return next_->inProcess(); }

  [[nodiscard]] std::unique_ptr<AsyncSetup> makeAsync(const std::shared_ptr<Clock>& clock) override {
    auto setup = next_->makeAsync(clock);
    if (setup != nullptr)
      setup->transport = std::make_unique<AsyncObserved>(observer_, std::move(setup->transport));
    return setup;
  }

 private:
  std::shared_ptr<Transport> next_;
  std::shared_ptr<TransportObserver> observer_;
};

}  // namespace

std::shared_ptr<Transport> observedTransport(std::shared_ptr<Transport> next,
                                             std::shared_ptr<TransportObserver> observer) {
  return std::make_shared<Observed>(std::move(next), std::move(observer));
}

}  // namespace tally::detail

#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include <tally/transport.h>

#include "event/async_transport.h"

namespace tally::test {

/// Leaves it to the test to end the requests of asynchronous calls.
class HeldRequests final : public Transport {
 public:
  TransportResult send(const HttpRequest&, const SendLimits&) override { return TransportFailure{}; }
  [[nodiscard]] bool inProcess() const noexcept override { return true; }
  [[nodiscard]] std::unique_ptr<detail::AsyncSetup> makeAsync(const std::shared_ptr<Clock>& clock) override {
    auto setup = std::make_unique<detail::AsyncSetup>();
    setup->loop = std::make_unique<detail::EventLoop>(*clock, detail::makeClockSource(*clock));
    setup->transport = std::make_unique<Carrier>(receivers_);
    return setup;
  }

  /// How many requests have begun.
  [[nodiscard]] std::size_t begun() const noexcept { return receivers_.size(); }

  /// Ends that request, unless the client has given it up. The first one is 0.
  void end(std::size_t number, TransportResult result) {
    if (number < begun() && receivers_[number] != nullptr) receivers_[number]->ended(std::move(result));
  }

 private:
  using Receivers = std::vector<detail::AsyncTransport::Receiver*>;  // null: has ended

  class Transfer final : public detail::AsyncTransfer {
   public:
    explicit Transfer(Receivers& all) : all_(all), number_(all.size() - 1) {}
    Transfer(const Transfer&) = delete;
    Transfer& operator=(const Transfer&) = delete;
    ~Transfer() override { all_[number_] = nullptr; }

    [[nodiscard]] bool mayHaveBeenSent() const noexcept override { return true; }

   private:
    Receivers& all_;
    std::size_t number_;
  };

  class Carrier final : public detail::AsyncTransport {
   public:
    explicit Carrier(Receivers& receivers) : receivers_(receivers) {}

    [[nodiscard]] std::unique_ptr<detail::AsyncTransfer> start(const HttpRequest&, Instant,
                                                               Receiver& receiver) override {
      receivers_.push_back(&receiver);
      return std::make_unique<Transfer>(receivers_);
    }

   private:
    Receivers& receivers_;
  };

  Receivers receivers_{};
};

}  // namespace tally::test

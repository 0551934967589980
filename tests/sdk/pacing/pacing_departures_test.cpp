// From when the pacer counts a request that departs later than the pacer has let it pass.

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include <tally/async.h>
#include <tally/observer.h>

#include "sdk/support/paced.h"

namespace tally::test {
namespace {

/// Sends in the calling thread. Each request takes 100 ms; the service counts it when it is sent.
class BlockingTransport final : public Transport {
 public:
  explicit BlockingTransport(fake::Service& service) : service_(service) {}

  TransportResult send(const HttpRequest& request, const SendLimits& limits) override {
    sent = service_.clock()->now();
    TransportResult result = service_.transport()->send(request, limits);
    service_.clock()->advance(100ms);
    return result;
  }
  [[nodiscard]] bool inProcess() const noexcept override { return true; }

  Instant sent{};  // the last request

 private:
  fake::Service& service_;
};

class PacingDepartures : public Paced {
 protected:
  [[nodiscard]] ClientOptions options() {
    ClientOptions made = optionsFor(account.sandboxKey);
    made.transport = transport;
    return made;
  }
  [[nodiscard]] std::int64_t retrievalsAt(Instant time) const {
    for (const PacerUsage& line : pacer->usage(account.sandboxKey, time))
      if (line.limit == "endpoint_rate" && line.operation == "payment_records.retrieve") return line.used;
    return 0;
  }
  void expectThatItCountsFromItsDeparture() const {
    EXPECT_EQ(retrievalsAt(transport->sent + 1s - 1ns), 1);
    EXPECT_EQ(retrievalsAt(transport->sent + 1s), 0);
  }

  std::shared_ptr<BlockingTransport> transport = std::make_shared<BlockingTransport>(service);
};

/// The pacer lets two requests pass at once, but one waits for the other in the thread of the AsyncClient.
TEST_F(PacingDepartures, FollowTheRequestsThatATransportSendsBefore) {
  const auto intent = service.insert<PaymentIntent>(account.sandboxKey).id;
  AsyncClient async{options()};
  for (int n = 0; n < 2; ++n) {
    service.clock()->advance(10s);
    async.paymentIntents().retrieve(intent).then([](const auto& got) { EXPECT_TRUE(got); });
    async.paymentRecords().retrieve(record).then([](const auto& got) { EXPECT_TRUE(got); });
    async.run();
  }
  expectThatItCountsFromItsDeparture();
}

class PacingWithRoomForOne : public PacingDepartures {
 protected:
  /// The times of two requests, of which the service refuses the first while the second waits for room.
  std::vector<Instant> timesOfTwo() {
    service.faults().inject({.error = "rate_limit", .rateLimitedReason = "global-rate"});
    AsyncClient async{optionsFor(account.sandboxKey), {.maxInFlight = 1}};
    std::vector<bool> successes;
    for (int n = 0; n < 2; ++n)
      async.paymentRecords().retrieve(record).then(
          [&](const auto& got) { successes.push_back(got.has_value()); });
    async.run();
    EXPECT_EQ(successes, (std::vector{false, true}));
    std::vector<Instant> times;
    for (const fake::LoggedRequest& one : service.requests().list())
      times.push_back(one.time);
    times.resize(2);
    return times;
  }
};

/// The service refuses a request in the first second, because of those of an earlier process.
TEST_F(PacingWithRoomForOne, WaitsIfARefusalClosesALimit) {
  pace({});
  const auto times = timesOfTwo();
  EXPECT_EQ(times[1] - times[0], 1s);
}

/// Later, another process must be using the account, so less is left for this one.
TEST_F(PacingWithRoomForOne, WaitsIfARefusalLowersALimit) {
  pace({});
  service.clock()->advance(2s);
  const auto times = timesOfTwo();
  EXPECT_GE(times[1] - times[0], 1s);
}

class SlowObserver final : public Observer {
 public:
  explicit SlowObserver(std::shared_ptr<fake::VirtualClock> clock) : clock_(std::move(clock)) {}
  void on(const Event& event) noexcept override {
    if (event.kind == EventKind::attemptStarted) clock_->advance(50ms);
  }

 private:
  std::shared_ptr<fake::VirtualClock> clock_;
};

TEST_F(PacingDepartures, FollowTheProviderOfTheKeyAndTheObserver) {
  ClientOptions slow = options();
  slow.apiKeyProvider = [this, key = std::exchange(slow.apiKey, {})] {
    service.clock()->advance(50ms);
    return key;
  };
  slow.observer = std::make_shared<SlowObserver>(service.clock());
  const auto retrievals = [&](Instant time) {
    for (const PacerUsage& line : pacer->usage({}, time))
      if (line.limit == "endpoint_rate") return line.used;
    return std::int64_t{0};
  };
  const auto expectDepartures = [&](const auto& retrieveOnce) {
    pacer = exact({});
    slow.pacer = pacer;
    retrieveOnce();
    service.clock()->advance(10s);
    retrieveOnce();
    EXPECT_EQ(retrievals(transport->sent + 1s - 1ns), 1);
    EXPECT_EQ(retrievals(transport->sent + 1s), 0);
  };
  expectDepartures([&] { EXPECT_TRUE(Client{slow}.paymentRecords().retrieve(record)); });
  expectDepartures([&] {
    AsyncClient async{slow};
    async.paymentRecords().retrieve(record).then([](const auto& got) { EXPECT_TRUE(got); });
    async.run();
  });
}

}  // namespace
}  // namespace tally::test

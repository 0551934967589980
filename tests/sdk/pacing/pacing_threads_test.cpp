// Many threads at once. If time passes in steps, they are as fast as the service allows. If every sleep
// advances the clock for all, requests arrive late, but none is refused.

#include <atomic>
#include <thread>

#include "sdk/support/paced.h"

namespace tally::test {
namespace {

constexpr int threadCount = 12;

class PacingThreads : public Paced {
 protected:
  explicit PacingThreads(fake::ServiceOptions options = {}) : Paced(options) {}

  void TearDown() override {
    EXPECT_EQ(refusals(), std::vector<std::string>{});
    EXPECT_EQ(pacer->counts().waiting, 0U);
    EXPECT_EQ(pacer->counts().inFlight, 0U);
  }

  /// Each thread makes `count` calls, and then sleeps until stopped.
  void begin(int count, const std::function<bool(int thread, int call)>& call) {
    for (int n = 0; n < threadCount; ++n)
      threads.emplace_back([this, n, count, call](const std::stop_token& stop) {
        for (int i = 0; i < count; ++i)
          EXPECT_TRUE(call(n, i));
        ++done;
        done.notify_all();
        service.clock()->waitUntil(Instant::max(), stop);
      });
  }

  /// The time until all threads are done. Time passes only while all of them wait.
  std::chrono::nanoseconds passInSteps(std::chrono::nanoseconds step) {
    const Instant start = service.clock()->now();
    while (true) {
      service.clock()->waitForSleepers(threadCount);
      if (done == threadCount) break;
      service.clock()->advance(step);
    }
    threads.clear();
    return service.clock()->now() - start;
  }

  void awaitAll() {
    for (int so = done; so != threadCount; so = done)
      done.wait(so);
    threads.clear();
  }

  std::atomic<int> done = 0;
  std::vector<std::jthread> threads{};
};

TEST_F(PacingThreads, SendRequestsAtTheLimit) {
  service.clock()->freeze();
  begin(600 / threadCount, [&](int, int) { return retrieve(); });
  const auto took = passInSteps(10ms);
  EXPECT_GE(took, 23s);
  EXPECT_LE(took, 24s);
  EXPECT_EQ(service.requests().size(), 600U);
}

TEST_F(PacingThreads, SendRequestsToManyEndpointsAtTheGlobalLimit) {
  const Client live = clientFor(account.liveKey);
  service.clock()->freeze();
  begin(1'200 / threadCount, [&](int n, int i) {
    switch ((n + i) % 6) {
      case 0:
        return live.subscriptions().create().has_value();
      case 1:
        return live.paymentIntents().create({.amount = 1, .currency = "eur"}).has_value();
      case 2:
        return live.paymentRecords().retrieve("pr_none").error().status() == 404;
      case 3:
        return live.paymentIntents().retrieve("pi_none").error().status() == 404;
      case 4:
        return live.subscriptions().retrieve("sub_none").error().status() == 404;
      default:
        return listed(live);
    }
  });
  const auto took = passInSteps(10ms);
  EXPECT_GE(took, 11s);
  EXPECT_LE(took, 12s);
}

TEST_F(PacingThreads, CauseNoRefusalsWhenRequestsArriveLate) {
  begin(50, [&](int n, int i) { return (n + i) % 3 == 0 ? listed(client) : retrieve(); });
  awaitAll();
  EXPECT_EQ(service.requests().size(), 600U);
}

TEST_F(PacingThreads, StayWithinConcurrencyLimits) {
  setBoth("payouts_in_progress", 3);
  setBoth("payout_creation", 1'000);
  setBoth("global_rate", 1'000);
  begin(20, [&](int, int) { return client.payouts().create({.amount = 1, .currency = "eur"}).has_value(); });
  awaitAll();
  EXPECT_EQ(service.requests().size(), 240U);
}

TEST_F(PacingThreads, StayWithinAllLimitsAtOnce) {
  const auto subscription = service.insert<Subscription>(account.liveKey).id;
  const auto intent = service.insert<PaymentIntent>(account.liveKey).id;
  const Client live = clientFor(account.liveKey);
  begin(40, [&](int n, int i) {
    switch ((n + i) % 6) {
      case 0:
        return live.payouts().create({.amount = 1, .currency = "eur"}).has_value();
      case 1:
        return live.files().create({.purpose = "a", .filename = "b"}).has_value();
      case 2:
        return live.subscriptions().update(subscription, {.quantity = i}).has_value();
      case 3:
        return live.paymentIntents().update(intent, {.description = "x"}).has_value();
      case 4:
        return retrieve();
      default:
        return listed(live);
    }
  });
  awaitAll();
  EXPECT_EQ(service.requests().size(), 480U);
}

/// A slow transport, which can delay one request in seven so that others overtake it.
class SlowTransport final : public Transport {
 public:
  SlowTransport(std::shared_ptr<Transport> inner, std::shared_ptr<fake::VirtualClock> clock,
                std::chrono::nanoseconds late)
      : inner_(std::move(inner)), clock_(std::move(clock)), late_(late) {}

  TransportResult send(const HttpRequest& request, const SendLimits& limits) override {
    const int number = sent_++;
    clock_->passUntil(clock_->now() + 20ms + (number % 7 == 0 ? late_ : 0ms), limits.stop);
    auto response = inner_->send(request, {.deadline = Instant::max(), .stop = limits.stop});
    clock_->passUntil(clock_->now() + 30ms, limits.stop);
    return response;
  }

 private:
  std::shared_ptr<Transport> inner_;
  std::shared_ptr<fake::VirtualClock> clock_;
  std::chrono::nanoseconds late_;
  std::atomic<int> sent_ = 0;
};

class PacingWithHighLatency : public PacingThreads {
 protected:
  void makeOneInSevenLate(std::chrono::nanoseconds late) {
    ClientOptions options = optionsFor(account.sandboxKey);
    options.transport = std::make_shared<SlowTransport>(service.transport(), service.clock(), late);
    client = Client{options};
  }
};

TEST_F(PacingWithHighLatency, LosesLittleTimeWhenTheLatencyIsConstant) {
  makeOneInSevenLate(0ms);
  service.clock()->freeze();
  begin(300 / threadCount, [&](int, int) { return retrieve(); });
  const auto took = passInSteps(10ms);
  EXPECT_GE(took, 11s);
  EXPECT_LE(took, 11s + 300ms) << "except for the first second, when the latency is unknown";
}

TEST_F(PacingWithHighLatency, CausesNoRefusalsWhenSomeRequestsAreLate) {
  makeOneInSevenLate(300ms);
  service.clock()->freeze();
  begin(300 / threadCount, [&](int, int) { return retrieve(); });
  EXPECT_LE(passInSteps(10ms), 16s);
}

TEST_F(PacingWithHighLatency, CausesNoRefusalsWhenTheClockJumps) {
  makeOneInSevenLate(300ms);
  begin(20, [&](int, int) { return retrieve(); });
  awaitAll();
}

}  // namespace
}  // namespace tally::test

// Whole calls: scenarios with too many interleavings to explore all of them.

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <tally/async.h>
#include <tally/client.h>
#include <tally/fake/service.h>
#include <tally/pacer.h>
#include <tally/payment_records.h>

#include <gtest/gtest.h>

#include "interleavings/support/explore.h"
#include "interleavings/support/scheduler.h"

namespace tally::test {

namespace {

using namespace std::chrono_literals;

constexpr std::chrono::sys_seconds failedAt{1'750'000'000s};
constexpr Exploration partly{.preemptions = 1, .seeds = 100, .maxSchedules = 1'000};

/// A transport that blocks, as a network does: pages and asynchronous calls then have threads of their own.
class Blocking final : public Transport {
 public:
  explicit Blocking(std::shared_ptr<Transport> inner) : inner_(std::move(inner)) {}
  TransportResult send(const HttpRequest& request, const SendLimits& limits) override {
    return inner_->send(request, limits);
  }

 private:
  std::shared_ptr<Transport> inner_;
};

struct Shop {
  fake::Service service{};
  std::string key = service.addAccount().sandboxKey;

  [[nodiscard]] ClientOptions blocking() {
    ClientOptions options = service.clientOptions(key);
    options.transport = std::make_shared<Blocking>(options.transport);
    return options;
  }
};

}  // namespace

TEST(Interleavings, NeverLoseOrRepeatARecordOfAPrefetchingPager) {
  const auto scenario = [] {
    Shop shop;
    for (int i = 0; i < 3; ++i)
      (void)shop.service.insert<PaymentRecord>(shop.key);
    const Client client{shop.blocking()};
    std::size_t count = 0;
    for (const auto& record : client.paymentRecords().list({.limit = 1}).prefetch()) {
      check(record.has_value(), "a page fails");
      ++count;
    }
    check(count == 3, std::to_string(count) + " records");
  };
  testInterleavings(scenario, partly);
}

TEST(Interleavings, NeverKeepAPrefetchingPagerFromEndingWithAPageInFlight) {
  const auto scenario = [] {
    Shop shop;
    for (int i = 0; i < 3; ++i)
      (void)shop.service.insert<PaymentRecord>(shop.key);
    const Client client{shop.blocking()};
    for (const auto& record : client.paymentRecords().list({.limit = 1}).prefetch()) {
      check(record.has_value(), "a page fails");
      break;
    }
  };
  testInterleavings(scenario, partly);
}

TEST(Interleavings, NeverCauseARefusalWithTwoPacedThreads) {
  const auto scenario = [] {
    Shop shop;
    const LimitOverride one{.limit = "endpoint_rate", .value = 1};
    shop.service.limits().set(one);
    ClientOptions options = shop.service.clientOptions(shop.key);
    options.pacer = std::make_shared<Pacer>(PacerOptions{.limits = {one}});
    const Client client{options};
    const auto id = shop.service.insert<PaymentRecord>(shop.key).id;
    shop.service.clock()->runThreads(2, [&](std::size_t) {
      check(client.paymentRecords().retrieve(id).has_value(), "a request is refused");
    });
    check(options.pacer->counts().waiting == 0 && options.pacer->counts().inFlight == 0,
          "the pacer still counts a call");
  };
  testInterleavings(scenario, partly);
}

TEST(Interleavings, NeverLoseOrRepeatACompletionWhileAnAsyncClientCloses) {
  const auto scenario = [] {
    Shop shop;
    const std::string id = shop.service.insert<PaymentRecord>(shop.key).id.str();
    std::atomic<int> completions = 0;
    AsyncClient async{shop.blocking()};
    std::thread other{[&] {
      async.paymentRecords()
          .reportFailed(id, {.failedAt = failedAt})
          .then([&](const Result<PaymentRecord>& result) {
            ++completions;
            check(result.has_value() || result.error().kind() == ErrorKind::canceled,
                  result ? "" : result.error().toString());
          });
    }};
    async.close(1h);
    other.join();
    check(completions == 1, "the call has completed " + std::to_string(completions) + " times");
  };
  testInterleavings(scenario, partly);
}

TEST(Interleavings, NeverMisstateTheEffectOfACanceledAsyncReport) {
  const auto scenario = [] {
    Shop shop;
    const std::string id = shop.service.insert<PaymentRecord>(shop.key).id.str();
    std::optional<Result<PaymentRecord>> result;
    StopSource stop;
    {
      AsyncClient async{shop.blocking()};
      async.paymentRecords()
          .reportFailed(id, {.failedAt = failedAt}, {.stop = stop.get_token()})
          .then([&](Result<PaymentRecord> end) { result.emplace(std::move(end)); });
      stop.request_stop();
      async.close(1h);
    }
    const bool isApplied =
        !shop.service.requests().list().empty() && Client{shop.service.clientOptions(shop.key)}
                                                           .paymentRecords()
                                                           .retrieve(id)
                                                           .value()
                                                           .amountFailed.value != 0;
    check(result.has_value(), "the call has not completed");
    if (result->has_value()) return check(isApplied, "a report that was not applied is a success");
    check(result->error().effect() == Effect::unknown || !isApplied, "a report without effect was applied");
  };
  testInterleavings(scenario, partly);
}

}  // namespace tally::test

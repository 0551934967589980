// Real threads on a running clock, with delays and varying latencies.

#include <atomic>
#include <thread>
#include <vector>

#include "sdk/support/paced.h"

namespace tally::test {
namespace {

TEST(PacingOnARealClock, KeepsManyThreadsNearTheLimitWithFewRefusals) {
  constexpr int threadCount = 32;
  constexpr int callCount = 400;
  fake::Service service{{.duration = 2ms}};
  service.clock()->run();
  PacerOptions pacerOptions;
  for (const char* limit : {"endpoint_rate", "global_rate"}) {
    pacerOptions.limits.push_back({.limit = limit, .value = 100});
    service.limits().set(pacerOptions.limits.back());
  }
  const std::string key = service.addAccount().sandboxKey;
  const auto record = service.insert<PaymentRecord>(key).id;
  ClientOptions options = service.clientOptions(key);
  options.pacer = std::make_shared<Pacer>(pacerOptions);
  const Client client{options};

  const Instant start = service.clock()->now();
  std::atomic<int> begun = 0;
  std::atomic<int> refused = 0;
  {
    std::vector<std::jthread> threads;
    for (int n = 0; n < threadCount; ++n)
      threads.emplace_back([&] {
        while (begun++ < callCount)
          if (!client.paymentRecords().retrieve(record)) ++refused;
      });
  }
  const auto took = service.clock()->now() - start;
  EXPECT_LE(refused.load(), callCount / 50);
  EXPECT_GE(took, 3s) << "a hundred at once, then a hundred per second";
  EXPECT_LE(took, 8s) << "half the rate would take as long";
}

}  // namespace
}  // namespace tally::test

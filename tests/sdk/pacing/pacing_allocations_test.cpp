// A pacer without memory: each allocation of a paced call fails in turn. The exception propagates, the call's
// units are returned, and waiting calls proceed.

#include <algorithm>
#include <functional>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>

#include <tally/limits.h>
#include <tally/pacer.h>
#include <tally/tally.h>

#include <gtest/gtest.h>

#include "operations.h"
#include "pacing/paced_call.h"
#include "support/failing_allocations.h"

namespace tally::detail {
namespace {

using namespace std::chrono_literals;
using test::FailingAllocations;

/// Skips sleeps, and runs `meanwhile` in a wait, which must end it.
class LeapingClock final : public Clock {
 public:
  [[nodiscard]] Instant now() const override { return now_; }
  bool sleepUntil(Instant time, std::stop_token stop) override {
    if (!stop.stop_requested()) now_ = std::max(now_, time);
    return !stop.stop_requested();
  }
  bool waitUntil(Instant, std::stop_token stop) override {
    if (meanwhile) std::exchange(meanwhile, {})();
    if (!stop.stop_requested()) throw std::logic_error{"nothing ended the wait"};
    return false;
  }

  std::function<void()> meanwhile{};  // what other calls do during the first wait

 private:
  Instant now_ = std::chrono::sys_days{std::chrono::year{2026} / 1 / 1};
};

/// A new pacer each time, with a limit of one request per second and of one in progress.
class PacingWithoutMemory : public testing::Test {
 protected:
  struct World {
    World()
        : pacing{LimitPlan{operations, limits::all},
                 {.limits = {{.limit = "endpoint_rate", .value = 1},
                             {.limit = "endpoint_concurrency", .value = 1}},
                  .windowMargin = 0ms}} {
      pacing.begin(clock.now());
      clock.sleepUntil(clock.now() + 24h, {});
    }

    [[nodiscard]] std::unique_ptr<PacedCall> call(const std::string& connected = {}) {
      HttpRequest request{.headers = {{"Authorization", "Bearer sk_test_1"}}};
      if (!connected.empty()) request.headers.push_back({"Service-Account", connected});
      return std::make_unique<PacedCall>(pacing, paymentRecordsRetrieve,
                                         pacing.request(paymentRecordsRetrieve, "pr_1", {}), request);
    }
    [[nodiscard]] PacedCall::Verdict ask(PacedCall& call) { return call.ask(clock.now(), Instant::max()); }
    [[nodiscard]] bool await(PacedCall& call) {
      return call.await(clock, Instant::max(), {}) == PacedCall::Verdict::go;
    }

    LeapingClock clock{};
    Pacing pacing;
  };

  /// Runs `code` in a new world per allocation, which fails there, and passes each world to `check`. Returns
  /// the number of allocations.
  static int failEach(const std::function<void(World&)>& code, const std::function<void(World&)>& check) {
    for (int n = 1;; ++n) {
      World world;
      bool thrown = false;
      bool failed = false;
      {
        const FailingAllocations fail{static_cast<std::size_t>(n)};
        try {
          code(world);
        } catch (const std::bad_alloc&) {
          thrown = true;
        }
        failed = fail.failed();
      }
      EXPECT_EQ(thrown, failed) << "allocation " << n;
      check(world);
      if (!failed || testing::Test::HasFailure()) return n - 1;
    }
  }

  static void expectNothingLeft(World& world) {
    EXPECT_EQ(world.pacing.counts().waiting, 0U);
    EXPECT_EQ(world.pacing.counts().inFlight, 0U);
    world.clock.sleepUntil(world.clock.now() + 25h, {});
    for (const char* connected : {"", "acct_1"})
      EXPECT_TRUE(
          world.pacing.usage(world.pacing.accountOf("sk_test_1", connected), world.clock.now()).empty());
    const auto next = world.call();
    EXPECT_EQ(world.ask(*next), PacedCall::Verdict::go);
  }
};

TEST_F(PacingWithoutMemory, LeaksNothingWhenACallFails) {
  const auto callTwice = [](World& world) {
    for (int n = 0; n < 2; ++n) {  // the second one waits
      const auto call = world.call("acct_1");
      const bool waits = world.ask(*call) == PacedCall::Verdict::wait;
      EXPECT_TRUE(!waits || world.await(*call));
      call->sending(world.clock.now());
      call->responded(world.clock.now(), {.responded = true});
    }
  };
  EXPECT_GE(failEach(callTwice, expectNothingLeft), 20);
}

TEST_F(PacingWithoutMemory, LeaksNothingWhenHandlingARefusalFails) {
  const auto refused = [](World& world) {
    const auto call = world.call();
    ASSERT_EQ(world.ask(*call), PacedCall::Verdict::go);
    call->sending(world.clock.now());
    call->responded(world.clock.now(), {.responded = true, .refusedBy = RateLimitedReason::globalRate});
  };
  EXPECT_GE(failEach(refused, expectNothingLeft), 10);
}

/// The first call in a line fails while the next one sleeps.
TEST_F(PacingWithoutMemory, WakesTheNextCallWhenACallFails) {
  int failures = 0;
  for (bool failed = true; failed && !HasFailure(); failures += failed ? 1 : 0) {
    World world;
    const auto sent = world.call();
    ASSERT_EQ(world.ask(*sent), PacedCall::Verdict::go);
    sent->sending(world.clock.now());
    auto first = world.call();
    ASSERT_EQ(world.ask(*first), PacedCall::Verdict::wait);
    const auto behind = world.call();
    ASSERT_EQ(world.ask(*behind), PacedCall::Verdict::wait);
    world.clock.meanwhile = [&] {
      const FailingAllocations fail{static_cast<std::size_t>(failures) + 1};
      sent->responded(world.clock.now(), {.responded = true});
      try {
        EXPECT_TRUE(world.await(*first));
        first->sending(world.clock.now());
        first->responded(world.clock.now(), {.responded = true});
      } catch (const std::bad_alloc&) {
        EXPECT_TRUE(fail.failed());
      }
      failed = fail.failed();
      first.reset();
    };
    EXPECT_TRUE(world.await(*behind));
  }
  EXPECT_GE(failures, 2);
}

/// A complete call by the client: the exception propagates, and the pacer retains nothing.
TEST_F(PacingWithoutMemory, LeavesNoCallsInThePacerWhenACallOfAClientFails) {
  struct Responses final : Transport {
    TransportResult send(const HttpRequest&, const SendLimits&) override {
      return HttpResponse{.status = 404, .body = R"({"error":{"type":"invalid_request_error"}})"};
    }
    [[nodiscard]] bool inProcess() const noexcept override { return true; }
  };
  const auto clock = std::make_shared<LeapingClock>();
  const auto pacer = std::make_shared<Pacer>();
  const Client client{{.apiKey = "sk_test_1",
                       .baseUrl = "https://service.test",
                       .pacer = pacer,
                       .transport = std::make_shared<Responses>(),
                       .clock = clock}};
  int failures = 0;
  for (bool failed = true; failed; failures += failed ? 1 : 0) {
    clock->sleepUntil(clock->now() + 1h, {});
    const FailingAllocations fail{static_cast<std::size_t>(failures) + 1};
    try {
      (void)client.paymentRecords().retrieve("pr_1");
    } catch (const std::bad_alloc&) {
      ASSERT_TRUE(fail.failed());
    }
    failed = fail.failed();
    ASSERT_EQ(pacer->counts().waiting, 0U);
    ASSERT_EQ(pacer->counts().inFlight, 0U);
  }
  EXPECT_GE(failures, 20);
}

}  // namespace
}  // namespace tally::detail

// A pacer with a share, as its user sees it.

#include <atomic>
#include <sstream>
#include <stdexcept>
#include <thread>

#include <tally/async.h>
#include <tally/memory_share.h>
#include <tally/share_refresher.h>

#include <gmock/gmock.h>

#include "sdk/support/paced.h"

namespace tally::test {
namespace {

using testing::HasSubstr;

/// A share that can't be reached while `down`.
class SometimesDown final : public PacerShare {
 public:
  std::string newProcess() override { return share.newProcess(); }
  ShareReply exchange(const ShareRequest& request) override {
    ++exchanges;
    if (down) throw std::runtime_error{"no route to the database"};
    return share.exchange(request);
  }

  MemoryShare share{};
  std::atomic<bool> down = false;
  std::atomic<int> exchanges = 0;
};

class PacerShareTest : public Paced {
 protected:
  PacerShareTest() { pace({.share = share}); }

  void refresh() { (void)pacer->refreshShare(*service.clock()); }
  /// Calls and refreshes until the share is as large as it gets.
  void growShare() {
    for (int n = 0; n < 6; ++n) {
      EXPECT_TRUE(retrieve());
      EXPECT_TRUE(retrieve());
      refresh();
    }
  }
  [[nodiscard]] std::int64_t allowed() const { return usage("global_rate").allowed.value_or(-1); }

  std::shared_ptr<SometimesDown> share = std::make_shared<SometimesDown>();
};

TEST_F(PacerShareTest, AllowsOneRequestPerWindowBeforeTheFirstExchange) {
  EXPECT_EQ(timeOf(4, [&](int) { return retrieve(); }), 3s);
  EXPECT_EQ(usage("global_rate").share, 1);
  EXPECT_EQ(pacer->shareState(), PacerShareState{});
}

TEST_F(PacerShareTest, GrowsWithTheDemand) {
  growShare();
  EXPECT_GT(allowed(), 2);
  EXPECT_EQ(usage("global_rate").configured, 25);
}

TEST_F(PacerShareTest, IsShownInTheUsageOfThePacer) {
  EXPECT_TRUE(retrieve());
  std::ostringstream line;
  line << usage("global_rate");
  EXPECT_EQ(line.str(), "global_rate: 1 of 1 used, share of 25");
}

TEST_F(PacerShareTest, IsKeptForMostOfTheLeaseWhenExchangesFail) {
  growShare();
  const std::int64_t before = allowed();
  const Instant last = service.clock()->now();
  share->down = true;
  refresh();
  EXPECT_THAT(pacer->shareState().problem, HasSubstr("no route to the database"));
  EXPECT_EQ(pacer->shareState().heldUntil, last + 8s);
  service.clock()->advanceTo(last + 8s - 1ns);
  EXPECT_TRUE(retrieve());
  EXPECT_EQ(allowed(), before);
  service.clock()->advance(1ns);
  EXPECT_EQ(allowed(), 1);
  share->down = false;
  refresh();
  EXPECT_EQ(pacer->shareState().problem, "");
  EXPECT_EQ(allowed(), before) << "nobody has taken it";
}

TEST_F(PacerShareTest, NeverMakesACallWaitForAnExchange) {
  growShare();
  share->down = true;
  const Instant before = service.clock()->now();
  service.clock()->advance(20s);
  for (int n = 0; n < 3; ++n)
    EXPECT_TRUE(retrieve());
  EXPECT_EQ(service.clock()->now() - before, 22s);
}

TEST_F(PacerShareTest, GrowsInTimeForCallsWithADeadline) {
  fake::VirtualClock& clock = *service.clock();
  const Instant start = clock.now();
  clock.runThreads(3, [&](std::size_t thread) {
    if (thread < 2) {
      const auto retrieved = client.paymentRecords().retrieve(record, {.totalTimeout = 900ms});
      EXPECT_TRUE(retrieved) << retrieved.error();
      return;
    }
    for (Instant next = start + 100ms; next < start + 900ms; next = pacer->refreshShare(clock))
      (void)clock.sleepUntil(next, {});
  });
  EXPECT_LT(service.requests().list().back().time, start + 900ms);
}

TEST_F(PacerShareTest, EndsCallsAtTheirDeadlinesIfItDoesNotGrow) {
  EXPECT_TRUE(retrieve());
  const Instant start = service.clock()->now();
  const auto blocking = client.paymentRecords().retrieve(record, {.totalTimeout = 300ms});
  ASSERT_FALSE(blocking);
  EXPECT_EQ(blocking.error().message(), "waiting for the limit endpoint_rate would overrun the deadline");
  EXPECT_EQ(service.clock()->now(), start + 300ms);
  AsyncClient async{client};
  std::optional<Error> late;
  async.paymentRecords().retrieve(record, {.totalTimeout = 300ms}).then([&](const auto& result) {
    late = result.error();
  });
  async.run();
  ASSERT_TRUE(late);
  EXPECT_EQ(late->message(), blocking.error().message());
  EXPECT_EQ(service.clock()->now(), start + 600ms);
}

TEST_F(PacerShareTest, IsReturnedWhenThePacerLeaves) {
  growShare();
  pacer->leaveShare(*service.clock());
  EXPECT_EQ(allowed(), 1);
  const ShareReply left = share->exchange({.self = {.process = "other", .beat = 1, .lease = 10s}});
  EXPECT_EQ(left.processes.size(), 1U);
  EXPECT_EQ(left.parts.size(), 0U);
}

TEST_F(PacerShareTest, ExcludesLimitsOnObjects) {
  const auto intent = service.insert<PaymentIntent>(account.sandboxKey).id;
  EXPECT_TRUE(client.paymentIntents().update(intent, {.description = "new"}));
  for (const PacerUsage& line : pacer->usage(account.sandboxKey, service.clock()->now()))
    EXPECT_EQ(line.share.has_value(), line.object.empty()) << line;
}

TEST_F(PacerShareTest, CountsTheRequestsOfAllKeysTogether) {
  const Client other = clientFor(service.addAccount().sandboxKey);
  EXPECT_TRUE(retrieve());
  EXPECT_TRUE(listed(other));
  EXPECT_GE(service.requests().list()[1].time - service.requests().list()[0].time, 1s);
}

TEST_F(PacerShareTest, RefusesALeaseThatIsOutOfRange) {
  for (const auto lease : {4s, 601s})
    EXPECT_THROW(Pacer({.share = share, .shareLease = lease}), std::invalid_argument);
  EXPECT_NO_THROW(Pacer({.share = share, .shareLease = 600s}));
}

TEST_F(PacerShareTest, CannotBeRefreshedWithoutASharingPacerAndAClock) {
  Pacer alone;
  EXPECT_THROW((void)alone.refreshShare(*service.clock()), std::logic_error);
  const auto clock = service.clock();
  EXPECT_THROW((ShareRefresher{std::make_shared<Pacer>(), clock}), std::invalid_argument);
  EXPECT_THROW((ShareRefresher{nullptr, clock}), std::invalid_argument);
  EXPECT_THROW((ShareRefresher{pacer, nullptr}), std::invalid_argument);
}

TEST_F(PacerShareTest, IsRefreshedEverySecondByAThread) {
  service.clock()->freeze();
  {
    const ShareRefresher refresher{pacer, service.clock()};
    for (int n = 1; n < 4; ++n) {
      service.clock()->waitForSleepers(1);
      EXPECT_EQ(share->exchanges, n);
      service.clock()->advance(1s);
    }
    service.clock()->waitForSleepers(1);
  }
  EXPECT_EQ(share->exchanges, 5) << "the last one leaves";
  EXPECT_EQ(share->exchange({.self = {.process = "other", .beat = 1, .lease = 10s}}).processes.size(), 1U);
}

}  // namespace
}  // namespace tally::test

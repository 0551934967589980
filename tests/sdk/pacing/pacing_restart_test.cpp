// A process that was killed and started again at once: its pacer knows nothing of what the other one has
// sent.

#include "sdk/support/paced.h"

namespace tally::test {
namespace {

class PacingRestart : public Paced {
 protected:
  /// Another process has used the limit to the full, and is gone.
  PacingRestart() {
    EXPECT_EQ(timeOf(25, [&](int) { return retrieve(); }), 0s);
    service.clock()->advance(300ms);
  }

  /// In how long so many calls go well, and how many others are refused meanwhile.
  struct Run {
    std::chrono::nanoseconds duration{};
    int refused = 0;
  };
  Run callsThatGoWell(int count) {
    const Instant start = service.clock()->now();
    Run run;
    for (int gone = 0; gone < count;)
      retrieve() ? ++gone : ++run.refused;
    run.duration = service.clock()->now() - start;
    return run;
  }
};

TEST_F(PacingRestart, StartedFullIsRefusedNothing) {
  pace({.fullAtStart = 1s});
  EXPECT_EQ(usage("global_rate"), PacerUsage{}) << "of what nobody has asked for nothing is told";
  const Run run = callsThatGoWell(100);
  EXPECT_EQ(run.refused, 0);
  EXPECT_EQ(run.duration, 4s) << "a second for the other process, and then 25 in each";
}

TEST_F(PacingRestart, StartedFullACallThatCantWaitIsToldSo) {
  pace({.fullAtStart = 1s});
  const auto late = client.paymentRecords().retrieve(record, {.deadline = service.clock()->now() + 1s});
  EXPECT_EQ(late.error().kind(), ErrorKind::deadlineExceeded);
  EXPECT_EQ(late.error().attempts(), 0);
}

TEST_F(PacingRestart, StartedFullCostsNothingOnceThatIsLongAgo) {
  pace({.fullAtStart = 1s});
  service.clock()->advance(1s);  // since the client was made
  EXPECT_EQ(timeOf(25, [&](int) { return retrieve(); }), 0s);
}

TEST_F(PacingRestart, WithoutThatOneRefusalCostsTheFirstWindowAndNoMore) {
  pace({});
  const Run run = callsThatGoWell(100);
  EXPECT_EQ(run.refused, 1);
  EXPECT_EQ(run.duration, 4s);
  EXPECT_EQ(usage("global_rate").number, 25);
  EXPECT_EQ(usage("endpoint_rate").number, 25);
}

TEST_F(PacingRestart, ALimitByTheHourIsTriedAgainInMinutes) {
  setBoth("global_rate", std::nullopt);
  setBoth("payment_intent_updates", 10);
  const auto intent = service.seed<PaymentIntent>(account.sandboxKey).id;
  const auto update = [&] {
    return client.paymentIntents().update(intent, {.description = "x"}).has_value();
  };
  EXPECT_EQ(timeOf(10, [&](int) { return update(); }), 0s);
  service.clock()->advance(59min);
  pace({.limits = numbers});
  EXPECT_FALSE(update());
  EXPECT_EQ(timeOf(10, [&](int) { return update(); }), 3min) << "and then as many as ever";
}

}  // namespace
}  // namespace tally::test

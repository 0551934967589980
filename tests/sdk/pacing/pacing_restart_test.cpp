// A process that is killed and immediately restarted: the new pacer does not know what the old process has
// sent.

#include "sdk/support/paced.h"

namespace tally::test {
namespace {

class PacingRestart : public Paced {
 protected:
  /// An earlier process has exhausted the limit.
  PacingRestart() {
    EXPECT_EQ(timeOf(25, [&](int) { return retrieve(); }), 0s);
    service.clock()->advance(300ms);
  }

  /// The time for a number of successful calls, and the number of refused ones.
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

TEST_F(PacingRestart, CausesNoRefusalsIfEarlierUseIsAssumed) {
  pace({.assumeUsed = 1s});
  EXPECT_EQ(usage("global_rate"), PacerUsage{}) << "no usage is reported for unused limits";
  const Run run = callsThatGoWell(100);
  EXPECT_EQ(run.refused, 0);
  EXPECT_EQ(run.duration, 4s) << "one second for the other process, then 25 per second";
}

TEST_F(PacingRestart, FailsACallThatCannotWaitIfEarlierUseIsAssumed) {
  pace({.assumeUsed = 1s});
  const auto late = client.paymentRecords().retrieve(record, {.deadline = service.clock()->now() + 1s});
  EXPECT_EQ(late.error().kind(), ErrorKind::deadlineExceeded);
  EXPECT_EQ(late.error().attemptCount(), 0);
}

TEST_F(PacingRestart, DelaysNothingAfterTheFirstWindowIfEarlierUseIsAssumed) {
  pace({.assumeUsed = 1s});
  service.clock()->advance(1s);  // since the client was created
  EXPECT_EQ(timeOf(25, [&](int) { return retrieve(); }), 0s);
}

TEST_F(PacingRestart, DelaysNothingByLimitsThatAreSwitchedOff) {
  setBoth("global_rate", std::nullopt);
  setBoth("endpoint_rate", std::nullopt);
  pace({.limits = numbers, .assumeUsed = 1s});
  EXPECT_EQ(timeOf(100, [&](int) { return retrieve(); }), 0s);
}

TEST_F(PacingRestart, CausesOneRefusalIfNoEarlierUseIsAssumed) {
  pace({});
  const Run run = callsThatGoWell(100);
  EXPECT_EQ(run.refused, 1);
  EXPECT_EQ(run.duration, 4s);
  EXPECT_EQ(usage("global_rate").allowed, 25);
  EXPECT_EQ(usage("endpoint_rate").allowed, 25);
}

TEST_F(PacingRestart, ResumesRequestsUnderAnHourlyLimitWithinMinutes) {
  setBoth("global_rate", std::nullopt);
  setBoth("payment_intent_updates", 10);
  const auto intent = service.insert<PaymentIntent>(account.sandboxKey).id;
  const auto update = [&] {
    return client.paymentIntents().update(intent, {.description = "x"}).has_value();
  };
  EXPECT_EQ(timeOf(10, [&](int) { return update(); }), 0s);
  service.clock()->advance(59min);
  pace({.limits = numbers});
  EXPECT_FALSE(update());
  EXPECT_EQ(timeOf(10, [&](int) { return update(); }), 3min) << "then as fast as ever";
}

}  // namespace
}  // namespace tally::test

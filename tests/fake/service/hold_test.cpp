#include <chrono>
#include <optional>
#include <sstream>
#include <string>
#include <utility>

#include <tally/fake/hold.h>
#include <tally/fake/service.h>

#include <gtest/gtest.h>

#include "fake/support/limit_usage.h"

namespace tally::test {

namespace {

using fake::Hold;

class HoldTest : public testing::Test {
 protected:
  Hold three() { return service->holds().takeConcurrency(account.sandboxKey, "payouts.create", 3); }
  [[nodiscard]] std::int64_t used() const {
    return usageOf(service->usage().list(account), "payouts_in_progress").used;
  }

  std::optional<fake::Service> service{std::in_place};
  fake::Account account = service->addAccount();
};

TEST_F(HoldTest, IsReleasedWhenDestroyed) {
  {
    const Hold held = three();
    EXPECT_EQ(used(), 3);
  }
  EXPECT_EQ(used(), 0);
}

TEST_F(HoldTest, TakesOneUnitUnlessToldOtherwise) {
  const Hold held = service->holds().takeConcurrency(account.sandboxKey, "payouts.create");
  EXPECT_EQ(used(), 1);
}

TEST_F(HoldTest, DescribesWhatItHoldsUntilItEnds) {
  Hold units = three();
  const Hold lock = service->holds().lockObject(account.liveKey, "pr_1", std::chrono::seconds{5});
  const Hold ofAnother = service->holds().lockObject(service->addAccount().sandboxKey, "pr_2");
  const auto printed = [](const Hold& hold) {
    std::ostringstream out;
    if (const auto held = hold.held()) out << *held;
    return out.str();
  };
  EXPECT_EQ(printed(units), "3 units of payouts.create of " + account.id + " in the sandbox");
  EXPECT_EQ(printed(lock), "the lock of pr_1 of " + account.id + " in live mode until 2026-01-01T00:00:05Z");
  service->clock()->advance(std::chrono::seconds{5});
  EXPECT_EQ(printed(lock), "") << "it has ended";
  units.release();
  EXPECT_EQ(printed(units), "");
  service->accounts().remove({.id = ofAnother.held()->account});
  EXPECT_EQ(printed(ofAnother), "");
  const Hold again = three();
  service->snapshots().restore(service->snapshots().take());
  EXPECT_EQ(printed(again), "");
  const Hold last = three();
  service.reset();
  EXPECT_EQ(printed(last), "");
  EXPECT_EQ(printed(Hold{}), "");
}

TEST_F(HoldTest, IsReleasedOnlyOnce) {
  const Hold others = three();
  Hold held = three();
  held.release();
  EXPECT_EQ(used(), 3);
  held.release();
  EXPECT_EQ(used(), 3);
}

TEST_F(HoldTest, IsNotReleasedWhenMoved) {
  Hold first = three();
  Hold second{std::move(first)};
  EXPECT_EQ(used(), 3);
  Hold third;
  third = std::move(second);
  EXPECT_EQ(used(), 3);
  third.release();
  EXPECT_EQ(used(), 0);
}

TEST_F(HoldTest, ReleasesItsPreviousUnitsWhenMoveAssigned) {
  Hold first = three();
  Hold second = three();
  EXPECT_EQ(used(), 6);
  first = std::move(second);
  EXPECT_EQ(used(), 3);
}

TEST_F(HoldTest, SurvivesSelfMoveAssignment) {
  Hold held = three();
  Hold& same = held;
  held = std::move(same);
  EXPECT_EQ(used(), 3);
}

TEST_F(HoldTest, CanBeReleasedAfterItsServiceIsDestroyed) {
  Hold held = three();
  service.reset();
  held.release();
}

TEST_F(HoldTest, UsesNoConcurrencySlotForALock) {
  Hold first = service->holds().lockObject(account.sandboxKey, "pr_1");
  EXPECT_EQ(used(), 0) << "a lock takes no unit of a concurrency limit";
  first.release();
  Hold empty;
  empty.release();
}

}  // namespace

}  // namespace tally::test

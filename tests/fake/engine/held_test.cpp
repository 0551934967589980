#include <optional>
#include <utility>

#include <tally/fake/held.h>
#include <tally/fake/service.h>

#include <gtest/gtest.h>

#include "fake/support/limit_usage.h"

namespace tally::test {

namespace {

using fake::Held;

class HeldTest : public testing::Test {
 protected:
  Held three() { return service->occupy(account.sandboxKey, "payouts.create", 3); }
  [[nodiscard]] std::int64_t used() const {
    return usageOf(service->usage(account), "payouts_in_progress").used;
  }

  std::optional<fake::Service> service{std::in_place};
  fake::Account account = service->addAccount();
};

TEST_F(HeldTest, IsGivenBackAtItsEnd) {
  {
    const Held held = three();
    EXPECT_EQ(used(), 3);
  }
  EXPECT_EQ(used(), 0);
}

TEST_F(HeldTest, IsGivenBackOnce) {
  const Held others = three();
  Held held = three();
  held.release();
  EXPECT_EQ(used(), 3);
  held.release();
  EXPECT_EQ(used(), 3);
}

TEST_F(HeldTest, MovesWithoutBeingGivenBack) {
  Held first = three();
  Held second{std::move(first)};
  EXPECT_EQ(used(), 3);
  Held third;
  third = std::move(second);
  EXPECT_EQ(used(), 3);
  third.release();
  EXPECT_EQ(used(), 0);
}

TEST_F(HeldTest, GivesBackWhatItHeldWhenAnotherMovesIn) {
  Held first = three();
  Held second = three();
  EXPECT_EQ(used(), 6);
  first = std::move(second);
  EXPECT_EQ(used(), 3);
}

TEST_F(HeldTest, StaysWhatItIsWhenItMovesIntoItself) {
  Held held = three();
  Held& same = held;
  held = std::move(same);
  EXPECT_EQ(used(), 3);
}

TEST_F(HeldTest, OutlivesItsService) {
  Held held = three();
  service.reset();
  held.release();
}

TEST_F(HeldTest, ALockGivesWayToOthersOnlyWhenItIsGivenBack) {
  Held first = service->lockObject(account.sandboxKey, "pr_1");
  EXPECT_EQ(used(), 0) << "a lock takes no place";
  first.release();
  Held empty;
  empty.release();
}

}  // namespace

}  // namespace tally::test

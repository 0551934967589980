#include "loop/slots.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tally::detail {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

struct SlotsTest : testing::Test {
  struct Request final : OutgoingRequest {
    Request(SlotsTest& test, std::string named) : test_(test), name_(std::move(named)) {}
    void admit() noexcept override { test_.admitted.push_back(name_); }
    void abort() noexcept override {}

   private:
    SlotsTest& test_;
    std::string name_;
  };

  std::vector<std::string> admitted{};
  Slots slots{2};
  Request a{*this, "a"};
  Request b{*this, "b"};
  Request c{*this, "c"};
  Request d{*this, "d"};
};

TEST_F(SlotsTest, AreGivenImmediatelyWhileSomeAreFree) {
  EXPECT_TRUE(slots.acquire(a));
  EXPECT_TRUE(slots.acquire(b));
  EXPECT_EQ(slots.inFlight(), 2U);
  EXPECT_FALSE(slots.acquire(c));
  EXPECT_EQ(slots.inFlight(), 2U);
  EXPECT_THAT(admitted, IsEmpty());
}

TEST_F(SlotsTest, AreGivenToWaitingRequestsInTheOrderOfArrival) {
  EXPECT_TRUE(slots.acquire(a) && slots.acquire(b));
  EXPECT_FALSE(slots.acquire(c) || slots.acquire(d));
  slots.release();
  EXPECT_THAT(admitted, ElementsAre("c"));
  slots.release();
  EXPECT_THAT(admitted, ElementsAre("c", "d"));
  EXPECT_EQ(slots.inFlight(), 2U);
}

TEST_F(SlotsTest, AreNotGivenToRequestsThatNoLongerWait) {
  EXPECT_TRUE(slots.acquire(a) && slots.acquire(b));
  EXPECT_FALSE(slots.acquire(c) || slots.acquire(d));
  c.unlink();
  slots.release();
  EXPECT_THAT(admitted, ElementsAre("d"));
}

TEST_F(SlotsTest, BecomeFreeAgainIfNothingWaits) {
  EXPECT_TRUE(slots.acquire(a) && slots.acquire(b));
  slots.release();
  slots.release();
  EXPECT_EQ(slots.inFlight(), 0U);
  EXPECT_TRUE(slots.acquire(c));
}

}  // namespace
}  // namespace tally::detail

#include <tally/memory_share.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tally {
namespace {

using namespace std::chrono_literals;
using testing::IsEmpty;
using testing::SizeIs;

class MemoryShareTest : public testing::Test {
 protected:
  /// The units that the process then holds of a limit of 10.
  std::int64_t claim(const std::string& process, std::int64_t units, std::int64_t freedBefore = 0) {
    reply = share.exchange(
        {.self = {.process = process, .beat = ++beat, .lease = 10s},
         .claims = {{.limit = "a", .total = 10, .want = units, .units = units, .freedBefore = freedBefore}}});
    for (const SharePart& part : reply.parts)
      if (part.process == process) return part.units;
    return 0;
  }
  [[nodiscard]] std::int64_t freed() const { return reply.pools.at(0).freed; }

  MemoryShare share{};
  ShareReply reply{};
  std::int64_t beat = 0;
};

TEST_F(MemoryShareTest, GivesEachProcessItsOwnName) {
  EXPECT_NE(share.newProcess(), share.newProcess());
}

TEST_F(MemoryShareTest, GivesOnlyTheRemainingUnits) {
  EXPECT_EQ(claim("1", 8), 8);
  EXPECT_EQ(claim("2", 8), 2);
}

TEST_F(MemoryShareTest, GivesEachProcessOneUnitEvenIfNoneIsLeft) {
  EXPECT_EQ(claim("1", 10), 10);
  EXPECT_EQ(claim("2", 3), 1);
  EXPECT_EQ(claim("2", 3), 1) << "the second is none";
}

TEST_F(MemoryShareTest, GivesFreedUnitsOnlyToProcessesThatHaveWaited) {
  EXPECT_EQ(claim("1", 10), 10);
  EXPECT_EQ(claim("1", 4), 4);
  EXPECT_EQ(freed(), 6);
  EXPECT_EQ(claim("2", 6), 1);
  EXPECT_EQ(claim("2", 6, 3), 3) << "it has seen three of them a window ago";
  EXPECT_EQ(claim("2", 6, 6), 6);
  EXPECT_EQ(claim("3", 6, 6), 1);
}

TEST_F(MemoryShareTest, IgnoresARequestThatALaterOneHasOvertaken) {
  EXPECT_EQ(claim("1", 10), 10);
  beat -= 1;
  EXPECT_EQ(claim("1", 2), 10);
}

TEST_F(MemoryShareTest, FreesTheUnitsOfAProcessThatHasVanished) {
  EXPECT_EQ(claim("1", 9), 9);
  const ShareProcess gone = reply.processes.at(0);
  EXPECT_EQ(claim("1", 9), 9);
  ShareRequest request{.self = {.process = "2", .beat = 1, .lease = 10s}, .vanished = {gone}};
  EXPECT_THAT(share.exchange(request).processes, SizeIs(2)) << "it has a newer beat";
  request.vanished = {reply.processes.at(0)};
  request.self.beat = 2;
  EXPECT_THAT(share.exchange(request).processes, SizeIs(1));
  EXPECT_EQ(claim("2", 5), 1);
  EXPECT_EQ(freed(), 9);
}

TEST_F(MemoryShareTest, RemovesADepartingProcessOnceItHoldsNoUnits) {
  (void)claim("1", 9);
  ShareRequest request{.self = {.process = "1", .beat = 8, .lease = 10s},
                       .claims = {{.limit = "a", .total = 10, .units = 2}},
                       .leaving = true};
  EXPECT_THAT(share.exchange(request).processes, SizeIs(1)) << "requests are in flight";
  request.claims[0].units = 0;
  request.self.beat = 9;
  reply = share.exchange(request);
  EXPECT_THAT(reply.processes, IsEmpty());
  EXPECT_THAT(reply.parts, IsEmpty());
  EXPECT_EQ(freed(), 9);
}

}  // namespace
}  // namespace tally

#include <limits>
#include <vector>

#include <tally/tally.h>

#include <gtest/gtest.h>

#include "sdk/support/harness.h"
#include "sdk/support/page_walks.h"

namespace tally {
namespace {

using test::Harness;
using test::Ids;
using test::walk;

Ids idsIn(const Result<std::vector<PaymentRecord>>& collected) {
  Ids ids;
  for (const PaymentRecord& record : collected.value())
    ids.push_back(record.id.str());
  return ids;
}

class Collect : public testing::Test {
 protected:
  Collect() { test::respondWithNineRecords(h, 3); }

  /// Inserts an error before the response with that number.
  void failAt(std::size_t response) {
    auto& responses = h.transport->responses;
    responses.insert(responses.begin() + static_cast<std::ptrdiff_t>(response),
                     test::refused(500, "api_error"));
  }

  [[nodiscard]] std::size_t requests() const { return h.transport->requests.size(); }

  Harness h{};
  Pager<PaymentRecord> pager = h.client.paymentRecords().list({.limit = 3});
};

TEST_F(Collect, ReturnsTheGivenNumberOfObjectsAcrossPages) {
  EXPECT_EQ(idsIn(pager.collect(7)), (Ids{"pr_9", "pr_8", "pr_7", "pr_6", "pr_5", "pr_4", "pr_3"}));
  EXPECT_EQ(idsIn(pager.collect(7)), (Ids{"pr_2", "pr_1"}));
  EXPECT_TRUE(idsIn(pager.collect(7)).empty());
  EXPECT_EQ(requests(), 3U);
}

TEST_F(Collect, SendsNothingForACountOfZero) {
  EXPECT_TRUE(idsIn(pager.collect(0)).empty());
  EXPECT_EQ(requests(), 0U);
}

TEST_F(Collect, ReturnsAllObjectsWhenAskedForMoreThanTheTotal) {
  EXPECT_EQ(idsIn(pager.collect(std::numeric_limits<std::size_t>::max())).size(), 9U);
}

TEST_F(Collect, RequestsOnlyTheNeededPages) {
  EXPECT_EQ(idsIn(pager.collect(3)).size(), 3U);
  EXPECT_EQ(requests(), 1U);
  EXPECT_EQ(test::queryOf(h.transport->requests[0]), "limit=3") << "the caller sets the limit";
}

TEST_F(Collect, KeepsTheRestOfAPageForLaterUse) {
  EXPECT_EQ(idsIn(pager.collect(1)), (Ids{"pr_9"}));
  EXPECT_EQ(idsIn(pager.collect(1)), (Ids{"pr_8"}));
  EXPECT_EQ(requests(), 1U);
  EXPECT_EQ(walk(pager).ids, (Ids{"pr_7", "pr_6", "pr_5", "pr_4", "pr_3", "pr_2", "pr_1"}));
}

TEST_F(Collect, StartsWithTheObjectThatALoopDidNotFinish) {
  for (auto& record : pager)
    if (record.value().id == "pr_8") break;
  EXPECT_EQ(idsIn(pager.collect(2)), (Ids{"pr_8", "pr_7"}));
}

TEST_F(Collect, LosesNoObjectsOnAnError) {
  failAt(2);
  const auto failed = pager.collect(9);
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().kind(), ErrorKind::server);
  EXPECT_EQ(idsIn(pager.collect(4)), (Ids{"pr_9", "pr_8", "pr_7", "pr_6"})) << "what was read before";
  EXPECT_EQ(requests(), 3U);
  EXPECT_EQ(idsIn(pager.collect(9)), (Ids{"pr_5", "pr_4", "pr_3", "pr_2", "pr_1"}));
  EXPECT_EQ(h.transport->requests[2].url, h.transport->requests[3].url);
}

TEST_F(Collect, KeepsObjectsReadBeforeAnErrorForALaterLoop) {
  failAt(1);
  EXPECT_FALSE(pager.collect(9));
  EXPECT_EQ(walk(pager).ids.size(), 9U);
}

TEST_F(Collect, RetriesAfterALoopEndedWithAnError) {
  failAt(0);
  EXPECT_TRUE(walk(pager).error);
  EXPECT_EQ(idsIn(pager.collect(1)), (Ids{"pr_9"}));
}

TEST_F(Collect, LeavesTheCheckpointUnchangedOnAnError) {
  failAt(2);
  const std::string before = pager.checkpoint();
  EXPECT_FALSE(pager.collect(9));
  EXPECT_EQ(pager.checkpoint(), before);
}

TEST(CollectTowardsTheNewest, ReturnsObjectsInOrderAcrossPages) {
  Harness h;
  h.respond(test::ok(test::pageJson({"pr_3", "pr_2"}, true)));
  h.respond(test::ok(test::pageJson({"pr_5", "pr_4"}, false)));
  auto pager = h.client.paymentRecords().list({.endingBefore = "pr_1"});
  EXPECT_EQ(idsIn(pager.collect(3)), (Ids{"pr_2", "pr_3", "pr_4"}));
  EXPECT_EQ(walk(pager).ids, (Ids{"pr_5"}));
}

}  // namespace
}  // namespace tally

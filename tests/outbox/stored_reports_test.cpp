#include <limits>
#include <string>
#include <vector>

#include "store_contract.h"

namespace tally::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST_P(StoredReports, KeepTheirNumbersWhenEnqueuedAgainWithTheSameKey) {
  const auto first = enqueue("pr_1", "order-42");
  EXPECT_EQ(enqueue("pr_1", "order-42"), first);
  EXPECT_THAT(read(), ElementsAre(first));
}

TEST_P(StoredReports, KeepTheirNumbersWhenOnlyTheOrderOfMetadataChanges) {
  OutboxReport report = failedReport("pr_1", "order-42");
  report.report.metadata.set("a", "1").unset("b");
  OutboxReport same = failedReport("pr_1", "order-42");
  same.report.metadata.unset("b").set("a", "1");
  const auto numbers = store().enqueueAll("shop", std::vector{report, same}, {});
  ASSERT_TRUE(numbers) << numbers.error();
  EXPECT_EQ(numbers->front(), numbers->back());
}

TEST_P(StoredReports, AreRefusedWhenAnotherReportHasTheSameKey) {
  enqueue("pr_1", "order-42");
  const Error error = refusalOf(failedReport("pr_2", "order-42"));
  EXPECT_EQ(error.kind(), ErrorKind::invalidParameter);
  EXPECT_EQ(error.param(), "key");
  EXPECT_THAT(error.message(), HasSubstr("'order-42' has already been used for another report"));
  OutboxReport ofAnAccount = failedReport("pr_1", "order-42");
  ofAnAccount.connectedAccount = "acct_1";
  EXPECT_EQ(refusalOf(ofAnAccount).param(), "key");
}

TEST_P(StoredReports, AreAllRefusedIfOneInTheBatchIsRefused) {
  enqueue("pr_1", "a");
  for (const auto& bad : {failedReport("pr_3", "a"), failedReport("pr_3", "c"), failedReport("", "d")}) {
    const auto refused = store().enqueueAll(
        "shop", std::vector{failedReport("pr_2", "b"), failedReport("pr_2", "c"), bad}, {});
    EXPECT_FALSE(refused) << bad;
  }
  EXPECT_EQ(read().size(), 1U);
  EXPECT_GT(enqueue("pr_4", "b"), 0U);  // the key was not used
}

TEST_P(StoredReports, MayHaveTheSameKeyInDifferentDomains) {
  enqueue("pr_1", "order-42");
  EXPECT_TRUE(store().enqueueAll("shop live", std::vector{failedReport("pr_2", "order-42")}, {}));
}

TEST_P(StoredReports, KeepTheirOrderOnEachObject) {
  const auto numbers = store().enqueueAll(
      "shop",
      std::vector{failedReport("pr_2"), failedReport("pr_1"), failedReport("pr_2"), failedReport("pr_1")},
      {});
  ASSERT_TRUE(numbers) << numbers.error();
  EXPECT_LT((*numbers)[0], (*numbers)[2]);
  EXPECT_LT((*numbers)[1], (*numbers)[3]);
  EXPECT_THAT(read(), testing::UnorderedElementsAre((*numbers)[0], (*numbers)[1]));
}

TEST_P(StoredReports, MayFormAnEmptyBatch) {
  const auto numbers = store().enqueueAll("shop", {}, {});
  ASSERT_TRUE(numbers) << numbers.error();
  EXPECT_THAT(*numbers, IsEmpty());
}

TEST_P(StoredReports, AcceptAnEmptyBatchWhileTooManyAreWaiting) {
  enqueue("pr_1");
  enqueue("pr_2");
  store().limitWaiting("shop", 1);
  domain_->maintain();
  EXPECT_TRUE(store().enqueueAll("shop", {}, {}));
  EXPECT_FALSE(store().enqueueAll("shop", std::vector{failedReport("pr_3")}, {}));
}

TEST_P(StoredReports, AreRefusedIfNoClientCanSendThem) {
  std::vector<OutboxReport> reports(9, failedReport("pr_1"));
  reports[0].report.outcome = "lost";
  reports[1].report.time.reset();
  reports[2].report.metadata.set("", "1");
  reports[3].connectedAccount = "a\nb";
  reports[4].key = std::string{"a\0b", 3};
  reports[5].report.attempt = "pr_1";
  reports[6].report.id = "po_1";
  reports[7].key = "caf\xE9";
  reports[8].connectedAccount = "acct_\xE9";
  std::vector<std::string> members;
  for (const OutboxReport& report : reports) {
    const Error error = refusalOf(report);
    EXPECT_EQ(error.kind(), ErrorKind::invalidParameter);
    members.push_back(error.param());
  }
  EXPECT_THAT(members, ElementsAre("outcome", "time", testing::StartsWith("metadata"), "connected_account",
                                   "key", "attempt", "id", "key", "connected_account"));
  EXPECT_THAT(read(), IsEmpty());
}

TEST_P(StoredReports, AreRefusedIfTheDomainNameIsEmptyOrNotAText) {
  EXPECT_EQ(refusalOf(failedReport("pr_1"), "").param(), "domain");
  EXPECT_EQ(refusalOf(failedReport("pr_1"), std::string_view{"a\0b", 3}).param(), "domain");
  EXPECT_EQ(refusalOf(failedReport("pr_1"), "caf\xE9").param(), "domain");
}

TEST_P(StoredReports, MayWaitForeverOrNotAtAll) {
  const auto forever = enqueue("pr_1", {}, {.notBefore = Timestamp::max()});
  const auto now = enqueue("pr_2", {}, {.notBefore = Timestamp::min()});
  EXPECT_THAT(read(), ElementsAre(now));
  EXPECT_THAT(read(), IsEmpty());
  const auto blocked = store().blocked(100);
  ASSERT_EQ(blocked.size(), 1U);
  EXPECT_EQ(blocked.front().report, forever);
}

TEST_P(StoredReports, AreListedWithoutALimit) {
  constexpr std::size_t all = std::numeric_limits<std::size_t>::max();
  const auto report = enqueue("pr_1");
  store().pause("shop", "maintenance");
  (void)store().ask("cancel", report, {});
  EXPECT_EQ(store().failed(all).size(), 0U);
  EXPECT_EQ(store().blocked(all).size(), 1U);
  EXPECT_EQ(store().requests(all).size(), 1U);
}

TEST_P(StoredReports, AreRefusedWhileTooManyAreWaiting) {
  store().limitWaiting("shop", 2);
  const auto first = enqueue("pr_1");
  enqueue("pr_2");
  domain_->maintain();
  const Error error = refusalOf(failedReport("pr_3"));
  EXPECT_EQ(error.param(), "domain");
  EXPECT_THAT(error.message(), HasSubstr("'shop' has reached its limit of waiting reports"));
  decide(first, "pr_1");
  domain_->maintain();
  EXPECT_GT(enqueue("pr_3"), 0U);
  store().limitWaiting("shop", {});
  domain_->maintain();
  EXPECT_GT(enqueue("pr_4"), 0U);
}

TEST_P(StoredReports, AreErasedOnceAllOnTheirObjectAreDecided) {
  const auto refused = enqueue("pr_1", "order-1");
  const auto applied = enqueue("pr_1");
  const auto other = enqueue("pr_2");
  decide(refused, "pr_1", "refused");
  decide(other, "pr_2");
  const auto erase = [&] { return store().erase("shop", "pr_1", "ticket 7"); };
  EXPECT_EQ(errorOf(erase), "tally.erase: report " + std::to_string(applied) +
                                " on 'pr_1' is not decided. Cancel it, or wait until it has been sent.");
  EXPECT_EQ(tested_->outcomeOf(refused), "refused: why");
  decide(applied, "pr_1");
  EXPECT_EQ(erase(), 2U);
  EXPECT_EQ(tested_->outcomeOf(refused), "");
  EXPECT_EQ(tested_->outcomeOf(applied), "");
  EXPECT_EQ(tested_->outcomeOf(other), "applied: why");
  EXPECT_THAT(store().failed(10), IsEmpty());
  EXPECT_EQ(erase(), 0U);
  EXPECT_EQ(enqueue("pr_1", "order-1"), refused);  // the key is known
  const auto next = enqueue("pr_1");
  EXPECT_THAT(read(), ElementsAre(next));
}

TEST_P(StoredReports, AreCountedInTheStatusWithTheirAge) {
  enqueue("pr_1");
  tested_->advance(std::chrono::seconds{100});
  enqueue("pr_1");
  const auto parked = enqueue("pr_2");
  const auto refused = enqueue("pr_3");
  (void)read();
  decide(refused, "pr_3", "refused");
  (void)domain_->write({.parkings = {{.report = parked, .reason = "three workers died"}}});
  store().pause("shop", "audit");
  domain_->maintain();
  const auto status = store().status();
  ASSERT_EQ(status.size(), 1U);
  EXPECT_EQ(status[0].domain, "shop");
  EXPECT_THAT(status[0].owner, HasSubstr("host"));
  EXPECT_EQ(status[0].paused, "audit");
  EXPECT_EQ(status[0].waiting, 3U);
  EXPECT_EQ(status[0].blocked, 1U);
  EXPECT_EQ(status[0].failed, 1U);
  EXPECT_GE(status[0].oldest, std::chrono::seconds{100});
  EXPECT_LT(status[0].oldest, std::chrono::seconds{200});
}

TEST_P(StoredReports, AreCountedBeforeTheWorkerMaintainsTheDomain) {
  enqueue("pr_1");
  enqueue("pr_2");
  ASSERT_EQ(store().status().size(), 1U);
  EXPECT_EQ(store().status()[0].waiting, 2U);
}

TEST_P(StoredReports, AreListedOnceTheyHaveFailed) {
  const auto refused = enqueue("pr_1");
  const auto unknown = enqueue("pr_2");
  const auto applied = enqueue("pr_3");
  (void)read();
  decide(applied, "pr_3", "applied");
  decide(refused, "pr_1", "refused");
  decide(unknown, "pr_2", "unknown");
  const auto failed = store().failed(10);
  ASSERT_EQ(failed.size(), 2U);
  EXPECT_EQ(failed[0].report, unknown) << "the last decided one is first";
  EXPECT_EQ(failed[0].state, "unknown");
  EXPECT_EQ(failed[1].report, refused);
  EXPECT_EQ(failed[1].domain, "shop");
  EXPECT_EQ(failed[1].object, "pr_1");
  EXPECT_EQ(failed[1].state, "refused");
  EXPECT_EQ(store().failed(1).size(), 1U);
  (void)store().ask("retry", refused, "");
  (void)read();
  EXPECT_TRUE(store().blocked(10).empty());
}

TEST_P(StoredReports, AreListedWhileTheyAreBlocked) {
  const auto parked = enqueue("pr_1");
  (void)enqueue("pr_1");
  const auto deferred = enqueue("pr_2");
  const auto ready = enqueue("pr_3");
  (void)read();
  (void)domain_->write({.deferrals = {{.report = deferred, .delay = std::chrono::seconds{1'000}}},
                        .parkings = {{.report = parked, .reason = "three workers died"}}});
  auto blocked = store().blocked(10);
  ASSERT_EQ(blocked.size(), 2U);
  EXPECT_EQ(blocked[0].report, parked);
  EXPECT_EQ(blocked[0].state, "parked");
  EXPECT_EQ(blocked[0].reason, "three workers died");
  EXPECT_EQ(blocked[1].report, deferred);
  EXPECT_EQ(blocked[1].state, "waiting");
  EXPECT_THAT(blocked[1].reason, testing::MatchesRegex("is due in (1000|99[0-9]) s"));
  EXPECT_EQ(store().blocked(1).size(), 1U);

  store().pause("shop", "audit");
  blocked = store().blocked(10);
  ASSERT_EQ(blocked.size(), 3U);
  EXPECT_EQ(blocked[2].report, ready);
  EXPECT_EQ(blocked[2].reason, "the domain is paused: audit");
  EXPECT_EQ(blocked[0].reason, "three workers died");
}

TEST_P(StoredReports, AreDurableUnlessTheStoreExplainsWhyNot) {
  const auto lack = store().lackOfDurability();
  EXPECT_TRUE(lack.empty() || lack.find(" is ") != std::string::npos) << lack;
}

}  // namespace
}  // namespace tally::test

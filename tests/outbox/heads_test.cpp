#include <algorithm>
#include <string>
#include <vector>

#include "store_contract.h"

namespace tally::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

TEST_P(Heads, AreTheFirstUndecidedReportsOnTheirObjects) {
  const auto first = enqueue("pr_1");
  enqueue("pr_1");
  const auto other = enqueue("pr_2");
  EXPECT_THAT(read(), ElementsAre(first, other));
}

TEST_P(Heads, AreReturnedOnlyOnceUntilTheStoreRestarts) {
  const auto head = enqueue("pr_1");
  EXPECT_THAT(read(), ElementsAre(head));
  EXPECT_THAT(read(), IsEmpty());
  domain_->restart();
  EXPECT_THAT(read(), ElementsAre(head));
}

TEST_P(Heads, AreNotReturnedAgainOnceTheyAreDecided) {
  const auto head = enqueue("pr_1");
  (void)read();
  decide(head, "pr_1");
  domain_->restart();
  EXPECT_THAT(read(), IsEmpty());
}

TEST_P(Heads, AreReturnedInTheOrderInWhichTheyWereEnqueued) {
  const std::vector numbers{enqueue("pr_1"), enqueueLow("pr_2"), enqueue("pr_3"), enqueueLow("pr_4")};
  EXPECT_EQ(read(), numbers);
}

TEST_P(Heads, ContainEveryPartOfTheirReports) {
  OutboxReport report = failedReport("pr_1", "order-42");
  report.report.metadata.set("row", "4\"2\\\n").unset("till");
  report.report.attempt = "par_1";
  report.report.reference = "row 7";
  report.connectedAccount = "acct_1";
  const auto numbers = store().enqueueAll("shop", std::vector{report}, {.priority = ReportPriority::low});
  ASSERT_TRUE(numbers) << numbers.error();
  const auto head = readOne();
  EXPECT_EQ(head.id, numbers->front());
  EXPECT_EQ(head.object, "pr_1");
  EXPECT_EQ(head.account, "acct_1");
  EXPECT_EQ(head.key, "order-42");
  const auto contents = Report::fromText(head.contents);
  ASSERT_TRUE(contents) << contents.error();
  EXPECT_EQ(*contents, report.report);
  EXPECT_EQ(head.priority, ReportPriority::low);
  EXPECT_EQ(head.retry, 0U);
  EXPECT_FALSE(head.isCanceled);
  EXPECT_FALSE(head.mayHaveBeenSent);
  EXPECT_EQ(head.before, "");
  EXPECT_EQ(head.deaths, 0U);
}

TEST_P(Heads, ReceiveUniqueKeysWhenNoneAreGiven) {
  enqueue("pr_1");
  enqueue("pr_2");
  const auto heads = readHeads();
  ASSERT_EQ(heads.size(), 2U);
  EXPECT_NE(heads[0].key, "");
  EXPECT_NE(heads[0].key, heads[1].key);
}

TEST_P(Heads, CanBeReadInBatchesWithALimitPerPriority) {
  std::vector<std::uint64_t> numbers;
  for (int i = 0; i < 40; ++i) {
    numbers.push_back(enqueue("pr_n" + std::to_string(i)));
    numbers.push_back(enqueueLow("pr_l" + std::to_string(i)));
  }
  std::vector<std::uint64_t> all;
  auto news = domain_->read(10, 5);
  EXPECT_FALSE(news.isComplete);
  EXPECT_LE(news.heads.size(), 30U);
  EXPECT_GE(news.heads.size(), 10U);
  for (int parts = 0; parts < 100 && !(news.isComplete && news.heads.empty()); ++parts) {
    for (const auto& head : news.heads)
      all.push_back(head.id);
    news = domain_->read(10, 5);
  }
  std::ranges::sort(all);
  EXPECT_EQ(all, numbers);
}

TEST_P(Heads, AreReportedAsCompleteWhenNoneAreLeftToRead) {
  EXPECT_TRUE(domain_->read(10, 10).isComplete);
  enqueue("pr_1");
  (void)read();
  EXPECT_TRUE(domain_->read(10, 10).isComplete);
}

TEST_P(Heads, OfLowPriorityBecomeUrgentWhenANormalReportWaitsBehindThem) {
  const auto low = enqueueLow("pr_1");
  EXPECT_THAT(read(), ElementsAre(low));
  enqueueLow("pr_1");
  EXPECT_THAT(domain_->read(100, 100).urgent, IsEmpty());
  enqueue("pr_1");
  const auto news = domain_->read(100, 100);
  EXPECT_THAT(news.urgent, ElementsAre(low));
  EXPECT_THAT(news.heads, IsEmpty());
}

TEST_P(Heads, OfLowPriorityAreReadAsNormalWhenANormalReportWaitsBehindThem) {
  const auto low = enqueueLow("pr_1");
  const auto next = enqueueLow("pr_1");
  enqueueLow("pr_2");
  const auto normal = enqueue("pr_1");
  const auto heads = readHeads(100, 0);
  EXPECT_THAT(numbersOf(heads), ElementsAre(low));
  EXPECT_EQ(heads.at(0).priority, ReportPriority::normal);
  const auto nextHeads =
      domain_->write({.outcomes = {{.report = low, .object = "pr_1", .outcome = "applied"}}});
  EXPECT_THAT(numbersOf(nextHeads), ElementsAre(next));
  EXPECT_EQ(nextHeads.at(0).priority, ReportPriority::normal);
  EXPECT_THAT(decide(next, "pr_1"), ElementsAre(normal));
}

TEST_P(Heads, AreReadFirstAfterATakeoverIfANormalReportWaitsForThem) {
  for (int i = 0; i < 20; ++i)
    enqueueLow("pr_l" + std::to_string(i));
  const auto low = enqueueLow("pr_1");
  enqueue("pr_1");
  EXPECT_THAT(read(100, 5), Contains(low));
  domain_->maintain();
  takeOver();
  EXPECT_THAT(read(100, 5), Contains(low));
}

TEST_P(Heads, AreReadAfterATakeoverIfANormalReportWaitsForThemEvenWithoutRoomForLowPriority) {
  const auto low = enqueueLow("pr_1");
  enqueue("pr_1");
  const auto other = enqueue("pr_2");
  EXPECT_THAT(read(100, 0), ElementsAre(low, other));
  EXPECT_THAT(decide(other, "pr_2"), IsEmpty());
  EXPECT_THAT(read(100, 0), IsEmpty());
  domain_->maintain();
  takeOver();
  EXPECT_THAT(read(100, 0), ElementsAre(low));
}

TEST_P(Heads, AreReadFirstAfterATakeoverEvenIfAnotherHeadPrecededThem) {
  for (int i = 0; i < 20; ++i)
    enqueueLow("pr_l" + std::to_string(i));
  const auto low = enqueueLow("pr_1");
  const auto next = enqueueLow("pr_1");
  enqueue("pr_1");
  (void)read(100, 5);
  (void)domain_->write({.deferrals = {{.report = low, .delay = std::chrono::seconds{0}}}});
  domain_->maintain();
  EXPECT_THAT(decide(low, "pr_1"), ElementsAre(next));
  takeOver();
  EXPECT_THAT(read(100, 5), Contains(next));
}

TEST_P(Heads, KeepTheirLowPriorityAfterADelay) {
  const auto low = enqueueLow("pr_1");
  EXPECT_THAT(read(), ElementsAre(low));
  (void)domain_->write({.deferrals = {{.report = low, .delay = std::chrono::seconds{60}}}});
  tested_->advance(std::chrono::seconds{100});
  EXPECT_EQ(readOne().priority, ReportPriority::low);
}

TEST_P(Heads, AreReturnedOnlyOnceIfTheyAreUrgentAtTheFirstRead) {
  const auto low = enqueueLow("pr_1");
  enqueue("pr_1");
  EXPECT_THAT(read(), ElementsAre(low));
}

TEST_P(Heads, WaitForTheirTimeAccordingToTheDatabaseClock) {
  const auto later = enqueue("pr_1", {}, {.notBefore = inSeconds(1'000)});
  const auto past = enqueue("pr_2", {}, {.notBefore = inSeconds(-1'000)});
  EXPECT_THAT(read(), ElementsAre(past));
  tested_->advance(std::chrono::seconds{900});
  EXPECT_THAT(read(), IsEmpty());
  tested_->advance(std::chrono::seconds{200});
  EXPECT_THAT(read(), ElementsAre(later));
}

TEST_P(Heads, WaitForTheirTimeEvenIfThePreviousReportIsDecided) {
  const auto first = enqueue("pr_1");
  const auto later = enqueue("pr_1", {}, {.notBefore = inSeconds(1'000)});
  (void)read();
  EXPECT_THAT(decide(first, "pr_1"), IsEmpty());
  EXPECT_THAT(read(), IsEmpty());
  tested_->advance(std::chrono::seconds{1'100});
  EXPECT_THAT(read(), ElementsAre(later));
}

TEST_P(Heads, AreHeldBackIfTheirTimeIsOutOfRange) {
  enqueue("pr_1", {}, {.notBefore = Timestamp{std::chrono::seconds{100'000'000'000}}});
  EXPECT_THAT(read(), IsEmpty());
}

TEST_P(Heads, AreMarkedAsPossiblySentOnceTheirIntentIsRecorded) {
  const auto head = enqueue("pr_1");
  const auto other = enqueue("pr_2");
  (void)read();
  intend(head, R"({"id":"pr_1"})");
  intend(head, R"({"id":"later"})");
  domain_->restart();
  auto heads = readHeads();
  ASSERT_THAT(numbersOf(heads), ElementsAre(head, other));
  EXPECT_TRUE(heads[0].mayHaveBeenSent);
  EXPECT_EQ(heads[0].before.find("later"), std::string::npos);
  EXPECT_NE(heads[0].before.find("pr_1"), std::string::npos);
  EXPECT_FALSE(heads[1].mayHaveBeenSent);
}

/// The type jsonb of PostgreSQL refuses a NUL and such numbers.
TEST_P(Heads, KeepTheEarlierStateOfTheirObjectWhateverItContains) {
  const auto head = enqueue("pr_1");
  (void)read();
  const std::string before = R"({"id":"pr_1","description":"a\u0000b","count":1e200000})";
  intend(head, before);
  domain_->restart();
  const detail::Head again = readOne();
  EXPECT_TRUE(again.mayHaveBeenSent);
  EXPECT_EQ(again.before, before);
}

TEST_P(Heads, DoNotCountStoppedWorkersAsDead) {
  const auto head = enqueue("pr_1");
  (void)read();
  intend(head);
  worker_->depart();
  domain_.reset();
  worker_.reset();
  worker_ = enroll(2);
  domain_ = worker_->claim("shop");
  const auto again = readOne();
  EXPECT_TRUE(again.mayHaveBeenSent);
  EXPECT_EQ(again.deaths, 0U);
}

TEST_P(Heads, FollowOneAnotherInALongChain) {
  std::vector<std::uint64_t> numbers;
  for (int i = 0; i < 20; ++i)
    numbers.push_back(enqueue("pr_1"));
  auto next = read();
  for (const auto number : numbers) {
    ASSERT_THAT(next, ElementsAre(number));
    next = decide(number, "pr_1");
  }
  EXPECT_THAT(next, IsEmpty());
}

}  // namespace
}  // namespace tally::test

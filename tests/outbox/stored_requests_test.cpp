#include <algorithm>
#include <string>
#include <vector>

#include "store_contract.h"

namespace tally::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST_P(StoredRequests, AreRefusedWhenTheStateOfTheReportForbidsThem) {
  const auto refused = enqueue("pr_1");
  decide(refused, "pr_1", "refused");
  const auto waiting = enqueue("pr_1");
  const auto ask = [&](const char* action, std::uint64_t report) {
    return errorOf([&] { (void)store().ask(action, report, {}); });
  };
  const auto name = [](std::uint64_t report) { return "report " + std::to_string(report); };
  EXPECT_THAT(ask("retry", waiting), HasSubstr("tally.retry: " + name(waiting) + " is waiting"));
  EXPECT_THAT(ask("cancel", refused), HasSubstr("tally.cancel: " + name(refused) + " is refused"));
  EXPECT_THAT(ask("release", refused), HasSubstr("tally.release: " + name(refused) + " is refused"));
  intend(waiting);
  EXPECT_THAT(ask("cancel", waiting), HasSubstr(name(waiting) + " is sent"));
  EXPECT_THAT(ask("retry", 9'999), HasSubstr("there is no report 9999"));
}

TEST_P(StoredRequests, AreRefusedForADomainThatDoesNotExist) {
  EXPECT_THAT(errorOf([&] { store().pause("shp", "audit"); }), HasSubstr("there is no domain 'shp'"));
  EXPECT_THAT(errorOf([&] { store().resume("shp", {}); }), HasSubstr("there is no domain 'shp'"));
  EXPECT_THAT(errorOf([&] { store().limitWaiting("shp", 1); }), HasSubstr("there is no domain 'shp'"));
  EXPECT_THAT(errorOf([&] { store().erase("shp", "pr_1", {}); }), HasSubstr("there is no domain 'shp'"));
}

/// libpq would end it there.
TEST_P(StoredRequests, DoNotConcernANameThatEndsInATextWithANul) {
  const auto decided = enqueue("pr_1");
  decide(decided, "pr_1");
  const std::string object{"pr_1\0x", 6};
  const std::string domain{"shop\0x", 6};
  (void)errorOf([&] { (void)store().erase("shop", object, {}); });
  EXPECT_THAT(tested_->outcomeOf(decided), testing::StartsWith("applied"));
  EXPECT_NE(errorOf([&] { store().pause(domain, "audit"); }), "");
  EXPECT_EQ(domain_->read(1, 1).paused, std::nullopt);
}

TEST_P(StoredRequests, AreListedWithTheirAnswers) {
  const auto refused = enqueue("pr_1");
  decide(refused, "pr_1", "refused");
  decide(enqueue("pr_1"), "pr_1", "applied");
  const auto waiting = enqueue("pr_2");
  const std::vector carriedOut{store().ask("retry", refused, {})};
  (void)domain_->carryOut(carriedOut);
  const auto open = store().ask("cancel", waiting, {});
  const OutboxRequestStatus answered{.request = carriedOut[0],
                                     .domain = "shop",
                                     .report = refused,
                                     .action = "retry",
                                     .answer = "a later report on the object was applied"};
  const OutboxRequestStatus unanswered{
      .request = open, .domain = "shop", .report = waiting, .action = "cancel"};
  EXPECT_THAT(store().requests(10), ElementsAre(unanswered, answered));
  EXPECT_THAT(store().requests(1), ElementsAre(unanswered));
}

TEST_P(StoredRequests, RetryARefusedReportAfterTheWaitingOnes) {
  OutboxReport report = failedReport("pr_1", "order-42");
  report.connectedAccount = "acct_1";
  const auto numbers = store().enqueueAll("shop", std::vector{report}, {.priority = ReportPriority::low});
  ASSERT_TRUE(numbers);
  const auto refused = numbers->front();
  intend(refused, R"({"id":"pr_1"})");
  decide(refused, "pr_1", "refused");
  const auto waiting = enqueue("pr_1");
  EXPECT_THAT(carriedOut("retry", refused), testing::StartsWith("report "));
  EXPECT_THAT(read(), ElementsAre(waiting));
  const auto next =
      domain_->write({.outcomes = {{.report = waiting, .object = "pr_1", .outcome = "refused"}}});
  ASSERT_EQ(next.size(), 1U);
  EXPECT_EQ(next[0].key, "order-42");
  EXPECT_EQ(next[0].account, "acct_1");
  EXPECT_EQ(next[0].priority, ReportPriority::low);
  EXPECT_EQ(next[0].retry, 1U);
  const auto contents = Report::fromText(next[0].contents);
  ASSERT_TRUE(contents);
  EXPECT_EQ(*contents, report.report);
  EXPECT_EQ(enqueue("pr_2", "order-43"), next[0].id + 1);
}

TEST_P(StoredRequests, RetryAnUnknownReportUnderTheSameRetryNumber) {
  const auto unknown = enqueue("pr_1");
  intend(unknown, R"({"id":"pr_1"})");
  decide(unknown, "pr_1", "unknown");
  (void)carriedOut("retry", unknown);
  const auto again = readOne();
  EXPECT_EQ(again.retry, 0U);
  EXPECT_TRUE(again.mayHaveBeenSent);
  EXPECT_THAT(again.before, HasSubstr("pr_1"));
}

TEST_P(StoredRequests, DoNotRetryASupersededReport) {
  const auto refused = enqueue("pr_1");
  decide(refused, "pr_1", "refused");
  decide(enqueue("pr_1"), "pr_1", "applied");
  EXPECT_EQ(carriedOut("retry", refused), "a later report on the object was applied");
}

TEST_P(StoredRequests, DoNotRetryAReportTwice) {
  const auto refused = enqueue("pr_1");
  decide(refused, "pr_1", "refused");
  (void)carriedOut("retry", refused);
  EXPECT_EQ(carriedOut("retry", refused), "it has already been retried");
  EXPECT_EQ(read().size(), 1U);
  domain_->maintain();
  EXPECT_EQ(store().status().at(0).waiting, 1U);
  EXPECT_EQ(store().status().at(0).failed, 0U);
}

TEST_P(StoredRequests, RetryAReportAgainIfItsRetryWasCanceled) {
  const auto refused = enqueue("pr_1");
  decide(refused, "pr_1", "refused");
  const auto again = [&] {
    EXPECT_THAT(carriedOut("retry", refused), testing::StartsWith("report "));
    EXPECT_TRUE(store().failed(10).empty());
    return readOne().id;
  };
  const auto reportThatFailed = [&] {
    const auto failed = store().failed(10);
    return failed.size() == 1 ? failed.front().report : 0;
  };
  EXPECT_EQ(carriedOut("cancel", again()), "canceled");  // as for a report that the owner does not hold
  EXPECT_EQ(reportThatFailed(), refused);
  decide(again(), "pr_1", "canceled");
  EXPECT_EQ(reportThatFailed(), refused);
  EXPECT_EQ(store().status().at(0).failed, 1U);
  decide(again(), "pr_1");
  EXPECT_TRUE(store().failed(10).empty());
}

TEST_P(StoredRequests, CancelAWaitingReport) {
  const auto head = enqueue("pr_1");
  const auto next = enqueue("pr_1");
  const std::vector requests{store().ask("cancel", head, {})};
  EXPECT_THAT(numbersOf(domain_->carryOut(requests)), ElementsAre(next));
  EXPECT_EQ(tested_->answerTo(requests[0]), "canceled");
  EXPECT_THAT(tested_->outcomeOf(head), testing::StartsWith("canceled"));
  EXPECT_THAT(read(), IsEmpty());  // the next one has been returned
}

TEST_P(StoredRequests, AreAllAnsweredWhenOneOfThemCancelsTheReport) {
  const auto report = enqueue("pr_1");
  const std::vector requests{store().ask("cancel", report, {}), store().ask("cancel", report, {}),
                             store().ask("cancel", report, {})};
  (void)domain_->carryOut(std::vector{requests[0], requests[1]});
  for (const auto request : requests)
    EXPECT_EQ(tested_->answerTo(request), "canceled");
}

TEST_P(StoredRequests, CancelParkedAndDeferredReports) {
  const auto parked = enqueue("pr_1");
  const auto deferred = enqueue("pr_2");
  const auto future = enqueue("pr_3", {}, {.notBefore = inSeconds(1'000)});
  (void)read();
  (void)domain_->write({.deferrals = {{.report = deferred, .delay = std::chrono::hours{1}}},
                        .parkings = {{.report = parked, .reason = "three workers died"}}});
  for (const auto report : {parked, deferred, future})
    EXPECT_EQ(carriedOut("cancel", report), "canceled");
  tested_->advance(std::chrono::hours{2});
  domain_->restart();
  EXPECT_THAT(read(), IsEmpty());
}

TEST_P(StoredRequests, CancelAReportOnceItBecomesAHead) {
  const auto first = enqueue("pr_1");
  const auto second = enqueue("pr_1");
  const std::vector requests{store().ask("cancel", second, {})};
  (void)read();
  EXPECT_THAT(domain_->carryOut(requests), IsEmpty());
  EXPECT_EQ(tested_->answerTo(requests[0]), "");
  const auto next = domain_->write({.outcomes = {{.report = first, .object = "pr_1", .outcome = "applied"}}});
  ASSERT_EQ(next.size(), 1U);
  EXPECT_TRUE(next[0].isCanceled);
}

TEST_P(StoredRequests, DoNotHideOtherRequestsWhileWaiting) {
  const auto refused = enqueue("pr_2");
  decide(refused, "pr_2", "refused");
  enqueue("pr_1");
  const auto waiting = store().enqueueAll("shop", std::vector(110, failedReport("pr_1")), {});
  for (const auto report : waiting.value())
    store().ask("cancel", report, {});
  const auto retry = store().ask("retry", refused, {});
  const auto requests = domain_->read(1, 1).requests;
  EXPECT_EQ(std::ranges::count(requests, retry, &detail::OpenRequest::id), 1);
}

TEST_P(StoredRequests, DoNotCancelAReportThatMayHaveBeenSent) {
  const auto head = enqueue("pr_1");
  const std::vector requests{store().ask("cancel", head, {})};
  intend(head);
  EXPECT_THAT(domain_->carryOut(requests), IsEmpty());
  EXPECT_EQ(tested_->answerTo(requests[0]), "too late: it may have been sent");
  EXPECT_EQ(tested_->outcomeOf(head), "");
}

TEST_P(StoredRequests, DoNotCancelTheRetryOfAnUnknownReport) {
  const auto unknown = enqueue("pr_1");
  intend(unknown);
  decide(unknown, "pr_1", "unknown");
  EXPECT_THAT(carriedOut("retry", unknown), testing::StartsWith("report "));
  EXPECT_EQ(carriedOut("cancel", readOne().id), "too late: it may have been sent");
}

TEST_P(StoredRequests, DoNotEndTheDelayOfACanceledReportThatMayHaveBeenSent) {
  const auto head = enqueue("pr_1");
  (void)store().ask("cancel", head, {});
  intend(head);
  (void)domain_->write({.deferrals = {{.report = head, .delay = std::chrono::hours{1}}}});
  domain_->restart();
  EXPECT_THAT(read(), IsEmpty());
}

TEST_P(StoredRequests, AreAnsweredWithTheDecisionIfTheyComeTooLate) {
  const auto head = enqueue("pr_1");
  const std::vector requests{store().ask("cancel", head, {}), store().ask("release", head, {})};
  decide(head, "pr_1", "applied");
  (void)domain_->carryOut(requests);
  for (const auto request : requests)
    EXPECT_EQ(tested_->answerTo(request), "too late: it is applied");
}

TEST_P(StoredRequests, ReleaseReportsThatWaitForTheirTime) {
  const auto future = enqueue("pr_1", {}, {.notBefore = inSeconds(1'000)});
  const auto first = enqueue("pr_2");
  const auto behind = enqueue("pr_2", {}, {.notBefore = inSeconds(1'000)});
  EXPECT_THAT(read(), ElementsAre(first));
  EXPECT_EQ(carriedOut("release", future), "released");
  EXPECT_EQ(carriedOut("release", behind), "released");
  EXPECT_THAT(read(), ElementsAre(future));
  EXPECT_THAT(decide(first, "pr_2"), ElementsAre(behind));
}

TEST_P(StoredRequests, DoNotReleaseAReportThatIsReadyToBeSent) {
  EXPECT_EQ(carriedOut("release", enqueue("pr_1")), "it is neither parked nor waiting for a time");
}

TEST_P(StoredRequests, AreReturnedUntilTheyAreAnswered) {
  const auto head = enqueue("pr_1");
  (void)read();
  const auto request = store().ask("release", head, {});
  for (int i = 0; i < 2; ++i) {
    const auto requests = domain_->read(1, 1).requests;
    ASSERT_EQ(requests.size(), 1U);
    EXPECT_FALSE(requests[0].isCancel);
  }
  domain_->answer(request, "it is being sent");
  domain_->answer(request, "again");
  EXPECT_EQ(tested_->answerTo(request), "it is being sent");
  EXPECT_THAT(domain_->read(1, 1).requests, IsEmpty());
}

}  // namespace
}  // namespace tally::test

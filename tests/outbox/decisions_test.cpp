#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "store_contract.h"

namespace tally::test {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST_P(Decisions, ReturnTheNextReportOnEachObject) {
  const auto first = enqueue("pr_1");
  const auto second = enqueue("pr_1");
  const auto other = enqueue("pr_2");
  const auto afterOther = enqueue("pr_2");
  (void)read();
  const auto next = domain_->write({.outcomes = {{.report = first, .object = "pr_1", .outcome = "applied"},
                                                 {.report = other, .object = "pr_2", .outcome = "refused"}}});
  EXPECT_THAT(numbersOf(next), testing::UnorderedElementsAre(second, afterOther));
  EXPECT_THAT(read(), IsEmpty());  // they have been returned
}

TEST_P(Decisions, ReturnNoReportWhenTheBatchIsEmpty) {
  enqueue("pr_1");
  EXPECT_THAT(domain_->write({}), IsEmpty());
}

TEST_P(Decisions, AreStoredWithTheirReasons) {
  for (const std::string outcome : {"applied", "refused", "unknown", "canceled"}) {
    const auto report = enqueue("pr_1");
    decide(report, "pr_1", outcome);
    EXPECT_EQ(tested_->outcomeOf(report), outcome + ": why");
  }
}

TEST_P(Decisions, AreStoredWhateverTheirReasonsContain) {
  const auto report = enqueue("pr_1");
  const std::string reason{"a\0b\xFF", 4};
  (void)domain_->write(
      {.outcomes = {{.report = report, .object = "pr_1", .outcome = "unknown", .reason = reason}},
       .findings = {{.report = report, .finding = reason}}});
  domain_->writeLate(std::vector{detail::LateFinding{.report = report, .finding = reason}});
  EXPECT_THAT(tested_->outcomeOf(report), testing::StartsWith("unknown: a"));
  EXPECT_THAT(tested_->lateFindings(), testing::Contains(HasSubstr(": a")));
}

/// It may be erased while it is being rechecked.
TEST_P(Decisions, RecordNoFindingAboutARemovedReport) {
  const auto report = enqueue("pr_1");
  decide(report, "pr_1");
  EXPECT_EQ(store().erase("shop", "pr_1", {}), 1U);
  const detail::LateFinding finding{.report = report, .finding = "a late request undid it"};
  (void)domain_->write({.findings = {finding}});
  domain_->writeLate({&finding, 1});
  EXPECT_THAT(tested_->lateFindings(), IsEmpty());
}

TEST_P(Decisions, AreFinal) {
  const auto report = enqueue("pr_1");
  const auto other = enqueue("pr_2");
  decide(report, "pr_1", "applied");
  EXPECT_NE(
      errorOf([&] {
        (void)domain_->write({.intents = {{.report = other}},
                              .outcomes = {{.report = other, .object = "pr_2", .outcome = "applied"},
                                           {.report = report, .object = "pr_1", .outcome = "refused"}}});
      }),
      "");
  EXPECT_EQ(tested_->outcomeOf(report), "applied: why");
  EXPECT_EQ(tested_->outcomeOf(other), "");  // all or nothing
  domain_->restart();
  EXPECT_FALSE(readOne().mayHaveBeenSent);
}

TEST_P(Decisions, DeferAHeadUntilTheDelayEnds) {
  const auto head = enqueue("pr_1");
  const auto next = enqueue("pr_1");
  (void)read();
  (void)domain_->write({.deferrals = {{.report = head, .delay = std::chrono::seconds{60}}}});
  EXPECT_THAT(read(), IsEmpty());
  tested_->advance(std::chrono::seconds{50});
  domain_->restart();
  EXPECT_THAT(read(), IsEmpty());
  tested_->advance(std::chrono::seconds{20});
  EXPECT_THAT(read(), ElementsAre(head));
  EXPECT_THAT(decide(head, "pr_1"), ElementsAre(next));
}

TEST_P(Decisions, CanDeferAHeadRepeatedly) {
  const auto head = enqueue("pr_1");
  (void)read();
  for (int deferrals = 0; deferrals < 3; ++deferrals) {
    (void)domain_->write({.deferrals = {{.report = head, .delay = std::chrono::seconds{60}}}});
    EXPECT_THAT(read(), IsEmpty());
    tested_->advance(std::chrono::seconds{100});
    EXPECT_THAT(read(), ElementsAre(head));
  }
}

TEST_P(Decisions, ReturnADeferredHeadImmediatelyIfItsDelayIsZero) {
  const auto head = enqueue("pr_1");
  (void)read();
  (void)domain_->write({.deferrals = {{.report = head}}});
  EXPECT_THAT(read(), ElementsAre(head));
}

TEST_P(Decisions, ParkAHeadUntilItIsReleased) {
  const auto head = enqueue("pr_1");
  enqueue("pr_1");
  (void)read();
  (void)domain_->write({.parkings = {{.report = head, .reason = "three workers died"}}});
  enqueue("pr_1");
  domain_->restart();
  tested_->advance(std::chrono::seconds{1'000'000});
  EXPECT_THAT(read(), IsEmpty());
  EXPECT_EQ(carriedOut("release", head), "released");
  EXPECT_THAT(read(), ElementsAre(head));
}

TEST_P(Decisions, CanBeMadeOnParkedReports) {
  const auto head = enqueue("pr_1");
  const auto next = enqueue("pr_1");
  (void)read();
  (void)domain_->write({.parkings = {{.report = head, .reason = "three workers died"}}});
  EXPECT_THAT(decide(head, "pr_1", "canceled"), ElementsAre(next));
}

TEST_P(Decisions, AnswerOpenRequestsToCancelTheirReports) {
  const auto head = enqueue("pr_1");
  (void)read();
  const auto request = store().ask("cancel", head, {});
  const auto news = domain_->read(100, 100);
  ASSERT_EQ(news.requests.size(), 1U);
  EXPECT_EQ(news.requests[0].id, request);
  EXPECT_EQ(news.requests[0].report, head);
  EXPECT_TRUE(news.requests[0].isCancel);
  decide(head, "pr_1", "canceled");
  EXPECT_EQ(tested_->answerTo(request), "canceled");
  EXPECT_THAT(domain_->read(100, 100).requests, IsEmpty());
}

TEST_P(Decisions, PauseADomainUntilItIsResumed) {
  EXPECT_EQ(domain_->read(1, 1).paused, std::nullopt);
  domain_->pause("the key is refused");
  EXPECT_EQ(domain_->read(1, 1).paused, "the key is refused");
  store().resume("shop", "rotated");
  EXPECT_EQ(domain_->read(1, 1).paused, std::nullopt);
  store().pause("shop", "audit");
  EXPECT_EQ(domain_->read(1, 1).paused, "audit");
}

TEST_P(Decisions, CountTowardsTheLargestLimitOfWaitingReports) {
  const auto head = enqueue("pr_1");
  store().limitWaiting("shop", std::numeric_limits<std::int64_t>::max());
  domain_->maintain();
  EXPECT_THAT(read(), ElementsAre(head));
  decide(head, "pr_1");
  domain_->maintain();
  EXPECT_GT(enqueue("pr_1"), 0U);
}

TEST_P(Decisions, AreRemovedOnceTheyAreOlderThanTheRetention) {
  const auto old = enqueue("pr_1", "old");
  decide(old, "pr_1");
  tested_->advance(std::chrono::seconds{1'000});
  const auto young = enqueue("pr_1", "young");
  decide(young, "pr_1");
  domain_->maintain();
  EXPECT_NE(tested_->outcomeOf(old), "");
  (void)domain_->removeDecided(std::chrono::seconds{500}, 1'000);
  EXPECT_EQ(tested_->outcomeOf(old), "");
  EXPECT_EQ(tested_->outcomeOf(young), "applied: why");
  EXPECT_EQ(enqueue("pr_1", "old"), old);  // the key stays
  EXPECT_THAT(read(), IsEmpty());
  const auto next = enqueue("pr_1", "next");
  EXPECT_THAT(read(), ElementsAre(next));
}

TEST_P(Decisions, AreRemovedWithoutAffectingWaitingReports) {
  const auto first = enqueue("pr_1");
  const auto second = enqueue("pr_1");
  decide(first, "pr_1");
  tested_->advance(std::chrono::seconds{1'000});
  (void)domain_->removeDecided(std::chrono::seconds{500}, 1'000);
  domain_->restart();
  EXPECT_THAT(read(), ElementsAre(second));
}

TEST_P(Decisions, AreKeptWhileARetryNeedsThem) {
  const auto unknown = enqueue("pr_1");
  intend(unknown, R"({"id":"pr_1"})");
  decide(unknown, "pr_1", "unknown");
  (void)carriedOut("retry", unknown);
  tested_->advance(std::chrono::seconds{1'000});
  (void)domain_->removeDecided(std::chrono::seconds{500}, 1'000);
  const auto again = readOne();
  EXPECT_TRUE(again.mayHaveBeenSent);
  EXPECT_THAT(again.before, HasSubstr("pr_1"));
}

TEST_P(Decisions, AreKeptIfTheRetentionIsTheLongestPossible) {
  const auto report = enqueue("pr_1");
  decide(report, "pr_1");
  tested_->advance(std::chrono::seconds{1'000});
  (void)domain_->removeDecided(std::chrono::seconds::max(), 1'000);
  EXPECT_NE(tested_->outcomeOf(report), "");
}

TEST_P(Decisions, CanBeRecordedAsLateFindings) {
  const auto report = enqueue("pr_1");
  domain_->writeLate(std::vector{detail::LateFinding{.report = report, .finding = "applied"}});
  EXPECT_THAT(tested_->lateFindings(), ElementsAre(std::to_string(report) + ": applied"));
}

// ---- What is looked at again

/// A report that a dead worker may have sent is applied.
std::uint64_t applySuspected(detail::DomainStore& domain, std::uint64_t report) {
  (void)domain.write({.intents = {{.report = report, .before = R"({"id":"pr_1"})"}},
                      .outcomes = {{.report = report, .object = "pr_1", .outcome = "applied"}},
                      .suspicions = {{.object = "pr_1", .delay = 15s}}});
  return report;
}

TEST_P(Decisions, AreRecheckedBeforeTheNextReportOnASuspectedObject) {
  const auto applied = applySuspected(*domain_, enqueue("pr_1", "k1"));
  EXPECT_THAT(read(), IsEmpty());
  const auto next = enqueue("pr_1", "k2");
  const auto other = enqueue("pr_2");
  const auto heads = readHeads();
  ASSERT_THAT(numbersOf(heads), ElementsAre(applied, next, other));
  EXPECT_TRUE(heads[0].isRecheck);
  EXPECT_TRUE(heads[0].mayHaveBeenSent);
  EXPECT_THAT(heads[0].before, HasSubstr("pr_1"));
  EXPECT_EQ(heads[0].key, "k1");
  EXPECT_EQ(heads[0].priority, ReportPriority::normal);
  EXPECT_FALSE(heads[1].isRecheck);
}

TEST_P(Decisions, AreRecheckedBeforeTheNextHeadFromTheSameWrite) {
  const auto first = enqueue("pr_1");
  const auto next = enqueue("pr_1");
  (void)read();
  const auto heads = domain_->write({.intents = {{.report = first}},
                                     .outcomes = {{.report = first, .object = "pr_1", .outcome = "applied"}},
                                     .suspicions = {{.object = "pr_1", .delay = 15s}}});
  EXPECT_THAT(numbersOf(heads), ElementsAre(first, next));
}

TEST_P(Decisions, AreRecheckedOnceTheSuspicionDelayHasPassed) {
  const auto applied = applySuspected(*domain_, enqueue("pr_1"));
  (void)domain_->write({.rechecked = {"pr_1"}});  // too early
  tested_->advance(16s);
  EXPECT_THAT(read(), ElementsAre(applied));
  EXPECT_THAT(read(), ElementsAre(applied));
  (void)domain_->write({.rechecked = {"pr_1"}});
  EXPECT_THAT(read(), IsEmpty());
  (void)enqueue("pr_1");
  EXPECT_EQ(read().size(), 1U);
}

TEST_P(Decisions, AreRecheckedWhenAFencedWorkerRecordsALateFinding) {
  const auto applied = enqueue("pr_1");
  intend(applied);
  decide(applied, "pr_1");
  domain_->writeLate(std::vector{detail::LateFinding{.report = applied, .finding = "applied"}});
  EXPECT_THAT(read(), ElementsAre(applied));
}

TEST_P(Decisions, AreNotRecheckedWhenAnotherReportMayHaveChangedTheObject) {
  (void)applySuspected(*domain_, enqueue("pr_1"));
  const auto next = enqueue("pr_1");
  intend(next);
  tested_->advance(16s);
  EXPECT_THAT(read(), ElementsAre(next));
  decide(next, "pr_1", "unknown");
  EXPECT_THAT(read(), IsEmpty());
}

TEST_P(Decisions, AreNotRecheckedAfterAnUnknownOutcomeWhoseRetryWasRefused) {
  (void)applySuspected(*domain_, enqueue("pr_1"));
  const auto unknown = enqueue("pr_1");
  intend(unknown);
  decide(unknown, "pr_1", "unknown");
  (void)carriedOut("retry", unknown);
  decide(readOne().id, "pr_1", "refused");
  tested_->advance(16s);
  EXPECT_THAT(read(), IsEmpty());
}

TEST_P(Decisions, AreRecheckedOnlyAfterANewDelayWhenTheOwnerChanges) {
  const auto applied = applySuspected(*domain_, enqueue("pr_1"));
  tested_->advance(16s);
  takeOver();
  EXPECT_THAT(read(), IsEmpty());
  tested_->advance(16s);
  EXPECT_THAT(read(), ElementsAre(applied));
}

TEST_P(Decisions, AreListedAmongTheLateFindingsWhenFoundUndone) {
  const auto applied = applySuspected(*domain_, enqueue("pr_1"));
  (void)domain_->write({.findings = {{.report = applied, .finding = "undone"}}});
  EXPECT_THAT(tested_->lateFindings(), ElementsAre(std::to_string(applied) + ": undone"));
}

TEST_P(Decisions, AreRemovedEvenIfTheirObjectsAreSuspected) {
  (void)applySuspected(*domain_, enqueue("pr_1"));
  tested_->advance(1'000s);
  (void)domain_->removeDecided(500s, 1'000);
  EXPECT_THAT(read(), IsEmpty());
}

TEST_P(Decisions, AreRecheckedEvenIfAnOlderReportOnTheirObjectIsRemoved) {
  const auto old = enqueue("pr_1");
  decide(old, "pr_1");
  tested_->advance(1'000s);
  const auto applied = applySuspected(*domain_, enqueue("pr_1"));
  EXPECT_EQ(domain_->removeDecided(500s, 1'000), 1U);
  tested_->advance(16s);
  domain_->maintain();
  EXPECT_THAT(read(), ElementsAre(applied));
}

TEST_P(Decisions, AreNotRecheckedForAFindingAboutARefusedReportBeforeThem) {
  const auto refused = enqueue("pr_1");
  decide(refused, "pr_1", "refused");
  domain_->writeLate(std::vector{detail::LateFinding{.report = refused, .finding = "refused"}});
  domain_->maintain();
  decide(enqueue("pr_1"), "pr_1");
  EXPECT_THAT(read(), IsEmpty());
}

TEST_P(Decisions, AreRecheckedIfTheyWaitedWhenTheFindingWasRecorded) {
  const auto refused = enqueue("pr_1");
  decide(refused, "pr_1", "refused");
  const auto waiting = enqueue("pr_1");
  domain_->writeLate(std::vector{detail::LateFinding{.report = refused, .finding = "applied"}});
  domain_->maintain();
  decide(waiting, "pr_1");
  EXPECT_THAT(read(), ElementsAre(waiting));
}

/// The keys of the reports before a head that tell that an object does not show it.
std::vector<std::string> keysBefore(const detail::Head& head) {
  std::vector<std::string> keys;
  for (const detail::MarkedReport& one : head.earlier)
    keys.push_back(one.key);
  return keys;
}

TEST_P(Decisions, AreListedWithAPossiblySentHeadOnlyIfApplied) {
  decide(enqueue("pr_1", "k1"), "pr_1");
  decide(enqueue("pr_1", "k2"), "pr_1", "refused");
  const auto report = enqueue("pr_1", "k3");
  EXPECT_THAT(keysBefore(readOne()), IsEmpty());
  intend(report);
  takeOver();
  EXPECT_THAT(keysBefore(readOne()), ElementsAre("k1"));
}

TEST_P(Decisions, AreAllListedWithARecheckOfALaterReport) {
  decide(enqueue("pr_1", "k1"), "pr_1");
  decide(enqueue("pr_1", "k2"), "pr_1", "refused");
  decide(enqueue("pr_1", R"(with "quotes", and a comma)"), "pr_1");
  (void)applySuspected(*domain_, enqueue("pr_1", "k4"));
  tested_->advance(16s);
  EXPECT_THAT(keysBefore(readOne()), ElementsAre(R"(with "quotes", and a comma)", "k2", "k1"));
}

}  // namespace
}  // namespace tally::test

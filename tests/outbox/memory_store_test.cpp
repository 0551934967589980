#include "memory/memory_store.h"

#include <chrono>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <tally/fake/virtual_clock.h>

#include "outbox/differential/memory_under_test.h"
#include "outbox/store_contract.h"

namespace tally::test {
namespace {

using detail::MemoryDatabase;
using detail::MemoryFault;
using detail::MemoryOperation;
using detail::MemoryStore;
using detail::SessionOver;
using testing::ElementsAre;
using testing::IsEmpty;

const StoreKind memoryKind{.name = "Memory", .make = [] { return std::make_unique<MemoryUnderTest>(); }};

INSTANTIATE_TEST_SUITE_P(Memory, StoredReports, testing::Values(memoryKind), nameOfStore);
INSTANTIATE_TEST_SUITE_P(Memory, Heads, testing::Values(memoryKind), nameOfStore);
INSTANTIATE_TEST_SUITE_P(Memory, Decisions, testing::Values(memoryKind), nameOfStore);
INSTANTIATE_TEST_SUITE_P(Memory, StoredRequests, testing::Values(memoryKind), nameOfStore);
INSTANTIATE_TEST_SUITE_P(Memory, Workers, testing::Values(memoryKind), nameOfStore);
INSTANTIATE_TEST_SUITE_P(Memory, ManyWorkers, testing::Values(memoryKind), nameOfStore);

/// A worker that owns `shop`, and a database with faults.
class FaultyMemoryStore : public testing::Test {
 protected:
  FaultyMemoryStore() {
    worker_ = enroll();
    domain_ = worker_->claim("shop");
  }

  [[nodiscard]] std::unique_ptr<detail::WorkerStore> enroll() {
    return store_.enroll({.host = "host", .process = 1, .domains = {"shop"}});
  }
  std::uint64_t enqueue(const std::string& id, const std::string& key = {}) {
    return store_.enqueueAll("shop", std::vector{failedReport(id, key)}, {}).value().front();
  }
  [[nodiscard]] std::vector<std::uint64_t> read() { return numbersOf(domain_->read(100, 100).heads); }
  void intend(std::uint64_t report) { (void)domain_->write({.intents = {{.report = report}}}); }
  [[nodiscard]] std::size_t intentsOf(std::uint64_t report) const {
    return database_->backup()->reports().at(report).intents.size();
  }
  /// What becomes of the next operations of this name.
  void fail(std::string operation, std::vector<MemoryFault> faults) {
    failing_ = std::move(operation);
    faults_ = {faults.begin(), faults.end()};
  }

  std::string failing_;
  std::deque<MemoryFault> faults_;
  std::shared_ptr<fake::VirtualClock> clock_ = clockOfDatabase();
  std::shared_ptr<MemoryDatabase> database_ =
      std::make_shared<MemoryDatabase>(clock_, [this](const MemoryOperation& operation) {
        if (operation.name != failing_ || faults_.empty()) return MemoryFault::none;
        const MemoryFault fault = faults_.front();
        faults_.pop_front();
        return fault;
      });
  MemoryStore store_{database_};
  std::unique_ptr<detail::WorkerStore> worker_;
  std::unique_ptr<detail::DomainStore> domain_;
};

TEST_F(FaultyMemoryStore, WritesAnOutcomeOnlyOnceWhenTheConnectionIsLost) {
  for (const auto fault : {MemoryFault::requestLost, MemoryFault::replyLost, MemoryFault::late}) {
    const auto first = enqueue("pr_1");
    const auto next = enqueue("pr_1");
    (void)read();
    intend(first);
    fail("write", {fault});
    EXPECT_THAT(
        numbersOf(domain_->write({.outcomes = {{.report = first, .object = "pr_1", .outcome = "applied"}}})),
        ElementsAre(next));
    database_->deliver();
    EXPECT_THAT(
        numbersOf(domain_->write({.outcomes = {{.report = next, .object = "pr_1", .outcome = "applied"}}})),
        IsEmpty());
  }
}

TEST_F(FaultyMemoryStore, FencesALateWriteFromADeadWorker) {
  const auto head = enqueue("pr_1");
  (void)read();
  fail("write", std::vector(5, MemoryFault::late));
  EXPECT_THROW(intend(head), OutboxError);
  auto other = enroll();
  ASSERT_TRUE(other->declareDead(other->beat().value().peers.at(0)));
  domain_ = other->claim("shop");
  database_->deliver();
  EXPECT_EQ(intentsOf(head), 0U);
  EXPECT_FALSE(domain_->read(1, 1).heads.at(0).mayHaveBeenSent);
}

TEST_F(FaultyMemoryStore, FencesALateWriteThatHasAlreadyBeenRepeated) {
  const auto head = enqueue("pr_1");
  (void)read();
  fail("write", {MemoryFault::late});
  (void)domain_->write({.deferrals = {{.report = head, .delay = std::chrono::seconds{60}}}});
  clock_->advance(std::chrono::seconds{100});
  EXPECT_THAT(read(), ElementsAre(head));
  database_->deliver();
  domain_->restart();
  EXPECT_THAT(read(), ElementsAre(head));  // not deferred again
}

TEST_F(FaultyMemoryStore, KeepsASessionFencedWhenItsConnectionIsReplaced) {
  const auto head = enqueue("pr_1");
  const auto old = std::move(domain_);
  worker_->giveUp("shop");
  domain_ = worker_->claim("shop");
  EXPECT_THROW((void)old->write({}), SessionOver);
  fail("write", {MemoryFault::requestLost});
  EXPECT_THROW((void)old->write({}), SessionOver);
  faults_.clear();
  intend(head);
  EXPECT_EQ(intentsOf(head), 1U);
}

TEST_F(FaultyMemoryStore, AcceptsALateWriteWhileTheSessionLasts) {
  const auto head = enqueue("pr_1");
  fail("write", std::vector(5, MemoryFault::late));
  EXPECT_THROW(intend(head), OutboxError);
  database_->deliver();  // the last one, whose session has not been replaced yet
  EXPECT_EQ(intentsOf(head), 1U);
}

TEST_F(FaultyMemoryStore, LosesNoHeadWhenTheReplyToAReadIsLost) {
  const auto head = enqueue("pr_1");
  fail("read", std::vector(5, MemoryFault::replyLost));
  EXPECT_THROW((void)read(), OutboxError);
  EXPECT_THAT(read(), ElementsAre(head));
}

TEST_F(FaultyMemoryStore, RefusesWritesWithoutApplyingThemWhileUnavailable) {
  const auto head = enqueue("pr_1");
  fail("write", {MemoryFault::unavailable});
  EXPECT_THROW(intend(head), OutboxError);
  EXPECT_THAT(read(), ElementsAre(head));  // reads are answered
  EXPECT_EQ(intentsOf(head), 0U);
  intend(head);
  EXPECT_EQ(intentsOf(head), 1U);
}

TEST_F(FaultyMemoryStore, KeepsAllItsContentsAcrossARestart) {
  const auto head = enqueue("pr_1");
  (void)read();
  intend(head);
  fail("write", {MemoryFault::late});
  database_->restart();
  EXPECT_THAT(
      numbersOf(domain_->write({.outcomes = {{.report = head, .object = "pr_1", .outcome = "applied"}}})),
      IsEmpty());
  EXPECT_TRUE(worker_->beat().has_value());
  EXPECT_TRUE(database_->backup()->reports().at(head).end.has_value());
}

TEST_F(FaultyMemoryStore, ForgetsLateWritesWhenItRestarts) {
  fail("enqueueAll", {MemoryFault::late});
  EXPECT_THROW(enqueue("pr_1"), OutboxError);
  database_->restart();
  database_->deliver();
  EXPECT_THAT(database_->backup()->reports(), IsEmpty());
}

TEST_F(FaultyMemoryStore, KeepsADecidedReportUntilItIsOlderThanTheRetention) {
  const auto head = enqueue("pr_1");
  (void)domain_->write({.outcomes = {{.report = head, .object = "pr_1", .outcome = "applied"}}});
  clock_->advance(std::chrono::seconds{500});
  EXPECT_EQ(domain_->removeDecided(std::chrono::seconds{500}, 1'000), 0U);
  clock_->advance(std::chrono::nanoseconds{1});
  EXPECT_EQ(domain_->removeDecided(std::chrono::seconds{500}, 1'000), 1U);
}

TEST_F(FaultyMemoryStore, ClaimsADomainOnlyOnceWhenTheReplyIsLost) {
  worker_->giveUp("shop");
  const auto head = enqueue("pr_1");
  fail("claim", {MemoryFault::replyLost});
  domain_ = worker_->claim("shop");
  ASSERT_NE(domain_, nullptr);
  intend(head);
  EXPECT_EQ(intentsOf(head), 1U);
}

TEST_F(FaultyMemoryStore, FencesTheOwnerAfterAFailover) {
  const auto backup = database_->backup();
  database_->failOverTo(*backup);
  EXPECT_THROW((void)read(), SessionOver);
  EXPECT_THROW((void)read(), SessionOver);
}

TEST_F(FaultyMemoryStore, TreatsEarlierReportsAsDoubtfulAfterAFailover) {
  const auto known = enqueue("pr_1");
  const auto backup = database_->backup();
  const auto forgotten = enqueue("pr_2");
  (void)read();
  intend(known);
  database_->failOverTo(*backup);
  EXPECT_THROW((void)read(), SessionOver);
  domain_ = worker_->claim("shop");
  ASSERT_NE(domain_, nullptr);
  const auto heads = domain_->read(10, 10).heads;
  EXPECT_THAT(numbersOf(heads), ElementsAre(known));
  EXPECT_TRUE(heads.at(0).mayHaveBeenSent);
  EXPECT_GT(enqueue("pr_3"), forgotten);
  EXPECT_FALSE(domain_->read(10, 10).heads.at(0).mayHaveBeenSent);
}

TEST_F(FaultyMemoryStore, TreatsEarlierReportsAsDoubtfulWhenTheOwnerMissesTheFailover) {
  const auto known = enqueue("pr_1");
  database_->failOverTo(*database_->backup());
  auto other = enroll();
  ASSERT_TRUE(other->declareDead(other->beat().value().peers.at(0)));
  domain_ = other->claim("shop");
  EXPECT_TRUE(domain_->read(10, 10).heads.at(0).mayHaveBeenSent);
  EXPECT_EQ(known, 1U);
}

TEST_F(FaultyMemoryStore, DoesNotCancelADoubtfulReport) {
  const auto head = enqueue("pr_1");
  database_->failOverTo(*database_->backup());
  worker_ = enroll();
  const auto heartbeat = worker_->beat().value();
  for (const auto& peer : heartbeat.peers)
    (void)worker_->declareDead(peer);
  domain_ = worker_->claim("shop");
  const std::vector requests{store_.ask("cancel", head, {})};
  (void)domain_->carryOut(requests);
  EXPECT_EQ(database_->backup()->requests().at(requests[0]).answer, "too late: it may have been sent");
}

TEST_F(FaultyMemoryStore, DetectsForgottenCommits) {
  const auto head = enqueue("pr_1");
  const auto backup = database_->backup();
  (void)read();
  intend(head);
  database_->forgetSince(*backup);
  EXPECT_THROW((void)read(), SessionOver);
  domain_ = worker_->claim("shop");
  EXPECT_TRUE(domain_->read(10, 10).heads.at(0).mayHaveBeenSent);
}

TEST_F(FaultyMemoryStore, FencesAWorkerWhoseHeartbeatIsForgotten) {
  (void)worker_->beat();
  const auto backup = database_->backup();
  (void)worker_->beat();
  (void)worker_->beat();
  database_->forgetSince(*backup);
  EXPECT_EQ(worker_->beat(), std::nullopt);
}

/// A connection of the owner that also has to be replaced would notice it too.
TEST_F(FaultyMemoryStore, TreatsEarlierReportsAsDoubtfulIfAHeartbeatOrAWorkerIsForgotten) {
  enqueue("pr_1");
  const auto withoutWorker = database_->backup();
  worker_ = enroll();
  (void)worker_->beat();
  const auto withWorker = database_->backup();
  (void)worker_->beat();
  for (const auto& backup : {withWorker, withoutWorker}) {
    database_->forgetSince(*backup);
    EXPECT_EQ(worker_->beat(), std::nullopt);
    const auto other = enroll();
    const auto domain = other->claim("shop");
    ASSERT_NE(domain, nullptr);
    EXPECT_TRUE(domain->read(10, 10).heads.at(0).mayHaveBeenSent);
  }
}

TEST_F(FaultyMemoryStore, NeverReusesAnIncarnationOrAKeyAfterAFailover) {
  const auto backup = database_->backup();
  enqueue("pr_1");
  const std::string key = domain_->read(1, 1).heads.at(0).key;
  const std::string other = enroll()->incarnation();
  database_->failOverTo(*backup);
  EXPECT_NE(enroll()->incarnation(), other);
  enqueue("pr_1");
  EXPECT_THROW((void)read(), SessionOver);
  domain_ = worker_->claim("shop");
  EXPECT_NE(domain_->read(1, 1).heads.at(0).key, key);
}

TEST_F(FaultyMemoryStore, NotifiesListenersOfReportsAndRequests) {
  std::vector<std::string> told;
  auto listening = store_.listen([&](std::string_view domain) { told.emplace_back(domain); });
  const auto report = enqueue("pr_1");
  EXPECT_THAT(told, ElementsAre("shop"));
  store_.ask("cancel", report, {});
  store_.pause("shop", "audit");
  store_.resume("shop", {});
  fail("enqueueAll", {MemoryFault::late});
  EXPECT_THROW(enqueue("pr_1"), OutboxError);
  EXPECT_THAT(told, testing::SizeIs(4));
  database_->deliver();
  EXPECT_THAT(told, testing::SizeIs(5));
  listening.reset();
  enqueue("pr_2");
  EXPECT_THAT(told, testing::SizeIs(5));
}

TEST_F(FaultyMemoryStore, NotifiesListenersOnlyOfNewKeys) {
  std::size_t told = 0;
  const auto listening = store_.listen([&](std::string_view) { ++told; });
  enqueue("pr_1", "a");
  enqueue("pr_1", "a");
  EXPECT_EQ(told, 1U);
}

TEST_F(FaultyMemoryStore, EnqueuesAReportOnlyOnceWhenAWriteIsLate) {
  fail("enqueueAll", {MemoryFault::late, MemoryFault::replyLost});
  EXPECT_THROW(enqueue("pr_1", "a"), OutboxError);
  EXPECT_THROW(enqueue("pr_1", "a"), OutboxError);
  database_->deliver();
  enqueue("pr_1", "a");
  EXPECT_EQ(read().size(), 1U);
}

TEST_F(FaultyMemoryStore, WritesLateFindingsDespiteALostConnectionUnlessUnavailable) {
  const detail::LateFinding finding{.report = enqueue("pr_1"), .finding = "applied"};
  fail("writeLate", {MemoryFault::requestLost});
  domain_->writeLate({&finding, 1});
  EXPECT_EQ(database_->backup()->late().size(), 1U);
  fail("writeLate", std::vector(9, MemoryFault::unavailable));
  domain_->writeLate({&finding, 1});
  EXPECT_EQ(database_->backup()->late().size(), 1U);
}

}  // namespace
}  // namespace tally::test

// What a server has forgotten that a worker had seen acknowledged. Here, rows are removed instead; see
// promotion_test.cpp for servers that lack commits.

#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <tally/outbox_postgres.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "outbox/postgres_database.h"
#include "postgres/postgres_store.h"

namespace tally::test {
namespace {

using detail::SessionOver;

class ForgottenCommits : public MigratedOutboxTest {
 protected:
  void SetUp() override {
    MigratedOutboxTest::SetUp();
    if (!session_) return;
    store_ = std::make_unique<detail::PostgresStore>(url());
    begin();
  }

  /// With another worker.
  void begin() {
    worker_ = store_->enroll({.host = "host", .domains = {"shop"}});
    ASSERT_TRUE(worker_->beat());
    auto claimed = worker_->claim("shop");
    ASSERT_NE(claimed, nullptr);
    shop_ = std::move(claimed);
  }

  std::uint64_t enqueueOn(const std::string& object) const {
    return enqueue(*session_, "shop", failedReport(object)).value();
  }
  void intend(std::uint64_t report) const { (void)shop_->write({.intents = {{.report = report}}}); }
  void decide(std::uint64_t report, const std::string& object, const std::string& outcome = "applied") const {
    (void)shop_->write({.outcomes = {{.report = report, .object = object, .outcome = outcome}}});
  }
  /// The retry of a refused report. Its intent is the last write.
  std::uint64_t intendRetryOn(const std::string& object) const {
    const auto original = enqueueOn(object);
    intend(original);
    decide(original, object, "refused");
    const std::vector requests{store_->ask("retry", original, "")};
    (void)shop_->carryOut(requests);
    const auto retry = std::stoull(session_->value("SELECT max(id) FROM tally.report"));
    intend(retry);
    return retry;
  }
  void loseConnections() const {
    session_->run(
        "SELECT pg_terminate_backend(pid, 1000) FROM pg_stat_activity WHERE datname = current_database() AND "
        "pid <> pg_backend_pid()");
  }

  /// The owner notices what is missing, with or without a new connection, and another one is careful.
  void expectDoubt(std::uint64_t waiting, bool losesConnections) {
    if (losesConnections) {
      loseConnections();
      EXPECT_THROW((void)shop_->read(10, 10), SessionOver);
    } else {
      EXPECT_THROW(intend(waiting), SessionOver);
    }
    expectDoubtful(waiting, true);
    EXPECT_EQ(session_->value("SELECT count(*) FROM tally.intent WHERE report = " + std::to_string(waiting)),
              "0");
  }
  void expectDoubtful(std::uint64_t waiting, bool isDoubtful) {
    begin();
    const auto heads = shop_->read(10, 10).heads;
    ASSERT_EQ(heads.size(), 1U);
    EXPECT_EQ(heads[0].id, waiting);
    EXPECT_EQ(heads[0].mayHaveBeenSent, isDoubtful);
  }
  /// The owner still writes.
  void expectNone(std::uint64_t waiting) const {
    intend(waiting);
    loseConnections();
    decide(waiting, "pr_9");
  }

  std::unique_ptr<detail::PostgresStore> store_{};
  std::unique_ptr<detail::WorkerStore> worker_{};
  std::unique_ptr<detail::DomainStore> shop_{};
};

TEST_F(ForgottenCommits, AreDetectedFromAMissingOutcome) {
  for (const bool losesConnections : {false, true}) {
    const auto first = enqueueOn("pr_1");
    intend(first);
    decide(first, "pr_1");
    session_->run("DELETE FROM tally.outcome WHERE report = " + std::to_string(first) +
                  "; DELETE FROM tally.intent WHERE report = " + std::to_string(first));
    expectDoubt(first, losesConnections);
    decide(first, "pr_1");
  }
}

/// The last intent is written in a batch that ends with an earlier one.
TEST_F(ForgottenCommits, AreDetectedFromAMissingIntent) {
  for (const bool losesConnections : {false, true}) {
    const auto first = enqueueOn("pr_1");
    const auto second = enqueueOn("pr_2");
    intend(second);
    (void)shop_->write({.intents = {{.report = first}, {.report = second}}});
    session_->run("DELETE FROM tally.intent WHERE report = " + std::to_string(first));
    if (losesConnections) loseConnections();
    EXPECT_THROW(decide(second, "pr_2"), SessionOver);
    begin();
    for (const detail::Head& head : shop_->read(10, 10).heads)
      EXPECT_TRUE(head.mayHaveBeenSent);
    decide(first, "pr_1");
    decide(second, "pr_2");
  }
}

TEST_F(ForgottenCommits, AreDetectedFromAMissingReport) {
  const auto waiting = enqueueOn("pr_9");
  const auto forgotten = enqueueOn("pr_1");
  intend(forgotten);
  session_->run(
      "DELETE FROM tally.intent; DELETE FROM tally.report_key; DELETE FROM tally.report WHERE id = " +
      std::to_string(forgotten));
  expectDoubt(waiting, false);
}

/// It has the same key, and may have the same number.
TEST_F(ForgottenCommits, AreDetectedFromAReportThatHasBeenEnqueuedAgain) {
  for (const bool hasSameNumber : {true, false}) {
    const auto forgotten = enqueue(*session_, "shop", failedReport("pr_1", "k")).value();
    intend(forgotten);
    session_->run("DELETE FROM tally.intent; DELETE FROM tally.report_key; DELETE FROM tally.report");
    if (hasSameNumber)
      session_->run("SELECT setval('tally.report_id', " + std::to_string(forgotten) + ", false)");
    const auto again = enqueue(*session_, "shop", failedReport("pr_1", "k")).value();
    EXPECT_EQ(again == forgotten, hasSameNumber);
    expectDoubt(again, false);
    session_->run("DELETE FROM tally.report_key; DELETE FROM tally.report");
  }
}

TEST_F(ForgottenCommits, AreDetectedFromAMissingRetry) {
  const auto waiting = enqueueOn("pr_9");
  const auto retry = intendRetryOn("pr_1");
  session_->run("DELETE FROM tally.intent WHERE report = " + std::to_string(retry) +
                "; DELETE FROM tally.report WHERE id = " + std::to_string(retry));
  expectDoubt(waiting, false);
}

TEST_F(ForgottenCommits, AreNotInferredFromErasedReports) {
  const auto waiting = enqueueOn("pr_9");
  const auto erased = enqueueOn("pr_1");
  intend(erased);
  decide(erased, "pr_1");
  EXPECT_EQ(store_->erase("shop", "pr_1", ""), 1U);
  expectNone(waiting);
}

TEST_F(ForgottenCommits, AreNotInferredFromARetryThatRetentionHasRemoved) {
  const auto waiting = enqueueOn("pr_9");
  const auto retry = intendRetryOn("pr_1");
  decide(retry, "pr_1");
  EXPECT_EQ(shop_->removeDecided(std::chrono::seconds{0}, 10), 2U);
  expectNone(waiting);
}

/// The heartbeat notices it even if the domain has nothing to write.
TEST_F(ForgottenCommits, AreDetectedFromAMissingHeartbeat) {
  const auto waiting = enqueueOn("pr_9");
  (void)worker_->beat();
  session_->run("UPDATE tally.worker SET beat = 1");
  EXPECT_EQ(worker_->beat(), std::nullopt);
  expectDoubtful(waiting, true);
}

TEST_F(ForgottenCommits, AreDetectedFromAMissingWorker) {
  const auto waiting = enqueueOn("pr_9");
  session_->run("DELETE FROM tally.worker");
  EXPECT_EQ(worker_->beat(), std::nullopt);
  expectDoubtful(waiting, true);
}

/// Otherwise, the heartbeats of the next seconds would be accepted.
TEST_F(ForgottenCommits, AreDetectedByAHeartbeatOnlyOnceTheyAreRecorded) {
  const auto waiting = enqueueOn("pr_9");
  (void)worker_->beat();
  session_->run("UPDATE tally.worker SET beat = 1");
  const Session person = connect();
  person.run("BEGIN; SELECT tally.pause('shop', 'why')");
  for (int beats = 0; beats < 2; ++beats)
    EXPECT_THROW((void)worker_->beat(), OutboxError);
  person.run("ROLLBACK");
  EXPECT_EQ(worker_->beat(), std::nullopt);
  expectDoubtful(waiting, true);
}

TEST_F(ForgottenCommits, AreNotInferredFromADeathOrADeparture) {
  const auto waiting = enqueueOn("pr_9");
  const auto dead = std::move(worker_);
  const auto other = store_->enroll({.host = "host", .domains = {"shop"}});
  ASSERT_TRUE(other->declareDead(other->beat().value().peers.at(0)));
  EXPECT_EQ(dead->beat(), std::nullopt);
  other->depart();
  EXPECT_EQ(other->beat(), std::nullopt);
  expectDoubtful(waiting, false);
}

}  // namespace
}  // namespace tally::test

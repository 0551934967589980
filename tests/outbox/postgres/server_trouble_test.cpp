// The owner of a domain while the server crashes or fails a statement.

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <tally/outbox_postgres.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "outbox/postgres_database.h"
#include "postgres/postgres_store.h"

namespace tally::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class ServerTrouble : public MigratedOutboxTest {
 protected:
  void SetUp() override {
    MigratedOutboxTest::SetUp();
    if (!session_) return;
    store_ = std::make_unique<detail::PostgresStore>(url());
    worker_ = store_->enroll({.host = "host", .domains = {"shop"}});
    shop_ = worker_->claim("shop");
    ASSERT_NE(shop_, nullptr);
  }

  std::uint64_t enqueueOn(const std::string& object, const EnqueueOptions& options = {}) const {
    return enqueue(Session{url()}, "shop", failedReport(object), options).value();
  }
  [[nodiscard]] std::vector<std::uint64_t> read() const {
    std::vector<std::uint64_t> heads;
    for (const detail::Head& head : shop_->read(10, 10).heads)
      heads.push_back(head.id);
    return heads;
  }
  void decide(std::uint64_t report, const std::string& object) const {
    (void)shop_->write({.outcomes = {{.report = report, .object = object, .outcome = "applied"}}});
  }
  void rename(const std::string& function, const std::string& to) const {
    session_->run("ALTER FUNCTION tally." + function + " RENAME TO " + to);
  }

  std::unique_ptr<detail::PostgresStore> store_{};
  std::unique_ptr<detail::WorkerStore> worker_{};
  std::unique_ptr<detail::DomainStore> shop_{};
};

// ---- A crash

/// In a server that soon forgets transactions that nobody waits for.
class ServerCrash : public ServerTrouble {
 protected:
  void SetUp() override {
    ServerTrouble::SetUp();
    if (session_) set("SET wal_writer_delay = '10s'");
  }
  void TearDown() override {
    if (session_) set("RESET wal_writer_delay");
  }

  /// The number of the last of some transactions that are rolled back.
  [[nodiscard]] std::uint64_t rollBackSome() const {
    const Session other{url()};
    std::string last;
    for (int i = 0; i < 5; ++i) {
      other.run("BEGIN");
      last = other.value("SELECT pg_current_xact_id()");
      other.run("ROLLBACK");
    }
    return std::stoull(last);
  }
  [[nodiscard]] std::uint64_t transactionOf(std::uint64_t report) const {
    return std::stoull(
        Session{url()}.value("SELECT xid FROM tally.report WHERE id = " + std::to_string(report)));
  }

 private:
  void set(const std::string& setting) const {
    const Session session{url()};
    session.run("ALTER SYSTEM " + setting);
    session.run("SELECT pg_reload_conf()");
  }
};

/// The worker notices the crash only when it writes how far it has read.
TEST_F(ServerCrash, LosesNoReportWhoseTransactionNumberIsReused) {
  bool isGivenAgain = false;
  for (int crashes = 0; crashes < 5 && !isGivenAgain; ++crashes) {
    const auto earlier = enqueueOn("pr_1");
    EXPECT_THAT(read(), ElementsAre(earlier));
    decide(earlier, "pr_1");
    const std::uint64_t forgotten = rollBackSome();
    EXPECT_THAT(read(), IsEmpty());
    PostgresServer::instance().restart();
    shop_->maintain();
    const auto later = enqueueOn("pr_1");
    isGivenAgain = transactionOf(later) <= forgotten;
    EXPECT_THAT(read(), ElementsAre(later));
    shop_->restart();
    EXPECT_THAT(read(), ElementsAre(later));
    decide(later, "pr_1");
  }
  EXPECT_TRUE(isGivenAgain);
}

// ---- A failed statement, such as one that takes too long

TEST_F(ServerTrouble, LosesNoHeadAfterACanceledReportIfItsDescriptionFails) {
  const auto inAnHour =
      std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now()) + std::chrono::hours{1};
  const auto canceled = enqueueOn("pr_1", {.notBefore = inAnHour});
  const auto next = enqueueOn("pr_1");
  for (int i = 0; i < 2; ++i)
    EXPECT_THAT(read(), IsEmpty());
  const std::vector requests{store_->ask("cancel", canceled, "")};
  rename("describe", "describe_");
  EXPECT_THROW((void)shop_->carryOut(requests), OutboxError);
  rename("describe_", "describe");
  (void)shop_->read(0, 0);  // as while the domain is paused
  shop_->maintain();
  shop_->restart();
  EXPECT_THAT(read(), ElementsAre(next));
}

TEST_F(ServerTrouble, LosesNoHeadAfterAnOutcomeIfItsDescriptionFails) {
  const auto first = enqueueOn("pr_1");
  const auto next = enqueueOn("pr_1");
  EXPECT_THAT(read(), ElementsAre(first));
  (void)shop_->write({.intents = {{.report = first}}});
  EXPECT_THAT(read(), IsEmpty());
  rename("describe", "describe_");
  EXPECT_THROW(decide(first, "pr_1"), OutboxError);
  rename("describe_", "describe");
  shop_->maintain();
  EXPECT_THAT(read(), ElementsAre(next));
}

// ---- Reports that can't be sent

/// In a database that counts the reports that a scan looks at.
class CountedScan : public ServerTrouble {
 protected:
  void SetUp() override {
    ServerTrouble::SetUp();
    if (!session_) return;
    rename("head_for", "head_for_");
    session_->run(
        "CREATE SEQUENCE tally.looked_at; CREATE FUNCTION tally.head_for(report bigint, prev bigint, "
        "priority "
        "smallint, domain text, object text) RETURNS bigint LANGUAGE plpgsql AS $$ BEGIN"
        " PERFORM nextval('tally.looked_at'); RETURN tally.head_for_(report, prev, priority, domain, object);"
        " END $$");
  }
  void TearDown() override {
    if (!session_) return;
    session_->run("DROP FUNCTION tally.head_for; DROP SEQUENCE tally.looked_at");
    rename("head_for_", "head_for");
  }

  [[nodiscard]] std::string looksInAPoll() const {
    session_->run("SELECT setval('tally.looked_at', 1, false)");
    EXPECT_THAT(read(), IsEmpty());
    return session_->value("SELECT nextval('tally.looked_at') - 1");
  }
  [[nodiscard]] std::string lastMark() const {
    return session_->value("SELECT max(xmin::text) FROM tally.settled");
  }
};

TEST_F(CountedScan, EndsForReportsBehindAParkedOneEvenInAnIdleDomain) {
  const auto parked = enqueueOn("pr_1");
  EXPECT_THAT(read(), ElementsAre(parked));
  (void)shop_->write({.parkings = {{.report = parked, .reason = "why"}}});
  for (int maintained = 0; maintained < 3; ++maintained) {
    EXPECT_THAT(read(), IsEmpty());
    shop_->maintain();
  }
  const std::string idle = lastMark();
  for (const auto priority : {ReportPriority::normal, ReportPriority::low})
    for (int reports = 0; reports < 3; ++reports)
      enqueueOn("pr_1", {.priority = priority});
  EXPECT_EQ(looksInAPoll(), "6");
  shop_->maintain();
  (void)read();
  EXPECT_EQ(looksInAPoll(), "0");
  const std::string settled = lastMark();
  EXPECT_NE(settled, idle);
  shop_->maintain();
  EXPECT_EQ(lastMark(), settled);
}

}  // namespace
}  // namespace tally::test

#include "postgres/postgres_store.h"

#include <algorithm>
#include <future>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "outbox/postgres/pg_bouncer.h"
#include "outbox/postgres_database.h"
#include "outbox/postgres_server.h"
#include "outbox/store_contract.h"
#include "postgres/postgres_session.h"

namespace tally::test {
namespace {

/// A database of its own. Its clock can't be moved, so times in the tables are moved instead.
class PostgresUnderTest final : public StoreUnderTest {
 public:
  /// `pooled`: the store reaches it through a pooler.
  explicit PostgresUnderTest(bool pooled = false)
      : url_(PostgresServer::instance().urlOfEmptyOutbox()),
        session_(url_),
        store_(pooled ? PgBouncer::instance().url("outbox") : url_) {}

  [[nodiscard]] detail::OutboxStore& store() override { return store_; }
  [[nodiscard]] std::chrono::sys_seconds now() override {
    return std::chrono::sys_seconds{std::chrono::seconds{
        std::stoll(session_.value("SELECT floor(extract(epoch FROM clock_timestamp()))"))}};
  }
  void advance(std::chrono::seconds time) override {
    const std::string earlier = " - interval '" + std::to_string(time.count()) + " s'";
    session_.run("UPDATE tally.report SET not_before = not_before" + earlier +
                 "; UPDATE tally.deferred SET due = due" + earlier + ", put_off_at = put_off_at" + earlier +
                 "; UPDATE tally.suspect SET due = due" + earlier +
                 "; UPDATE tally.outcome SET decided_at = decided_at" + earlier +
                 "; UPDATE tally.report SET enqueued_at = enqueued_at" + earlier);
  }
  [[nodiscard]] std::string outcomeOf(std::uint64_t report) override {
    const auto found = session_.run("SELECT outcome || ': ' || reason FROM tally.outcome WHERE report = " +
                                    std::to_string(report));
    return found.empty() ? std::string{} : found.front();
  }
  [[nodiscard]] std::string answerTo(std::uint64_t request) override {
    return session_.value("SELECT coalesce(answer, '') FROM tally.request WHERE id = " +
                          std::to_string(request));
  }
  [[nodiscard]] std::vector<std::string> lateFindings() override {
    return session_.run("SELECT report || ': ' || finding FROM tally.late ORDER BY written_at, report");
  }

 private:
  std::string url_;
  Session session_;
  detail::PostgresStore store_;
};

const StoreKind postgres{.name = "PostgreSQL",
                         .tellsAtOnce = false,
                         .repeatsRechecks = true,
                         .traces = 6,
                         .make = []() -> std::unique_ptr<StoreUnderTest> {
                           if (!PostgresServer::isInstalled()) return nullptr;
                           return std::make_unique<PostgresUnderTest>();
                         }};

INSTANTIATE_TEST_SUITE_P(Postgres, StoredReports, testing::Values(postgres), nameOfStore);
INSTANTIATE_TEST_SUITE_P(Postgres, Heads, testing::Values(postgres), nameOfStore);
INSTANTIATE_TEST_SUITE_P(Postgres, Decisions, testing::Values(postgres), nameOfStore);
INSTANTIATE_TEST_SUITE_P(Postgres, StoredRequests, testing::Values(postgres), nameOfStore);
INSTANTIATE_TEST_SUITE_P(Postgres, Workers, testing::Values(postgres), nameOfStore);
INSTANTIATE_TEST_SUITE_P(Postgres, Traces, testing::Values(postgres), nameOfStore);
INSTANTIATE_TEST_SUITE_P(Postgres, ManyWorkers, testing::Values(postgres), nameOfStore);

// What each statement of a worker needs, on whichever connection is free.
const StoreKind pooled{
    .name = "PgBouncer", .tellsAtOnce = false, .make = []() -> std::unique_ptr<StoreUnderTest> {
      if (!PgBouncer::isInstalled()) return nullptr;
      return std::make_unique<PostgresUnderTest>(true);
    }};

INSTANTIATE_TEST_SUITE_P(PgBouncer, StoredRequests, testing::Values(pooled), nameOfStore);
INSTANTIATE_TEST_SUITE_P(PgBouncer, Workers, testing::Values(pooled), nameOfStore);
INSTANTIATE_TEST_SUITE_P(PgBouncer, ManyWorkers, testing::Values(pooled), nameOfStore);

/// A store in PostgreSQL. The tests set its clock back.
class PostgresStoreWithItsClockSetBack : public StoreContract {};
INSTANTIATE_TEST_SUITE_P(Postgres, PostgresStoreWithItsClockSetBack, testing::Values(postgres), nameOfStore);

TEST_P(PostgresStoreWithItsClockSetBack, DefersAReportForNoLongerThanItsDelay) {
  const auto head = enqueue("pr_1");
  (void)read();
  (void)domain_->write({.deferrals = {{.report = head, .delay = std::chrono::seconds{60}}}});
  tested_->advance(-std::chrono::hours{1});
  domain_->maintain();
  EXPECT_THAT(read(), testing::IsEmpty());
  tested_->advance(std::chrono::seconds{61});
  EXPECT_THAT(read(), testing::ElementsAre(head));
}

TEST_P(PostgresStoreWithItsClockSetBack, SendsNoReportBeforeItsTime) {
  enqueue("pr_1", {}, {.notBefore = inSeconds(60)});
  EXPECT_THAT(read(), testing::IsEmpty());
  tested_->advance(-std::chrono::hours{1});
  domain_->maintain();
  tested_->advance(std::chrono::seconds{61});
  EXPECT_THAT(read(), testing::IsEmpty());
}

TEST_P(PostgresStoreWithItsClockSetBack, KeepsAReportReadyIfItWasReleasedOrIsNextOnItsObject) {
  const auto first = enqueue("pr_1");
  const auto next = enqueue("pr_1");
  const auto future = enqueue("pr_2", {}, {.notBefore = inSeconds(60)});
  EXPECT_THAT(read(), testing::ElementsAre(first));
  domain_->maintain();
  EXPECT_THAT(decide(first, "pr_1"), testing::ElementsAre(next));
  EXPECT_EQ(carriedOut("release", future), "released");
  tested_->advance(-std::chrono::hours{1});
  domain_->maintain();
  domain_->restart();
  EXPECT_THAT(read(), testing::ElementsAre(next, future));
}

/// A person changes a domain in a transaction that stays open.
class DomainInATransaction : public MigratedOutboxTest {
 protected:
  [[nodiscard]] static std::unique_ptr<detail::WorkerStore> enroll(detail::PostgresStore& store) {
    return store.enroll({.host = "host", .process = 1, .domains = {"shop"}});
  }

  static inline const std::string pauses = "BEGIN; SELECT tally.pause('shop', 'why')";
};

TEST_F(DomainInATransaction, DelaysNoHeartbeats) {
  detail::PostgresStore store{url() + " options='-c statement_timeout=5s'"};
  const auto owner = enroll(store);
  const auto other = enroll(store);
  ASSERT_NE(owner->claim("shop"), nullptr);
  const Session person = connect();
  person.run(pauses);
  const detail::Peer silent = other->beat().value().peers.at(0);
  EXPECT_FALSE(other->declareDead(silent));
  owner->giveUp("shop");
  EXPECT_THAT(owner->beat().value().owned, testing::ElementsAre("shop"));
  EXPECT_THAT(errorOf([&] { owner->depart(); }), testing::HasSubstr("lock timeout"));
  person.run("ROLLBACK");
  EXPECT_TRUE(other->declareDead(other->beat().value().peers.at(0)));
  person.run(pauses);
  EXPECT_EQ(other->claim("shop"), nullptr);
  person.run("ROLLBACK");
  EXPECT_NE(other->claim("shop"), nullptr);
}

TEST_F(DomainInATransaction, DelaysNoTakeoverOfOtherDomains) {
  detail::PostgresStore store{url() + " options='-c statement_timeout=5s'"};
  const std::vector<std::string> domains{"market", "shop"};
  const auto owner = store.enroll({.host = "host", .process = 1, .domains = domains});
  const auto other = store.enroll({.host = "host", .process = 2, .domains = domains});
  ASSERT_TRUE(owner->beat());
  const auto shop = owner->claim("shop");
  const auto market = owner->claim("market");
  const Session person = connect();
  person.run(pauses);
  const auto peer = [&] { return other->beat().value().peers.at(0); };
  EXPECT_FALSE(other->declareDead(peer()));
  EXPECT_THAT(other->beat().value().unowned, testing::ElementsAre("market"));
  EXPECT_NE(other->claim("market"), nullptr);
  EXPECT_THROW((void)market->write({}), detail::SessionOver);
  EXPECT_THAT(shop->write({}), testing::IsEmpty());  // nobody else owns it
  EXPECT_EQ(owner->beat(), std::nullopt);
  EXPECT_FALSE(other->declareDead(peer()));
  person.run("ROLLBACK");
  EXPECT_TRUE(other->declareDead(peer()));
  EXPECT_THROW((void)shop->write({}), detail::SessionOver);
  EXPECT_NE(other->claim("shop"), nullptr);
}

TEST_F(DomainInATransaction, EndsNoWorkerWhoseHeartbeatArrivesMeanwhile) {
  detail::PostgresStore store{url()};
  const auto owner = enroll(store);
  ASSERT_TRUE(owner->beat());
  ASSERT_NE(owner->claim("shop"), nullptr);
  EXPECT_EQ(session_->value("SELECT tally.disown_free_domains('" + owner->incarnation() + "', 0)"), "f");
  EXPECT_THAT(owner->beat().value().owned, testing::ElementsAre("shop"));
}

TEST_F(DomainInATransaction, DelaysNoNewWorker) {
  detail::PostgresStore store{url() + " options='-c statement_timeout=5s'"};
  enroll(store)->depart();
  const Session person = connect();
  person.run(pauses);
  const Session application = connect();
  application.run("BEGIN");
  ASSERT_TRUE(enqueue(application, "new", failedReport("pr_1")));
  const auto worker = store.enroll({.host = "host", .process = 1, .domains = {"new", "shop"}});
  EXPECT_THAT(worker->beat().value().unowned, testing::ElementsAre("shop"));
  application.run("ROLLBACK");
  ASSERT_TRUE(enqueue(application, "new", failedReport("pr_1")));
  EXPECT_THAT(worker->beat().value().unowned, testing::ElementsAre("new", "shop"));
}

class RenewedSession : public MigratedOutboxTest {};

/// Locking the row of the domain makes the log longer.
TEST_F(RenewedSession, IsRefusedIfTheLogLacksOneByte) {
  detail::PostgresStore store{url()};
  const auto worker = store.enroll({.host = "host", .process = 1, .domains = {"shop"}});
  ASSERT_NE(worker->claim("shop"), nullptr);
  const std::string renew =
      "SELECT tally.renew('shop', '" + worker->incarnation() + "', pg_current_wal_insert_lsn() + ";
  EXPECT_NE(session_->value(renew + "0)"), "NULL");
  EXPECT_EQ(session_->value(renew + "1)"), "NULL");
}

/// Settings that a role or a database may have.
class SettingsOfARole : public MigratedOutboxTest {};

TEST_F(SettingsOfARole, DoNotTurnMissingKeysAccountsAndObjectsIntoText) {
  detail::PostgresStore store{url() + " options='-c array_nulls=off'"};
  ASSERT_TRUE(store.enqueueAll("shop", std::vector{failedReport("pr_1"), failedReport("pr_2")}, {}));
  EXPECT_EQ(session_->value("SELECT count(DISTINCT key) FROM tally.report WHERE account = ''"), "2");
  const auto worker = store.enroll({.host = "host", .process = 1, .domains = {"shop"}});
  const auto domain = worker->claim("shop");
  const auto heads = domain->read(10, 10).heads;
  ASSERT_THAT(heads, testing::SizeIs(2));
  (void)domain->write({.intents = {{.report = heads[0].id, .before = ""}}});
  EXPECT_EQ(session_->value("SELECT before IS NULL FROM tally.intent"), "t");
}

TEST_F(SettingsOfARole, DoNotRoundTheTimeOfAReport) {
  detail::PostgresStore store{url() + " options='-c extra_float_digits=-15'"};
  session_->run(
      R"(SELECT tally.enqueue('shop', '{"id":"pr_1","outcome":"failed","time":1}', NULL, now() + '94000 s'))");
  const auto worker = store.enroll({.host = "host", .process = 1, .domains = {"shop"}});
  EXPECT_THAT(worker->claim("shop")->read(10, 10).heads, testing::IsEmpty());
  EXPECT_EQ(session_->value("SELECT d.due - r.not_before BETWEEN '0 s' AND '60 s'"
                            "  FROM tally.deferred d JOIN tally.report r ON r.id = d.report"),
            "t");
}

TEST_F(SettingsOfARole, AllowAWorkerWhoseConnectionWasClosedToStop) {
  detail::PostgresStore store{url() + " application_name=worker"};
  const auto worker = store.enroll({.host = "host", .process = 1, .domains = {"shop"}});
  session_->run(
      "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE application_name = 'worker'");
  worker->depart();
  EXPECT_EQ(session_->value("SELECT count(*) FROM tally.worker"), "0");
}

/// A dump of another server has the numbers of its transactions.
class RestoredReports : public MigratedOutboxTest {
 protected:
  /// The heads of `polls` polls, each of at most two.
  std::vector<std::uint64_t> readOnAnotherServer(int polls) {
    session_->run(
        "UPDATE tally.domain SET identity = 'another';"
        "UPDATE tally.report SET xid = (xid::text::bigint + 1000000000)::text::xid8");
    detail::PostgresStore store{url()};
    const auto worker = store.enroll({.host = "host", .process = 1, .domains = {"shop"}});
    const auto domain = worker->claim("shop");
    std::vector<std::uint64_t> found;
    for (int poll = 0; poll < polls; ++poll)
      std::ranges::copy(numbersOf(domain->read(2, 2).heads), std::back_inserter(found));
    return found;
  }
};

TEST_F(RestoredReports, AreReadIfMoreThanAPageBeforeThemWaitsForItsTime) {
  for (const std::string object : {"pr_1", "pr_2", "pr_3"})
    session_->run("SELECT tally.enqueue('shop', '{\"id\":\"" + object +
                  R"(","outcome":"failed","time":1}', NULL, now() + '1 day'))");
  ASSERT_TRUE(enqueue(*session_, "shop", failedReport("pr_4")));
  ASSERT_TRUE(enqueue(*session_, "shop", failedReport("pr_5"), {.priority = ReportPriority::low}));
  EXPECT_THAT(readOnAnotherServer(4), testing::UnorderedElementsAre(4, 5));
}

TEST_F(RestoredReports, AreNotReadAgainByEachPollOnceTheyAreDecided) {
  ASSERT_TRUE(enqueue(*session_, "shop", failedReport("pr_1")));
  session_->run("INSERT INTO tally.outcome VALUES (1, 'shop', 'applied', '', gen_random_uuid())");
  EXPECT_THAT(readOnAnotherServer(1), testing::IsEmpty());
  EXPECT_EQ(session_->value("SELECT xid < pg_snapshot_xmax(pg_current_snapshot()) FROM tally.report"), "t");
}

/// Logical replication copies tables, but no sequences.
TEST_F(RestoredReports, MayAllHaveBeenSentAlthoughTheirNumbersAreGivenAgain) {
  ASSERT_TRUE(enqueue(*session_, "shop", failedReport("pr_1")));
  ASSERT_TRUE(enqueue(*session_, "shop", failedReport("pr_2")));
  session_->run("ALTER SEQUENCE tally.report_id RESTART");
  EXPECT_THAT(readOnAnotherServer(1), testing::ElementsAre(1, 2));
  EXPECT_EQ(session_->value("SELECT count(*) FROM tally.report WHERE tally.may_have_been_sent(id)"), "2");
  EXPECT_TRUE(enqueue(*session_, "shop", failedReport("pr_3")));
}

class LateCommit : public MigratedOutboxTest {};

/// Its transaction has a lower number than those of reports that have been read.
TEST_F(LateCommit, IsReadAfterAFullPageOfLaterReports) {
  detail::PostgresStore store{url()};
  const auto worker = store.enroll({.host = "host", .process = 1, .domains = {"shop"}});
  const auto domain = worker->claim("shop");
  const auto read = [&] { return numbersOf(domain->read(1, 1).heads); };
  EXPECT_THAT(read(), testing::IsEmpty());
  const Session application = connect();
  application.run("BEGIN");
  ASSERT_TRUE(enqueue(application, "shop", failedReport("pr_1")));
  ASSERT_TRUE(enqueue(*session_, "shop", failedReport("pr_2")));
  EXPECT_THAT(read(), testing::ElementsAre(2));
  EXPECT_THAT(read(), testing::IsEmpty());
  application.run("COMMIT");
  EXPECT_THAT(read(), testing::ElementsAre(1));
}

class NotifyingStore : public MigratedOutboxTest {};

TEST_F(NotifyingStore, TellsAListenerWhichDomainHasAReport) {
  session_->run("UPDATE tally.schema SET notifies = true");
  detail::PostgresStore store{url() + " application_name=listener"};
  std::promise<std::string> told;
  const auto listening = store.listen([&](std::string_view domain) { told.set_value(std::string{domain}); });
  ASSERT_NE(listening, nullptr);
  const std::string isListening =
      "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'listener' AND state = 'idle' AND "
      "query = "
      "'LISTEN tally'";
  while (session_->value(isListening) == "0")
    std::this_thread::yield();
  ASSERT_TRUE(enqueue(*session_, "shop", failedReport("pr_1")));
  EXPECT_EQ(told.get_future().get(), "shop");
}

using NewDatabase = OutboxTest;

TEST_F(NewDatabase, MustFirstBeMigrated) {
  detail::PostgresStore store{url()};
  const auto needsMigration =
      testing::HasSubstr("does not exist. The database must first be migrated by this version");
  EXPECT_THAT(errorOf([&] { (void)store.status(); }), needsMigration);
  EXPECT_THAT(errorOf([&] { (void)store.lackOfDurability(); }), needsMigration);
  EXPECT_THAT(errorOf([&] { store.pause("shop", "why"); }), needsMigration);
  EXPECT_THAT(errorOf([&] { (void)enqueue(*session_, "shop", failedReport("pr_1")); }), needsMigration);
}

TEST_F(SettingsOfARole, ExplainReadOnlyTransactions) {
  detail::PostgresStore store{url() + " options='-c default_transaction_read_only=on'"};
  EXPECT_THAT(errorOf([&] { (void)store.enqueueAll("shop", std::vector{failedReport("pr_1")}, {}); }),
              testing::HasSubstr("The server is a standby, or default_transaction_read_only is on"));
}

/// The server of the tests can lose commits.
TEST_F(SettingsOfARole, PreventAWorkerFromClaimingADomainIfCommitsCanBeLost) {
  detail::PostgresStore store{url()};
  const auto careful = store.enroll({.host = "host", .domains = {"shop"}, .refusesLoss = true});
  EXPECT_THAT(errorOf([&] { (void)careful->claim("shop"); }),
              testing::HasSubstr("may lose commits when the power fails: fsync is off"));
  EXPECT_NE(store.enroll({.host = "host", .domains = {"shop"}})->claim("shop"), nullptr);
}

TEST_F(SettingsOfARole, SuggestARightIfThereIsNone) {
  session_->run("CREATE ROLE shop_guest LOGIN");
  detail::PostgresStore store{url("shop_guest")};
  EXPECT_THAT(errorOf([&] { (void)store.status(); }),
              testing::HasSubstr("SELECT tally.allow('shop_guest', 'read')"));
  session_->run("DROP ROLE shop_guest");
}

std::string settingOf(PGconn* connection, std::string_view keyword) {
  const std::unique_ptr<PQconninfoOption, decltype(&PQconninfoFree)> settings{PQconninfo(connection),
                                                                              &PQconninfoFree};
  for (const PQconninfoOption* one = settings.get(); one->keyword != nullptr; ++one)
    if (one->keyword == keyword) return one->val == nullptr ? "" : one->val;
  return {};
}

TEST(PostgresSession, LetsTheConnectionStringSetTheConnectTimeoutButNotTheEncoding) {
  if (!PostgresServer::isInstalled()) GTEST_SKIP() << "PostgreSQL is not installed";
  const std::string url = PostgresServer::instance().urlOfEmptyOutbox();
  detail::PostgresSession plain{url};
  EXPECT_EQ(settingOf(plain.connection(), "connect_timeout"), "5");
  detail::PostgresSession own{url + " connect_timeout=30 client_encoding=LATIN1"};
  EXPECT_EQ(settingOf(own.connection(), "connect_timeout"), "30");
  EXPECT_EQ(settingOf(own.connection(), "client_encoding"), "UTF8");
}

/// With the interval of Linux, 75 seconds, it would notice after 80 seconds.
TEST(PostgresSession, NoticesWithinSecondsThatTheServerHasGoneSilent) {
  if (!PostgresServer::isInstalled()) GTEST_SKIP() << "PostgreSQL is not installed";
  detail::PostgresSession session{PostgresServer::instance().urlOfEmptyOutbox()};
  EXPECT_EQ(settingOf(session.connection(), "keepalives_idle"), "5");
  EXPECT_EQ(settingOf(session.connection(), "keepalives_interval"), "5");
  EXPECT_EQ(settingOf(session.connection(), "tcp_user_timeout"), "10000");
}

TEST(PostgresSession, RepeatsAStatementThatIsRolledBackBecauseOfOtherTransactions) {
  if (!PostgresServer::isInstalled()) GTEST_SKIP() << "PostgreSQL is not installed";
  const std::string url = PostgresServer::instance().urlOfNewDatabase();
  Session{url}.run(
      "CREATE SEQUENCE attempts; CREATE FUNCTION third(state text) RETURNS bigint LANGUAGE plpgsql AS $$"
      " BEGIN IF nextval('attempts') % 3 <> 0 THEN RAISE EXCEPTION USING ERRCODE = state; END IF;"
      " RETURN currval('attempts'); END $$; CREATE FUNCTION never() RETURNS bigint LANGUAGE plpgsql AS $$"
      " BEGIN RAISE serialization_failure; END $$");
  detail::PostgresSession session{url};
  EXPECT_EQ(session.query("SELECT third('40001')", {}).text(0, 0), "3");  // serialization_failure
  EXPECT_EQ(session.query("SELECT third('40P01')", {}).text(0, 0), "6");  // deadlock_detected
  EXPECT_THROW((void)session.query("SELECT third('22012')", {}), OutboxError);
  EXPECT_THROW((void)session.query("SELECT never()", {}), OutboxError);
}

/// Another server may have the address by now, or the connection string may name one that is no standby.
TEST(PostgresSession, ConnectsAgainAfterAStandbyHasRefusedAStatement) {
  if (!PostgresServer::isInstalled()) GTEST_SKIP() << "PostgreSQL is not installed";
  const std::string url = PostgresServer::instance().urlOfNewDatabase();
  Session{url}.run(
      "CREATE FUNCTION fail(state text) RETURNS void LANGUAGE plpgsql AS $$"
      " BEGIN RAISE EXCEPTION USING ERRCODE = state; END $$");
  detail::PostgresSession session{url};
  for (const std::string state : {"25006", "55000"}) {  // for what writes, and for functions of the log
    const int process = PQbackendPID(session.connection());
    EXPECT_THROW((void)session.query("SELECT fail($1)", {state}), OutboxError);
    EXPECT_NE(PQbackendPID(session.connection()), process) << state;
  }
  const int process = PQbackendPID(session.connection());
  EXPECT_THROW((void)session.query("SELECT fail('22012')", {}), OutboxError);
  EXPECT_EQ(PQbackendPID(session.connection()), process);
}

/// A transaction with stricter isolation fails as long as the other one has not ended, which takes a few
/// milliseconds.
TEST(PostgresSession, RepeatsAStatementForLongerThanACommitTakes) {
  if (!PostgresServer::isInstalled()) GTEST_SKIP() << "PostgreSQL is not installed";
  detail::PostgresSession session{PostgresServer::instance().urlOfNewDatabase()};
  (void)session.query(
      "CREATE FUNCTION conflict_until(until timestamptz) RETURNS bigint LANGUAGE plpgsql AS $$"
      " BEGIN IF clock_timestamp() < until THEN RAISE serialization_failure; END IF; RETURN 1; END $$",
      {});
  const std::string soon{session.query("SELECT clock_timestamp() + '50 ms'", {}).text(0, 0)};
  EXPECT_EQ(session.query("SELECT conflict_until($1)", {soon}).text(0, 0), "1");
}

}  // namespace
}  // namespace tally::test

#include <chrono>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "postgres/schema_change.h"
#include "postgres_database.h"
#include "postgres_server.h"

namespace tally::test {
namespace {

using testing::Each;
using testing::HasSubstr;

class MigrateOutbox : public OutboxTest {};

std::string problemOf(PGconn* connection) {
  try {
    migrateOutbox(connection);
  } catch (const OutboxError& error) {
    return error.what();
  }
  return {};
}

TEST_F(MigrateOutbox, KeepsReportsWhenRepeated) {
  migrateOutbox(*session_);
  ASSERT_TRUE(enqueue(*session_, "shop", failedReport("pr_1")));
  migrateOutbox(*session_);
  EXPECT_EQ(session_->value("SELECT object FROM tally.report"), "pr_1");
}

/// The problems of several connections on which `before` was executed.
std::vector<std::string> problemsOfMany(const std::string& url, const std::string& before) {
  std::vector<std::jthread> processes;
  std::vector<std::string> problems(4);
  for (std::string& problem : problems)
    processes.emplace_back([&] {
      const Session own{url};
      own.run(before);
      problem = problemOf(own);
    });
  processes.clear();
  return problems;
}

TEST_F(MigrateOutbox, CanRunOnSeveralConnectionsAtOnce) {
  EXPECT_THAT(problemsOfMany(url(), ""), Each(""));
  EXPECT_EQ(session_->value("SELECT version FROM tally.schema"), "1");
}

TEST_F(MigrateOutbox, CanRunOnSeveralConnectionsWithStricterIsolationByDefault) {
  const std::string strict = "SET default_transaction_isolation = 'serializable'";
  EXPECT_THAT(problemsOfMany(url(), strict), Each(""));
  EXPECT_THAT(problemsOfMany(url(), strict), Each(""));
  EXPECT_EQ(session_->value("SELECT version FROM tally.schema"), "1");
}

TEST_F(MigrateOutbox, RefusesANewerSchemaAndChangesNothing) {
  migrateOutbox(*session_);
  session_->run("UPDATE tally.schema SET version = 2; DELETE FROM tally.report_kind");
  EXPECT_THAT(problemOf(*session_), HasSubstr("has version 2, but this program supports versions up to 1"));
  EXPECT_EQ(session_->value("SELECT count(*) FROM tally.report_kind"), "0");
  EXPECT_EQ(PQtransactionStatus(*session_), PQTRANS_IDLE);
}

TEST_F(MigrateOutbox, RefusesADatabaseThatIsNotInUtf8) {
  for (const std::string encoding : {"latin1", "sql_ascii"}) {
    session_->run("CREATE DATABASE " + encoding + " TEMPLATE template0 ENCODING '" + encoding + "'");
    {
      const Session other{PostgresServer::instance().url(encoding) + " client_encoding=UTF8"};
      EXPECT_THAT(problemOf(other), HasSubstr(", but the outbox needs UTF8"));
      EXPECT_EQ(other.value("SELECT to_regnamespace('tally') IS NULL"), "t");
    }
    session_->run("DROP DATABASE " + encoding);
  }
}

TEST_F(MigrateOutbox, RefusesAnOpenTransaction) {
  session_->run("BEGIN");
  EXPECT_THAT(problemOf(*session_), HasSubstr("is in a transaction"));
}

TEST_F(MigrateOutbox, RequiresOnlyOwnershipOfTheSchema) {
  session_->run(
      "DROP ROLE IF EXISTS only_tally; CREATE ROLE only_tally LOGIN; CREATE SCHEMA tally AUTHORIZATION "
      "only_tally");
  const Session own = connect("only_tally");
  EXPECT_EQ(problemOf(own), "");
  EXPECT_TRUE(enqueue(own, "shop", failedReport("pr_1")));
}

TEST_F(MigrateOutbox, ReportsAMissingRightToCreateTheSchema) {
  session_->run("DROP ROLE IF EXISTS nobody_here; CREATE ROLE nobody_here LOGIN");
  EXPECT_THAT(problemOf(connect("nobody_here")), HasSubstr("permission denied for database"));
}

/// Views lock each other in the order in which they use each other, and a migration in the order of its
/// files.
TEST_F(MigrateOutbox, CausesNoDeadlockWithTransactionsThatReadViews) {
  migrateOutbox(*session_);
  session_->run("BEGIN");
  session_->run("SET LOCAL deadlock_timeout = 700");  // ends in the error, not the migration
  session_->run("SELECT FROM tally.waiting");
  std::string problem;
  std::jthread migration{[&] {
    const Session own = connect();
    problem = problemOf(own);
  }};
  const Session observer = connect();
  while (observer.value("SELECT count(*) FROM pg_locks WHERE NOT granted") == "0")
    std::this_thread::yield();
  EXPECT_THAT(session_->run("SELECT FROM tally.report_state"), testing::IsEmpty());
  session_->run("COMMIT");
  migration.join();
  EXPECT_EQ(problem, "");
}

TEST_F(MigrateOutbox, FailsWithAnExplanationIfAnotherTransactionKeepsALock) {
  migrateOutbox(*session_);
  const Session reader = connect();
  reader.run("BEGIN");
  reader.run("SELECT FROM tally.waiting");
  detail::PostgresConnection connection{*session_};
  const auto drop = [&] { connection.execute("DROP VIEW tally.waiting CASCADE"); };
  try {
    detail::changeSchema(connection, drop, std::chrono::milliseconds{0});
    FAIL() << "it takes the lock of another transaction";
  } catch (const OutboxError& error) {
    EXPECT_THAT(error.what(), HasSubstr("another transaction still uses the schema tally"));
  }
  EXPECT_EQ(PQtransactionStatus(*session_), PQTRANS_IDLE);
}

/// If sequential scans are off, reading a small table has such a high cost that PostgreSQL compiles the
/// statement, which takes up to seconds.
TEST_F(MigrateOutbox, DisablesJitInFunctionsWithoutSequentialScans) {
  migrateOutbox(*session_);
  EXPECT_THAT(session_->run("SELECT proname FROM pg_proc WHERE pronamespace = 'tally'::regnamespace"
                            "   AND 'enable_seqscan=off' = ANY (proconfig) AND 'jit=off' <> ALL (proconfig)"),
              testing::IsEmpty());
}

/// People of a team migrate in turn. A superuser may do it for an owner with few rights.
TEST_F(MigrateOutbox, LeavesTheOutboxToTheOwnerOfTheSchema) {
  session_->run(
      "CREATE ROLE outbox_team; CREATE ROLE first_member LOGIN IN ROLE outbox_team;"
      "CREATE ROLE other_member LOGIN IN ROLE outbox_team; CREATE SCHEMA tally AUTHORIZATION outbox_team");
  EXPECT_EQ(problemOf(connect("first_member")), "");
  EXPECT_EQ(problemOf(connect("other_member")), "");
  EXPECT_EQ(problemOf(*session_), "");
  EXPECT_EQ(session_->value(
                "SELECT string_agg(DISTINCT owner::regrole::text, ' ') FROM ("
                "  SELECT relowner FROM pg_class WHERE relnamespace = 'tally'::regnamespace"
                "  UNION SELECT proowner FROM pg_proc WHERE pronamespace = 'tally'::regnamespace) o (owner)"),
            "outbox_team");
  EXPECT_EQ(session_->value("SELECT current_user"), "owner");
  session_->run("CREATE ROLE stranger LOGIN");
  EXPECT_THAT(problemOf(connect("stranger")), HasSubstr("the schema tally belongs to the role outbox_team"));
  session_->run("DROP OWNED BY outbox_team; DROP ROLE first_member, other_member, outbox_team, stranger");
}

/// A version that knows more reports may run beside this one.
TEST_F(MigrateOutbox, KeepsUnknownKindsOfReports) {
  migrateOutbox(*session_);
  session_->run("INSERT INTO tally.report_kind VALUES ('zz_', '^zz_.', 'lost', true, true, true, NULL)");
  migrateOutbox(*session_);
  EXPECT_EQ(session_->value("SELECT count(*) FROM tally.report_kind WHERE id_prefix = 'zz_'"), "1");
}

}  // namespace
}  // namespace tally::test

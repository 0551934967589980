#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "postgres_database.h"

namespace tally::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// Report 1 of pr_1 is refused, 2 waits behind it for 3; 4 waits on pr_2.
class SqlInterface : public MigratedOutboxTest {
 protected:
  void SetUp() override {
    MigratedOutboxTest::SetUp();
    if (session_ == nullptr) return;
    for (const char* const id : {"pr_1", "pr_1", "pr_1", "pr_2"})
      ASSERT_TRUE(enqueue(*session_, "shop", failedReport(id)));
    decide(1, "refused");
  }

  void decide(int report, const std::string& outcome) const {
    session_->run("INSERT INTO tally.outcome SELECT id, domain, '" + outcome +
                  "', 'why', gen_random_uuid() FROM tally.report WHERE id = " + std::to_string(report));
  }
  [[nodiscard]] std::string said(const std::string& sql) const { return session_->run(sql).front(); }
};

TEST_F(SqlInterface, RecordsARequestForTheOwnerAndInTheAuditTrail) {
  session_->run("SELECT tally.retry(1, 'ticket 7')");
  EXPECT_THAT(session_->run("SELECT report, action, asked_by, answer FROM tally.request"),
              ElementsAre("1", "retry", "owner", "NULL"));
  EXPECT_THAT(session_->run("SELECT action, domain, report, role_name, note FROM tally.audited"),
              ElementsAre("retry", "shop", "1", "owner", "ticket 7"));
}

TEST_F(SqlInterface, RefusesARequestThatTheStateOfTheReportForbids) {
  EXPECT_EQ(said("SELECT tally.retry(2)"), "55000: tally.retry: report 2 is waiting");
  EXPECT_EQ(said("SELECT tally.cancel(1)"), "55000: tally.cancel: report 1 is refused");
  EXPECT_EQ(said("SELECT tally.release(1)"), "55000: tally.release: report 1 is refused");
  session_->run("INSERT INTO tally.intent VALUES (4, gen_random_uuid(), 'shop')");
  EXPECT_EQ(said("SELECT tally.cancel(4)"), "55000: tally.cancel: report 4 is sent");
  EXPECT_EQ(said("SELECT tally.retry(99)"), "P0002: tally: there is no report 99");
}

TEST_F(SqlInterface, AcceptsRequestsToReleaseOrCancelAParkedReport) {
  session_->run("INSERT INTO tally.parked VALUES (4, 'shop', 'three workers died')");
  EXPECT_THAT(session_->run("SELECT object, state, reason FROM tally.blocked"),
              testing::IsSupersetOf({"pr_2", "parked", "three workers died"}));
  EXPECT_EQ(said("SELECT tally.release(4) > 0"), "t");
  EXPECT_EQ(said("SELECT tally.cancel(4) > 0"), "t");
}

TEST_F(SqlInterface, PausesADomainUntilItIsResumed) {
  session_->run("SELECT tally.pause('shop', 'audit of the year')");
  EXPECT_EQ(session_->value("SELECT reason FROM tally.reports WHERE id = 4"),
            "the domain is paused: audit of the year");
  session_->run("SELECT tally.resume('shop')");
  EXPECT_EQ(session_->value("SELECT reason FROM tally.reports WHERE id = 4"),
            "no worker has the key of the domain");
  EXPECT_EQ(said("SELECT tally.pause('shp', '')"), "P0002: tally: there is no domain 'shp'");
  for (const std::string reason : {"''", "NULL"}) {
    session_->run("SELECT tally.resume('shop'); SELECT tally.pause('shop', " + reason + ")");
    EXPECT_EQ(session_->value("SELECT paused FROM tally.domains"), "no reason given") << reason;
  }
}

TEST_F(SqlInterface, RefusesToEraseUndecidedReports) {
  EXPECT_EQ(said("SELECT tally.erase('shop', 'pr_1')"),
            "55000: tally.erase: report 2 on 'pr_1' is not decided");
  decide(2, "applied");
  decide(3, "applied");
  session_->run("INSERT INTO tally.suspect VALUES ('shop', 'pr_1', now())");
  EXPECT_EQ(said("SELECT tally.erase('shop', 'pr_1')"), "3");
  EXPECT_EQ(session_->value("SELECT count(*) FROM tally.report"), "1");
  EXPECT_EQ(session_->value("SELECT count(*) FROM tally.outcome"), "0");
  EXPECT_EQ(session_->value("SELECT count(*) FROM tally.suspect"), "0");
}

/// A worker owns `shop`.
class OwnedDomain : public SqlInterface {
 protected:
  void SetUp() override {
    SqlInterface::SetUp();
    if (session_ == nullptr) return;
    enroll(owner_);
    session_->run("SELECT tally.claim('shop', " + owner_ + ")");
  }

  void enroll(const std::string& incarnation) const {
    session_->run("SELECT tally.enroll(" + incarnation + ", '15 s', 'host', 1, 1, '{shop}')");
  }

  const std::string owner_ = "'00000000-0000-0000-0000-000000000001'";
  const std::string ownSession_ = "(SELECT session FROM tally.domain)";
  const std::string maintenance_ = "SELECT tally.maintain('shop', " + ownSession_ + ")";
};

/// The plans that PostgreSQL compiles, of statements within the functions that a statement calls.
std::vector<std::string> compiledPlans(const Session& session, const std::string& sql) {
  session.run("LOAD 'auto_explain'");
  session.run(
      "SET auto_explain.log_min_duration = 0; SET auto_explain.log_nested_statements = on;"
      "SET auto_explain.log_analyze = on; SET client_min_messages = log; SET jit = on; SET jit_above_cost = "
      "0");
  std::vector<std::string> plans;
  PQsetNoticeReceiver(
      session,
      [](void* to, const PGresult* notice) {
        static_cast<std::vector<std::string>*>(to)->emplace_back(
            PQresultErrorField(notice, PG_DIAG_MESSAGE_PRIMARY));
      },
      &plans);
  session.run(sql);
  PQsetNoticeReceiver(session, [](void*, const PGresult*) {}, nullptr);
  EXPECT_THAT(plans, testing::Contains(HasSubstr("report_xid")));
  std::erase_if(plans, [&](const std::string& plan) {
    return plan.find("JIT:") == std::string::npos || plan.find("Query Text: " + sql) != std::string::npos;
  });
  return plans;
}

TEST_F(OwnedDomain, IsPolledAndMaintainedWithoutCompiledPlans) {
  const std::string poll = "SELECT 1 FROM tally.poll('shop', " + ownSession_ +
                           ", '{3:3:,3:3:}', '{0,0}', '{0,0}', '{100,100}', 200)";
  for (const std::string& sql : {poll, maintenance_})
    EXPECT_THAT(compiledPlans(*session_, sql), testing::IsEmpty());
}

class RetainedReports : public OwnedDomain {
 protected:
  void SetUp() override {
    OwnedDomain::SetUp();
    if (session_ == nullptr) return;
    session_->run(
        "INSERT INTO tally.report (id, domain, object, prev, key, account, contents, priority)"
        " SELECT n, 'shop', 'pr_x' || n, 0, n, '', '{}', 0 FROM generate_series(101, 40100) n;"
        "INSERT INTO tally.outcome SELECT id, domain, 'applied', '', gen_random_uuid() FROM tally.report"
        " ON CONFLICT DO NOTHING");
    session_->run("ANALYZE tally.report; ANALYZE tally.outcome");
  }

  /// How many pages a statement reads, not counting those of the catalog.
  [[nodiscard]] int pagesReadBy(const std::string& sql) const {
    session_->run(sql);
    const std::string buffers =
        session_->run("EXPLAIN (ANALYZE, BUFFERS, COSTS OFF, TIMING OFF) " + sql).at(1);
    return std::stoi(buffers.substr(buffers.find("hit=") + 4));
  }
};

TEST_F(RetainedReports, AreNotReadToMaintainADomain) {
  const std::string marks = "ARRAY[pg_current_snapshot(), pg_current_snapshot()]";
  session_->run("SELECT tally.settle('shop', " + ownSession_ + ", " + marks + ", " + marks +
                ", '{0,0}', '{0,0}')");
  EXPECT_LT(pagesReadBy(maintenance_), 100);
  EXPECT_EQ(session_->value("SELECT waiting FROM tally.domain"), "0");
}

/// A scan of a large backlog goes on for hours, and does not begin again meanwhile.
TEST_F(RetainedReports, AreNotReadToMaintainOrShowADomainOnceAScanHasPassedThem) {
  session_->run(
      "INSERT INTO tally.settled"
      " SELECT 'shop', 0, '3:3:', pg_current_snapshot(), xid, id FROM tally.report WHERE id = 40100");
  EXPECT_LT(pagesReadBy(maintenance_), 100);
  EXPECT_LT(pagesReadBy("SELECT waiting, oldest FROM tally.domains"), 200);
}

/// Each case is a mark, in numbers of reports, and how many reports wait beyond it. Report 1 is decided.
TEST_F(OwnedDomain, CountsReportsThatAScanHasPassedIfTheirTransactionsWereOpen) {
  const auto first = std::stoull(session_->value("SELECT xid FROM tally.report WHERE id = 1"));
  session_->run("UPDATE tally.report SET xid = (" + std::to_string(first) + " + id - 1)::text::xid8");
  const auto xid = [&](int report) { return std::to_string(first + static_cast<unsigned>(report) - 1); };
  const std::string none = "3:3:";
  const auto allBut = [&](int report) { return xid(report) + ":" + xid(5) + ":" + xid(report); };
  struct Case {
    std::string seen;
    std::string first;
    int report;  // up to which the scan has come; 0: it has not begun
    int id;
    std::string waiting;
  };
  const std::vector<Case> cases{
      {.seen = none, .first = none, .report = 0, .id = 0, .waiting = "3"},
      {.seen = none, .first = xid(5) + ":" + xid(5) + ":", .report = 4, .id = 4, .waiting = "0"},
      {.seen = none, .first = xid(5) + ":" + xid(5) + ":", .report = 3, .id = 3, .waiting = "1"},
      {.seen = none, .first = allBut(2), .report = 4, .id = 4, .waiting = "1"},
      {.seen = allBut(3), .first = none, .report = 0, .id = 0, .waiting = "1"},
      {.seen = none, .first = allBut(3), .report = 3, .id = 3, .waiting = "2"},
      {.seen = none, .first = allBut(3), .report = 3, .id = 2, .waiting = "2"},
  };
  for (const Case& one : cases) {
    SCOPED_TRACE(one.seen + " " + one.first + " " + std::to_string(one.report));
    session_->run("DELETE FROM tally.settled; INSERT INTO tally.settled VALUES ('shop', 0, '" + one.seen +
                  "', '" + one.first + "', '" + (one.report == 0 ? "0" : xid(one.report)) + "', " +
                  std::to_string(one.id) + ")");
    session_->run(maintenance_);
    EXPECT_EQ(session_->value("SELECT waiting FROM tally.domain"), one.waiting);
    EXPECT_EQ(session_->value("SELECT waiting FROM tally.domains"), one.waiting);
    EXPECT_EQ(session_->value("SELECT oldest IS NULL FROM tally.domains"), one.waiting == "0" ? "t" : "f");
  }
}

TEST_F(OwnedDomain, IsMaintainedWithoutWaitingForAnOpenTransactionThatPausesIt) {
  const Session person = connect();
  person.run("BEGIN; SELECT tally.pause('shop', 'why')");
  session_->run("SET statement_timeout = '5s'");
  EXPECT_EQ(said(maintenance_), "t");
  EXPECT_EQ(session_->value("SELECT waiting FROM tally.domain"), "0");
  person.run("ROLLBACK");
  EXPECT_EQ(said(maintenance_), "t");
  EXPECT_EQ(session_->value("SELECT waiting FROM tally.domain"), "3");
}

TEST_F(OwnedDomain, CarriesOutManyRequestsWithoutWaitingForOpenTransactionsEachTime) {
  const std::string reports =
      "array(SELECT jsonb_build_object('id', 'pr_x' || n, 'outcome', 'failed', 'time', 1)"
      " FROM generate_series(1, 40) n)";
  session_->run("SELECT tally.enqueue_all('shop', " + reports +
                "); INSERT INTO tally.outcome SELECT id, domain, 'refused', '', gen_random_uuid()"
                " FROM tally.report WHERE object LIKE 'pr_x%'; SELECT tally.retry(report) FROM tally.failed");
  const Session application = connect();
  application.run("BEGIN; SELECT tally.enqueue_all('shop', " + reports + ")");
  session_->run("SET statement_timeout = '4s'");
  const std::string carryOut = "SELECT 'carried out' FROM tally.carry_out_all('shop', " + ownSession_ +
                               ", array(SELECT id FROM tally.request))";
  EXPECT_EQ(said(carryOut), "carried out");
  EXPECT_EQ(session_->value("SELECT count(*) FROM tally.request WHERE answer IS NULL"), "40");
  application.run("ROLLBACK");
  EXPECT_EQ(said(carryOut), "carried out");
  EXPECT_EQ(session_->value("SELECT count(*) FROM tally.request WHERE answer IS NULL"), "0");
}

/// Another worker, which may have sent report 4, has been declared dead. Report 4 is parked.
class DeathOfAWorker : public OwnedDomain {
 protected:
  void SetUp() override {
    OwnedDomain::SetUp();
    if (session_ == nullptr) return;
    die("'00000000-0000-0000-0000-000000000002'");
    session_->run("INSERT INTO tally.parked VALUES (4, 'shop', 'a worker died')");
  }

  void die(const std::string& incarnation) const {
    enroll(incarnation);
    session_->run("INSERT INTO tally.intent VALUES (4, " + incarnation + ", 'shop')");
    EXPECT_EQ(said("SELECT tally.declare_dead(" + incarnation + ", 0)"), "t");
  }
  void setClockBack() const {
    session_->run(
        "UPDATE tally.dead SET declared_at = declared_at + interval '1 h';"
        "UPDATE tally.request SET answered_at = answered_at + interval '1 h'");
  }
  void release() const {
    session_->run("SELECT tally.release(4)");
    EXPECT_EQ(said("SELECT 'carried out' FROM tally.carry_out_all('shop', " + ownSession_ + ", '{1}')"),
              "carried out");
  }
  [[nodiscard]] std::string deaths() const {
    return session_->value("SELECT deaths FROM tally.describe('shop', " + ownSession_ + ", '{4}')");
  }
};

TEST_F(DeathOfAWorker, IsForgivenOnReleaseEvenIfTheClockIsSetBackInBetween) {
  setClockBack();
  EXPECT_EQ(deaths(), "1");
  release();
  EXPECT_EQ(deaths(), "0");
}

TEST_F(DeathOfAWorker, IsForgivenWhenTheOwnerAnswersTheReleaseEvenIfTheClockIsSetBackInBetween) {
  setClockBack();
  session_->run("SELECT tally.release(4)");
  EXPECT_EQ(said("SELECT tally.answer('shop', " + ownSession_ + ", 1, 'released')"), "t");
  EXPECT_EQ(deaths(), "0");
}

TEST_F(DeathOfAWorker, CountsAfterAReleaseEvenIfTheClockIsSetBack) {
  release();
  setClockBack();
  die("'00000000-0000-0000-0000-000000000003'");
  EXPECT_EQ(deaths(), "1");
}

TEST_F(SqlInterface, CountsFailuresByReason) {
  decide(2, "unknown");
  decide(3, "applied");
  EXPECT_THAT(session_->run("SELECT outcome, reason, reports FROM tally.failed_by_reason ORDER BY 1"),
              ElementsAre("refused", "why", "1", "unknown", "why", "1"));
}

TEST_F(SqlInterface, ExplainsWhyAReportWaits) {
  EXPECT_EQ(session_->value("SELECT reason FROM tally.reports WHERE id = 3"),
            "waits for report 2 on the same object");
  session_->run(
      "INSERT INTO tally.worker VALUES (gen_random_uuid(), 0, '15 s', 'host', 1, 1);"
      "UPDATE tally.domain SET owner = (SELECT incarnation FROM tally.worker);"
      "UPDATE tally.report SET not_before = '2100-01-01Z' WHERE id = 4");
  EXPECT_THAT(session_->value("SELECT reason FROM tally.reports WHERE id = 4"),
              HasSubstr("waits until 2100-01-01"));
  EXPECT_EQ(session_->value("SELECT reason FROM tally.reports WHERE id = 2"), "");
}

TEST_F(SqlInterface, KeepsAnAuditTrailThatCannotBeChanged) {
  session_->run("SELECT tally.retry(1)");
  for (const char* const change :
       {"DELETE FROM tally.audit", "UPDATE tally.audit SET note = ''", "TRUNCATE tally.audit"})
    EXPECT_EQ(said(change), "42501: tally.audit: rows are only added");
}

}  // namespace
}  // namespace tally::test

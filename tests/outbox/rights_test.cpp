#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "postgres/postgres_store.h"
#include "postgres_database.h"
#include "store_contract.h"
#include "worker/membership.h"

namespace tally::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;
using testing::StartsWith;

/// The roles of the server outlive the databases of the tests.
class Rights : public MigratedOutboxTest {
 protected:
  void SetUp() override {
    MigratedOutboxTest::SetUp();
    if (session_ == nullptr) return;
    session_->run("CREATE ROLE shop_web LOGIN");
    session_->run("CREATE ROLE shop_team");
    session_->run("CREATE ROLE shop_person LOGIN IN ROLE shop_team");
    ASSERT_TRUE(enqueue(*session_, "shop", failedReport("pr_1")));
    ASSERT_TRUE(enqueue(*session_, "live", failedReport("pr_2")));
  }
};

TEST_F(Rights, AreNeededToEnqueue) {
  session_->run("SELECT tally.allow('shop_web', 'enqueue', 'shop')");
  const Session web = connect("shop_web");
  EXPECT_TRUE(enqueue(web, "shop", failedReport("pr_1")));
  EXPECT_THAT(web.run(R"(SELECT tally.enqueue('live', '{"id":"pr_1","outcome":"failed","time":1}'))").front(),
              StartsWith("42501: tally: the role shop_web may not enqueue in the domain 'live'"));
  session_->run("SELECT tally.disallow('shop_web', 'enqueue', 'shop')");
  EXPECT_THROW((void)enqueue(web, "shop", failedReport("pr_1")), OutboxError);
}

TEST_F(Rights, ToEnqueueDoNotAllowReading) {
  session_->run("SELECT tally.allow('shop_web', 'enqueue')");
  const Session web = connect("shop_web");
  for (const char* const view : {"reports", "failed", "failed_by_reason", "blocked", "requests", "domains",
                                 "workers", "late_findings", "audited"})
    EXPECT_THAT(web.run("SELECT * FROM tally." + std::string{view}), IsEmpty()) << view;
  for (const char* const table :
       {"report", "report_key", "domain", "worker", "intent", "outcome", "audit", "settled", "deferred",
        "parked", "dead", "late", "request", "privilege", "report_state", "readable"})
    EXPECT_THAT(web.run("SELECT * FROM tally." + std::string{table}).front(), StartsWith("42501")) << table;
}

/// An empty list would say that nothing waits.
TEST_F(Rights, ToEnqueueCauseAnErrorInsteadOfAnEmptyStatus) {
  session_->run("SELECT tally.allow('shop_web', 'enqueue')");
  detail::PostgresStore store{url("shop_web")};
  const std::string problem =
      "tally: there is no domain in which the role shop_web may read. The owner of the schema can grant it: "
      "SELECT tally.allow('shop_web', 'read')";
  EXPECT_EQ(errorOf([&] { (void)store.status(); }), problem);
  EXPECT_EQ(errorOf([&] { (void)store.failed(1); }), problem);
  EXPECT_EQ(errorOf([&] { (void)store.blocked(1); }), problem);
  EXPECT_EQ(errorOf([&] { (void)store.requests(1); }), problem);
  session_->run("SELECT tally.allow('shop_web', 'read', 'shop')");
  EXPECT_THAT(store.failed(1), IsEmpty());
  EXPECT_THAT(store.status(), SizeIs(1));
}

TEST_F(Rights, AreCheckedByEveryPublicFunction) {
  EXPECT_THAT(session_->run("SELECT p.proname FROM pg_proc p"
                            " WHERE p.pronamespace = 'tally'::regnamespace"
                            " AND has_function_privilege('shop_web', p.oid, 'EXECUTE') ORDER BY 1"),
              ElementsAre("answer", "beat", "cancel", "carry_out_all", "claim", "declare_dead", "depart",
                          "describe", "enqueue", "enqueue_all", "enroll", "erase", "give_up",
                          "lack_of_durability", "limit_waiting", "maintain", "may", "miss_commits", "pause",
                          "pause_own", "poll", "release", "remove_decided", "renew", "renumber_restored",
                          "resume", "retry", "settle", "settled_of", "write", "write_late"));
  session_->run(
      "INSERT INTO tally.worker VALUES ('00000000-0000-0000-0000-000000000001', 0, '15 s', 'host', 1, 1, "
      "'{shop}')");
  const Session web = connect("shop_web");
  session_->run("GRANT USAGE ON SCHEMA tally TO shop_web");
  for (const char* const call : {"cancel(1)",
                                 "release(1)",
                                 "retry(1)",
                                 "erase('shop', 'pr_1')",
                                 "limit_waiting('shop', 1)",
                                 "pause('shop', '')",
                                 "resume('shop')",
                                 "remove_decided('shop', '1 h')",
                                 "enqueue('shop', '{}')",
                                 "enqueue_all('shop', '{}')",
                                 "enroll(gen_random_uuid(), '15 s', 'host', 1, 1, '{shop}')",
                                 "beat('00000000-0000-0000-0000-000000000001')",
                                 "declare_dead('00000000-0000-0000-0000-000000000001', 0)",
                                 "depart('00000000-0000-0000-0000-000000000001')",
                                 "claim('shop', '00000000-0000-0000-0000-000000000001')",
                                 "give_up('shop', '00000000-0000-0000-0000-000000000001')",
                                 "miss_commits('00000000-0000-0000-0000-000000000001', '{shop}')",
                                 "renew('shop', '00000000-0000-0000-0000-000000000001', NULL)",
                                 "settled_of('shop')",
                                 "write_late('shop', gen_random_uuid(), '{}', '{}')"})
    EXPECT_THAT(web.run("SELECT tally." + std::string{call}).front(),
                StartsWith("42501: tally: the role shop_web may not"))
        << call;
}

TEST_F(Rights, OfAWorkerRequireTheSessionThatOwnsTheDomain) {
  const std::string guess = "'00000000-0000-0000-0000-000000000000'";
  for (const std::string& call :
       {"* FROM tally.poll('shop', " + guess + ", '{3:3:,3:3:}', '{0,0}', '{0,0}', '{9,9}', 9)",
        "* FROM tally.describe('shop', " + guess + ", '{1}')",
        "* FROM tally.write('shop', " + guess +
            ", '{1}', ARRAY[NULL]::text[], '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}')",
        "* FROM tally.carry_out_all('shop', " + guess + ", '{1}')"})
    EXPECT_THAT(session_->run("SELECT " + call), IsEmpty()) << call;
  for (const std::string& call : {"answer('shop', " + guess + ", 1, '')",
                                  "pause_own('shop', " + guess + ", '')", "maintain('shop', " + guess + ")"})
    EXPECT_EQ(session_->value("SELECT tally." + call), "f") << call;
}

/// A worker of a role, on a clock of its own.
class RoleWorker {
 public:
  RoleWorker(const std::string& url, std::vector<std::string> domains)
      : self_(detail::PostgresStore{url}.enroll({.host = "host", .domains = domains})),
        membership_(*self_, lease_, std::chrono::seconds{15}, std::move(domains)) {}

  /// Beats this many seconds later. Returns the domains that the worker then plans to claim.
  std::vector<std::string> beatAfter(int seconds) {
    now_ += std::chrono::seconds{seconds};
    return membership_.beat().claims;
  }

 private:
  Instant now_{std::chrono::seconds{1'000}};
  detail::Lease lease_{[this] { return now_; }};
  std::unique_ptr<detail::WorkerStore> self_;
  detail::Membership membership_;
};

TEST_F(Rights, OfAWorkerSufficeToClaimDomainsAfterAWorkerOfAnotherRoleHasDied) {
  session_->run(
      "SELECT tally.allow('shop_web', 'work', 'shop'); SELECT tally.allow('shop_person', 'work', 'live')");
  RoleWorker living{url("shop_web"), {"shop"}};
  const RoleWorker dead{url("shop_person"), {"live"}};
  EXPECT_THAT(living.beatAfter(0), ElementsAre("shop"));
  for (int beats = 0; beats < 7; ++beats)
    EXPECT_THAT(living.beatAfter(3), ElementsAre("shop"));
  // Only workers of its own role may declare it dead.
  EXPECT_EQ(session_->value("SELECT count(*) FROM tally.worker"), "2");
  RoleWorker successor{url("shop_person"), {"live"}};
  for (int beats = 0; beats < 7; ++beats)
    (void)successor.beatAfter(3);
  EXPECT_EQ(session_->value("SELECT count(*) FROM tally.worker"), "2");
}

TEST_F(Rights, OfAWorkerSufficeToClaimTheOtherDomainsOnceOneIsRevoked) {
  session_->run(
      "SELECT tally.allow('shop_web', 'work', 'shop'); SELECT tally.allow('shop_web', 'work', 'live')");
  RoleWorker worker{url("shop_web"), {"live", "shop"}};
  session_->run("SELECT tally.disallow('shop_web', 'work', 'live')");
  EXPECT_THAT(worker.beatAfter(0), ElementsAre("shop"));
}

/// `shop_web` owns `shop` as a worker. Report 2 is in `live`.
class WorkerRights : public Rights {
 protected:
  void SetUp() override {
    Rights::SetUp();
    if (session_ == nullptr) return;
    session_->run(
        "SELECT tally.allow('shop_web', 'work', 'shop'); SELECT tally.allow('shop_web', 'read', 'shop')");
    worker_ = std::make_unique<Session>(url("shop_web"));
    worker_->run("SELECT tally.enroll(" + incarnation_ + ", '15 s', 'host', 1, 1, '{shop}')");
    owner_ = "'shop', '" + worker_->value("SELECT tally.claim('shop', " + incarnation_ + ")") + "'";
  }

  /// Each is the number of a report, or empty.
  struct Written {
    std::string intended{};
    std::string decided{};
    std::string deferred{};
    std::string parked{};
    std::string noticed{};
  };
  [[nodiscard]] std::vector<std::string> write(const Written& reports) const {
    const auto list = [](const std::string& report, const std::string& value) {
      return ", '{" + (report.empty() ? report : value) + "}'";
    };
    const auto reported = [&](const std::string& report, const std::string& value) {
      return list(report, report) + list(report, value);
    };
    return worker_->run("SELECT 'written' FROM tally.write(" + owner_ + reported(reports.intended, "null") +
                        reported(reports.decided, "pr_2") + list(reports.decided, "applied") +
                        list(reports.decided, "why") + reported(reports.deferred, "60") +
                        reported(reports.parked, "why") + ", '{}', '{}', '{}'" +
                        reported(reports.noticed, "undone") + ")");
  }
  [[nodiscard]] std::string changedRows() const {
    return session_->value(
        "SELECT (SELECT count(*) FROM tally.intent) + (SELECT count(*) FROM tally.outcome)"
        " + (SELECT count(*) FROM tally.deferred) + (SELECT count(*) FROM tally.parked)"
        " + (SELECT count(*) FROM tally.late)");
  }

  const std::string incarnation_ = "'00000000-0000-0000-0000-000000000001'";
  std::unique_ptr<Session> worker_;
  std::string owner_{};  // the first arguments of its calls
};

TEST_F(WorkerRights, RevealNoReportOfAnotherDomain) {
  EXPECT_THAT(worker_->run("SELECT id FROM tally.describe(" + owner_ + ", '{1,2}')"), ElementsAre("1"));
}

TEST_F(WorkerRights, ChangeNoReportOfAnotherDomain) {
  for (const Written& reports : std::vector<Written>{{.intended = "2"},
                                                     {.decided = "2"},
                                                     {.deferred = "2"},
                                                     {.parked = "2"},
                                                     {.noticed = "2"},
                                                     {.intended = "1", .decided = "2"}})
    EXPECT_THAT(write(reports), ElementsAre(StartsWith("42501: tally.write: ")));
  EXPECT_EQ(changedRows(), "0");
  EXPECT_THAT(write({.intended = "1", .decided = "1", .noticed = "1"}), ElementsAre("written"));
  EXPECT_EQ(changedRows(), "3");
}

TEST_F(WorkerRights, ChangeNoReportThatAnotherDomainHasYetToEnqueue) {
  EXPECT_THAT(write({.intended = "3", .decided = "3", .deferred = "3", .parked = "3", .noticed = "3"}),
              ElementsAre("written"));
  EXPECT_EQ(changedRows(), "0");
}

TEST_F(WorkerRights, RecordNoLateFindingAboutAReportOfAnotherDomain) {
  worker_->run("SELECT tally.write_late('shop', " + incarnation_ + ", '{1,2}', '{applied,probe}')");
  EXPECT_THAT(session_->run("SELECT report FROM tally.late"), ElementsAre("1"));
  session_->run("INSERT INTO tally.late VALUES (2, 'shop', gen_random_uuid(), 'probe')");
  EXPECT_THAT(worker_->run("SELECT object FROM tally.late_findings"), ElementsAre("pr_1"));
}

TEST_F(WorkerRights, AnswerNoRequestOfAnotherDomain) {
  session_->run("SELECT tally.cancel(2)");
  EXPECT_THAT(worker_->run("SELECT 'carried out' FROM tally.carry_out_all(" + owner_ + ", '{1}')"),
              ElementsAre("carried out"));
  EXPECT_EQ(worker_->value("SELECT tally.answer(" + owner_ + ", 1, 'forged')"), "t");
  EXPECT_EQ(session_->value("SELECT answer FROM tally.request"), "NULL");
  EXPECT_EQ(changedRows(), "0");
}

TEST_F(Rights, OfARoleApplyToItsMembersOnlyInTheGrantedDomains) {
  session_->run(
      "SELECT tally.allow('shop_team', 'read', 'shop'); SELECT tally.allow('shop_team', 'operate', 'shop')");
  const Session person = connect("shop_person");
  EXPECT_THAT(person.run("SELECT id FROM tally.reports"), SizeIs(1));
  EXPECT_EQ(person.value("SELECT tally.cancel(1) > 0"), "t");
  EXPECT_THAT(person.run("SELECT tally.cancel(2)").front(),
              StartsWith("42501: tally: the role shop_person may not operate"));
  EXPECT_EQ(person.value("SELECT role_name FROM tally.audited WHERE action = 'cancel'"), "shop_person");
  EXPECT_EQ(person.value("SELECT action || ' ' || asked_by FROM tally.requests"), "cancel shop_person");
}

TEST_F(Rights, CanBeGrantedOnlyByTheOwner) {
  session_->run("SELECT tally.allow('shop_web', 'operate')");
  EXPECT_THAT(connect("shop_web").run("SELECT tally.allow('shop_web', 'read')").front(), StartsWith("42501"));
}

TEST_F(Rights, OfADroppedRoleDoNotAffectOtherRoles) {
  session_->run(
      "CREATE ROLE shop_gone; SELECT tally.allow('shop_gone', 'read', 'shop'); DROP OWNED BY shop_gone;"
      "DROP ROLE shop_gone");
  EXPECT_THAT(connect("shop_web").run("SELECT tally.may('read', 'shop')").front(), StartsWith("42501"));
  session_->run("SELECT tally.allow('shop_web', 'read', 'shop')");
  EXPECT_THAT(connect("shop_web").run("SELECT id FROM tally.reports"), SizeIs(1));
}

}  // namespace
}  // namespace tally::test

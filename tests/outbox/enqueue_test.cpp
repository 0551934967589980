#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "postgres_database.h"

namespace tally::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

class Enqueue : public MigratedOutboxTest {
 protected:
  /// Calls the function as an application in another language does.
  [[nodiscard]] std::string inSql(const std::string& report) const {
    return session_->run("SELECT tally.enqueue('shop', '" + report + "')").front();
  }
  [[nodiscard]] std::string chain() const {
    std::string chain;
    for (const auto& text :
         session_->run("SELECT object || ' ' || id || ' after ' || prev FROM tally.report ORDER BY id"))
      chain += text + "; ";
    return chain;
  }
};

TEST_F(Enqueue, IsCommittedOrRolledBackWithItsTransaction) {
  session_->run("BEGIN");
  ASSERT_TRUE(enqueue(*session_, "shop", failedReport("pr_1")));
  session_->run("ROLLBACK; BEGIN");
  ASSERT_TRUE(enqueue(*session_, "shop", failedReport("pr_2")));
  session_->run("COMMIT");
  EXPECT_THAT(session_->run("SELECT object FROM tally.report"), ElementsAre("pr_2"));
}

TEST_F(Enqueue, StoresEveryPartOfAReport) {
  OutboxReport report = failedReport("pr_1", "order-42");
  report.report.metadata.set("order", "4\"2\\").unset("till");
  report.report.attempt = "par_1";
  report.report.reference = "row 7";
  report.connectedAccount = "acct_\t\"1\\";
  const auto number =
      enqueue(*session_, "shop", report,
              {.notBefore = Timestamp{std::chrono::seconds{1'800'000'000}}, .priority = ReportPriority::low});
  ASSERT_TRUE(number) << number.error();
  const auto stored = Report::fromText(session_->value("SELECT contents FROM tally.report"));
  ASSERT_TRUE(stored);
  EXPECT_EQ(stored->metadata.changes().size(), 2U);
  EXPECT_EQ(stored->toText().size(), report.report.toText().size());
  EXPECT_THAT(session_->run(
                  "SELECT domain, object, account, key, priority, extract(epoch FROM not_before)::bigint, id"
                  " FROM tally.report"),
              ElementsAre("shop", "pr_1", report.connectedAccount, "order-42", "1", "1800000000",
                          std::to_string(*number)));
}

TEST_F(Enqueue, LinksTheReportsOnAnObjectInOrder) {
  for (const char* const id : {"pr_1", "pr_2", "pr_1", "pr_1"})
    ASSERT_TRUE(enqueue(*session_, "shop", failedReport(id)));
  ASSERT_TRUE(enqueue(*session_, "other", failedReport("pr_1")));
  EXPECT_EQ(chain(), "pr_1 1 after 0; pr_2 2 after 0; pr_1 3 after 1; pr_1 4 after 3; pr_1 5 after 0; ");
}

TEST_F(Enqueue, ReturnsTheSameNumberForTheSameKeyAndReport) {
  const auto first = enqueue(*session_, "shop", failedReport("pr_1", "order-42"));
  const auto again = enqueue(*session_, "shop", failedReport("pr_1", "order-42"));
  ASSERT_TRUE(first && again);
  EXPECT_EQ(*first, *again);
  EXPECT_EQ(session_->value("SELECT count(*) FROM tally.report"), "1");
}

TEST_F(Enqueue, AcceptsTheSameKeyInAnotherDomain) {
  ASSERT_TRUE(enqueue(*session_, "shop", failedReport("pr_1", "order-42")));
  ASSERT_TRUE(enqueue(*session_, "shop live", failedReport("pr_1", "order-42")));
  EXPECT_EQ(session_->value("SELECT count(*) FROM tally.report"), "2");
}

TEST_F(Enqueue, RefusesTheSameKeyWithAnotherReport) {
  ASSERT_TRUE(enqueue(*session_, "shop", failedReport("pr_1", "order-42")));
  const auto other = enqueue(*session_, "shop", failedReport("pr_2", "order-42"));
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().kind(), ErrorKind::invalidParameter);
  EXPECT_EQ(other.error().param(), "key");
  EXPECT_THAT(other.error().message(), HasSubstr("'order-42' has already been used for another report"));
}

TEST_F(Enqueue, RemembersAKeyWhoseReportHasBeenRemoved) {
  const auto first = enqueue(*session_, "shop", failedReport("pr_1", "order-42"));
  ASSERT_TRUE(first);
  session_->run(
      "INSERT INTO tally.outcome VALUES (1, 'shop', 'applied', '', gen_random_uuid());"
      "SELECT tally.erase('shop', 'pr_1')");
  ASSERT_EQ(session_->value("SELECT count(*) FROM tally.report"), "0");
  const auto again = enqueue(*session_, "shop", failedReport("pr_1", "order-42"));
  ASSERT_TRUE(again);
  EXPECT_EQ(*again, *first);
  EXPECT_EQ(session_->value("SELECT count(*) FROM tally.report"), "0");
}

TEST_F(Enqueue, KeepsNoTextOfTheKeyOfAnErasedReport) {
  ASSERT_TRUE(enqueue(*session_, "shop", failedReport("pr_1", "jane@example.com")));
  session_->run(
      "INSERT INTO tally.outcome VALUES (1, 'shop', 'applied', '', gen_random_uuid());"
      "SELECT tally.erase('shop', 'pr_1', 'ticket 7')");
  EXPECT_EQ(session_->value("SELECT count(*) FROM tally.report_key"), "1");
  for (const std::string& table : session_->run("SELECT tablename FROM pg_tables WHERE schemaname = 'tally'"))
    EXPECT_THAT(session_->run("SELECT t FROM tally." + table + " t"),
                testing::Not(testing::Contains(HasSubstr("jane"))))
        << table;
}

TEST_F(Enqueue, RunsNoStatementForAReportThatCannotBeSent) {
  session_->run("BEGIN");
  OutboxReport report = failedReport("pr_1");
  report.report.outcome = "lost";
  const auto refused = enqueue(*session_, "shop", report);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().param(), "outcome");
  EXPECT_EQ(PQtransactionStatus(*session_), PQTRANS_INTRANS);
}

/// Neither PostgreSQL's texts nor its JSON can contain one.
TEST_F(Enqueue, RunsNoStatementForAReportWithANulCharacter) {
  const std::string text{"a\0b", 3};
  std::vector<OutboxReport> reports(4, failedReport("pr_1"));
  reports[0].key = text;
  reports[1].report.reference = text;
  reports[2].report.metadata.set("order", text);
  reports[3].report.id += text;
  session_->run("BEGIN");
  std::vector<std::string> members;
  for (const OutboxReport& report : reports) {
    const auto refused = enqueue(*session_, "shop", report);
    ASSERT_FALSE(refused);
    members.push_back(refused.error().param());
  }
  EXPECT_THAT(members, ElementsAre("key", "reference", "metadata", "id"));
  EXPECT_EQ(PQtransactionStatus(*session_), PQTRANS_INTRANS);
}

/// PostgreSQL would store each byte of "é" as a letter.
TEST_F(Enqueue, RefusesAConnectionWhoseEncodingIsNotUtf8) {
  session_->run("SET client_encoding = 'LATIN1'");
  EXPECT_THROW((void)enqueue(*session_, "shop", failedReport("pr_1")), OutboxError);
  session_->run("SET client_encoding = 'UTF8'");
  EXPECT_TRUE(enqueue(*session_, "shop", failedReport("pr_1")));
}

TEST_F(Enqueue, RefusesAnEmptyDomainName) {
  const auto refused = enqueue(*session_, "", failedReport("pr_1"));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().param(), "domain");
}

TEST_F(Enqueue, ThrowsIfTheTransactionHasAlreadyFailed) {
  session_->run("BEGIN; SELECT 1 / 0");
  try {
    (void)enqueue(*session_, "shop", failedReport("pr_1"));
    FAIL();
  } catch (const OutboxError& error) {
    EXPECT_EQ(error.sqlState(), "25P02");
  }
}

TEST_F(Enqueue, RefusesReportsWhileTooManyAreWaiting) {
  ASSERT_TRUE(enqueue(*session_, "shop", failedReport("pr_1")));
  session_->run("SELECT tally.limit_waiting('shop', 5); UPDATE tally.domain SET waiting = 5");
  const auto refused = enqueue(*session_, "shop", failedReport("pr_2"));
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message(), HasSubstr("'shop' has reached its limit of waiting reports"));
  session_->run("UPDATE tally.domain SET waiting = 4");
  EXPECT_TRUE(enqueue(*session_, "shop", failedReport("pr_2")));
}

/// The functions of the schema, which applications in other languages call, decide as Report::check() does.
struct SqlCheckCase {
  const char* report;
  const char* member;  // that is wrong; empty if nothing is
};

constexpr SqlCheckCase sqlCheckCases[] = {
    {R"({"id":"pr_1","outcome":"failed","time":1767225600})", ""},
    {R"({"id":"pr_1","outcome":"canceled","time":0,"metadata":{"order":"42","till":null},"attempt":"par_1"})",
     ""},
    {R"({"id":"pr_1","outcome":"guaranteed","time":1,"metadata":null,"reference":"7","attempt":""})", ""},
    {R"({"id":"pr_1","outcome":"failed","time":1,"metadata":{}})", ""},
    {R"({"outcome":"failed","time":1})", "id"},
    {R"({"id":"pr_1","time":1})", "outcome"},
    {R"({"id":"pr_1","outcome":"failed"})", "time"},
    {R"({"id":"pr_1","outcome":"failed","time":1.5})", "time"},
    {R"({"id":"pr_1","outcome":"failed","time":"1"})", "time"},
    {R"({"id":"pr_1","outcome":"failed","time":-1})", "time"},
    {R"({"id":"pr_","outcome":"failed","time":1})", "id"},
    {R"({"id":"","outcome":"failed","time":1})", "id"},
    {R"({"id":"po_1","outcome":"failed","time":1})", "id"},
    {R"({"id":7,"outcome":"failed","time":1})", "id"},
    {R"({"id":"pr_1","outcome":"lost","time":1})", "outcome"},
    {R"({"id":"pr_1","outcome":"failed","time":1,"attempt":"pr_1"})", "attempt"},
    {R"({"id":"pr_1","outcome":"failed","time":1,"attempt":"par_"})", "attempt"},
    {R"({"id":"pr_1","outcome":"failed","time":1,"attempt":null})", "attempt"},
    {R"({"id":"pr_1","outcome":"failed","time":1,"reference":1})", "reference"},
    {R"({"id":"pr_1","outcome":"failed","time":1,"metadata":{"":"1"}})", "metadata"},
    {R"({"id":"pr_1","outcome":"failed","time":1,"metadata":{"a[b":"1"}})", "metadata"},
    {R"({"id":"pr_1","outcome":"failed","time":1,"metadata":{"a]":"1"}})", "metadata"},
    {R"({"id":"pr_1","outcome":"failed","time":1,"metadata":{"order":""}})", "metadata"},
    {R"({"id":"pr_1","outcome":"failed","time":1,"metadata":{"order":42}})", "metadata"},
    {R"({"id":"pr_1","outcome":"failed","time":1,"metadata":[]})", "metadata"},
    {R"({"id":"pr_1","outcome":"failed","time":1,"amount":1})", "amount"},
};

/// As the member of the JSON: `failed_at` of the call is `time`, and `metadata[order]` is in `metadata`.
std::string memberOf(const Error& error) {
  std::string member = error.param().substr(0, error.param().find('['));
  return member.ends_with("_at") ? "time" : member;
}

std::string checkedByClient(const char* text) {
  const auto report = Report::fromText(text);
  if (!report) return memberOf(report.error());
  const auto error = report->check();
  return error ? memberOf(*error) : "";
}

TEST_F(Enqueue, AppliesTheChecksOfTheClientInSqlFunctions) {
  for (const auto& [report, member] : sqlCheckCases) {
    EXPECT_EQ(checkedByClient(report), member) << report;
    const std::string said = inSql(report);
    if (*member == '\0') {
      EXPECT_THAT(said, testing::MatchesRegex("[0-9]+")) << report;
    } else {
      EXPECT_THAT(said, StartsWith("22023: tally.enqueue: " + std::string{member} + " ")) << report;
    }
  }
}

TEST_F(Enqueue, ExplainsErrorsFoundBySqlFunctions) {
  EXPECT_THAT(inSql("[]"), HasSubstr("report must be a JSON object"));
  EXPECT_THAT(session_->run("SELECT tally.enqueue('shop', NULL)").front(),
              HasSubstr("report must be a JSON object"));
  EXPECT_THAT(inSql(R"({"id":"pr_1","outcome":"failed","time":1,"connected_account":"a\nb"})"),
              HasSubstr("connected_account contains a line break"));
  EXPECT_THAT(
      session_
          ->run(
              R"(SELECT tally.enqueue('shop', '{"id":"pr_1","outcome":"failed","time":1}', priority => 'high'))")
          .front(),
      HasSubstr("priority must be 'normal' or 'low', not 'high'"));
  EXPECT_THAT(inSql(R"({"id":"pr_1","outcome":"lost","time":1})"),
              HasSubstr("is not one of: canceled, failed, guaranteed"));
}

TEST_F(Enqueue, RefusesAnInfiniteTime) {
  const std::string one = R"('{"id":"pr_1","outcome":"failed","time":1}')";
  for (const std::string time : {"infinity", "-infinity"})
    for (const std::string& call :
         {"enqueue('shop', " + one + ", not_before => '" + time + "')",
          "enqueue_all('shop', ARRAY[" + one + "]::jsonb[], not_before => '" + time + "')"})
      EXPECT_EQ(session_->run("SELECT tally." + call).front(),
                "22023: tally.enqueue: not_before must not be " + time);
  EXPECT_EQ(session_->value("SELECT count(*) FROM tally.report"), "0");
}

TEST_F(Enqueue, WaitsForAnOpenTransactionOnTheSameObject) {
  ASSERT_TRUE(enqueue(*session_, "shop", failedReport("pr_3")));  // begins the domain
  const Session other = connect();
  other.run("BEGIN");
  ASSERT_TRUE(enqueue(other, "shop", failedReport("pr_1")));
  session_->run("SET lock_timeout = '1ms'");
  EXPECT_TRUE(enqueue(*session_, "shop", failedReport("pr_2")));
  try {
    (void)enqueue(*session_, "shop", failedReport("pr_1"));
    FAIL() << "did not wait";
  } catch (const OutboxError& error) {
    EXPECT_EQ(error.sqlState(), "55P03");
  }
  other.run("COMMIT");
  EXPECT_TRUE(enqueue(*session_, "shop", failedReport("pr_1")));
  EXPECT_EQ(session_->value("SELECT count(*) FROM tally.report r JOIN tally.report p ON p.id = r.prev"), "1");
}

TEST_F(Enqueue, ReportsAConflictToARepeatableReadTransaction) {
  ASSERT_TRUE(enqueue(*session_, "shop", failedReport("pr_1")));
  for (const bool all : {false, true}) {
    session_->run("BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1");
    const Session other = connect();
    ASSERT_TRUE(enqueue(other, "shop", failedReport("pr_1")));
    const std::vector reports{failedReport("pr_1")};
    try {
      if (all) {
        (void)enqueueAll(*session_, "shop", reports);
      } else {
        (void)enqueue(*session_, "shop", reports.front());
      }
      FAIL();
    } catch (const OutboxError& error) {
      EXPECT_EQ(error.sqlState(), "40001");
    }
    session_->run("ROLLBACK");
  }
}

TEST_F(Enqueue, ProtectsThePreviousReportFromRemovalUntilTheTransactionCommits) {
  ASSERT_TRUE(enqueue(*session_, "shop", failedReport("pr_1")));
  session_->run(
      "INSERT INTO tally.outcome VALUES (1, 'shop', 'applied', '', gen_random_uuid(), now() - interval '1 "
      "h')");
  const Session other = connect();
  other.run("BEGIN");
  ASSERT_TRUE(enqueue(other, "shop", failedReport("pr_1")));
  session_->run("SET lock_timeout = '1s'");
  EXPECT_EQ(session_->value("SELECT tally.remove_decided('shop', '1 min')"), "0");
  other.run("COMMIT");
  EXPECT_EQ(session_->value("SELECT tally.remove_decided('shop', '1 min')"), "1");
  EXPECT_EQ(chain(), "pr_1 2 after 1; ");
}

TEST_F(Enqueue, StartsANewChainAfterTheLastReportIsRemoved) {
  ASSERT_TRUE(enqueue(*session_, "shop", failedReport("pr_1")));
  session_->run(
      "INSERT INTO tally.outcome VALUES (1, 'shop', 'applied', '', gen_random_uuid(), now() - interval '1 "
      "h');"
      "SELECT tally.remove_decided('shop', '1 min')");
  ASSERT_TRUE(enqueue(*session_, "shop", failedReport("pr_1")));
  EXPECT_EQ(chain(), "pr_1 2 after 0; ");
}

/// The domain of the next notification; empty if there is none.
std::string notified(const Session& listener) {
  listener.run("SELECT 1");
  const std::unique_ptr<PGnotify, decltype(&PQfreemem)> told{PQnotifies(listener), &PQfreemem};
  return told == nullptr ? std::string{} : std::string{told->extra};
}

TEST_F(Enqueue, NotifiesWorkersOnlyIfNotificationsAreEnabled) {
  const Session listener = connect();
  listener.run("LISTEN tally");
  ASSERT_TRUE(enqueue(*session_, "shop", failedReport("pr_1")));
  EXPECT_EQ(notified(listener), "");
  session_->run("UPDATE tally.schema SET notifies = true");
  ASSERT_TRUE(enqueue(*session_, "shop", failedReport("pr_1")));
  EXPECT_EQ(notified(listener), "shop");
}

TEST_F(Enqueue, NotifiesWorkersOnlyOfNewKeys) {
  const Session listener = connect();
  listener.run("LISTEN tally");
  session_->run("UPDATE tally.schema SET notifies = true");
  const std::vector two{failedReport("pr_1", "a"), failedReport("pr_2", "b")};
  const std::vector oneNew{failedReport("pr_1", "a"), failedReport("pr_3", "c")};
  ASSERT_TRUE(enqueue(*session_, "shop", two[0]));
  EXPECT_EQ(notified(listener), "shop");
  ASSERT_TRUE(enqueue(*session_, "shop", two[0]));
  EXPECT_EQ(notified(listener), "");
  ASSERT_TRUE(enqueueAll(*session_, "shop", two));
  EXPECT_EQ(notified(listener), "shop");
  ASSERT_TRUE(enqueueAll(*session_, "shop", two));
  EXPECT_EQ(notified(listener), "");
  ASSERT_TRUE(enqueueAll(*session_, "shop", oneNew));
  EXPECT_EQ(notified(listener), "shop");
}

class EnqueueAll : public Enqueue {};

TEST_F(EnqueueAll, KeepsTheOrderOfReportsOnEachObject) {
  ASSERT_TRUE(enqueue(*session_, "shop", failedReport("pr_2")));
  const std::vector reports{failedReport("pr_2", "a"), failedReport("pr_1", "b"), failedReport("pr_2", "c"),
                            failedReport("pr_1", "d")};
  const auto numbers = enqueueAll(*session_, "shop", reports);
  ASSERT_TRUE(numbers) << numbers.error();
  EXPECT_THAT(*numbers, ElementsAre(4, 2, 5, 3));
  EXPECT_EQ(chain(), "pr_2 1 after 0; pr_1 2 after 0; pr_1 3 after 2; pr_2 4 after 1; pr_2 5 after 4; ");
}

TEST_F(EnqueueAll, ReturnsTheSameNumberForARepeatedKey) {
  ASSERT_TRUE(enqueue(*session_, "shop", failedReport("pr_1", "a")));
  const std::vector reports{failedReport("pr_1", "a"), failedReport("pr_2", "b"), failedReport("pr_2", "b")};
  const auto numbers = enqueueAll(*session_, "shop", reports);
  ASSERT_TRUE(numbers) << numbers.error();
  EXPECT_EQ((*numbers)[0], 1U);
  EXPECT_EQ((*numbers)[1], (*numbers)[2]);
  EXPECT_EQ(session_->value("SELECT count(*) FROM tally.report"), "2");
}

TEST_F(EnqueueAll, StoresTheConnectedAccountOfEachReport) {
  std::vector reports{failedReport("pr_1"), failedReport("pr_2")};
  reports[1].connectedAccount = "acct_1";
  ASSERT_TRUE(enqueueAll(*session_, "shop", reports));
  EXPECT_THAT(session_->run("SELECT account || '|' FROM tally.report ORDER BY id"),
              ElementsAre("|", "acct_1|"));
  EXPECT_THAT(session_->run("SELECT contents ? 'connected_account' FROM tally.report"),
              ElementsAre("f", "f"));
}

TEST_F(EnqueueAll, EnqueuesNothingIfAKeyBelongsToAnotherReport) {
  ASSERT_TRUE(enqueue(*session_, "shop", failedReport("pr_1", "a")));
  const std::vector reports{failedReport("pr_3", "c"), failedReport("pr_2", "a")};
  const auto numbers = enqueueAll(*session_, "shop", reports);
  ASSERT_FALSE(numbers);
  EXPECT_EQ(numbers.error().param(), "key");
  EXPECT_EQ(session_->value("SELECT count(*) FROM tally.report"), "1");
}

TEST_F(EnqueueAll, AcceptsAnEmptyBatch) {
  const auto numbers = enqueueAll(*session_, "shop", {});
  ASSERT_TRUE(numbers) << numbers.error();
  EXPECT_THAT(*numbers, IsEmpty());
}

TEST_F(EnqueueAll, ReportsThePositionOfAnInvalidReport) {
  const auto said = session_->run(
      R"(SELECT tally.enqueue_all('shop', array['{"id":"pr_1","outcome":"failed","time":1}', '{"id":"pr_1"}']::jsonb[]))");
  EXPECT_THAT(said, ElementsAre("22023: tally.enqueue: outcome is missing (report 2 of 2)"));
}

TEST_F(EnqueueAll, RequiresAsManyKeysAsReports) {
  const auto said = session_->run(
      R"(SELECT tally.enqueue_all('shop', array['{"id":"pr_1","outcome":"failed","time":1}']::jsonb[], '{a,b}'))");
  EXPECT_THAT(said, ElementsAre("22023: tally.enqueue: keys must have as many elements as reports"));
}

}  // namespace
}  // namespace tally::test

// The commands of tally-outbox that end by themselves, with PostgreSQL.

#include <csignal>
#include <fstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "outbox/postgres_database.h"
#include "outbox/program/outbox_program.h"
#include "temporary_folder.h"

namespace tally::test {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::MatchesRegex;
using ::testing::StartsWith;

constexpr std::size_t longestLine = 1'048'576;

class TallyOutboxCommands : public MigratedOutboxTest {
 protected:
  [[nodiscard]] ProgramResult run(std::vector<std::string> arguments) const {
    arguments.insert(arguments.end(), {"--database", url()});
    return runOutboxProgram(arguments);
  }

  void enqueueReports(const std::vector<std::string>& ids) const {
    for (const std::string& id : ids)
      ASSERT_TRUE(enqueue(*session_, "shop", failedReport(id)));
  }
  void decide(int report, const std::string& outcome) const {
    session_->run("INSERT INTO tally.outcome SELECT id, domain, '" + outcome +
                  "', 'why', gen_random_uuid() FROM tally.report WHERE id = " + std::to_string(report));
  }
  [[nodiscard]] std::string value(const std::string& sql) const { return session_->value(sql); }

  /// `count` lines with keys.
  static std::string linesOf(int count) {
    std::string lines;
    for (int i = 1; i <= count; ++i)
      lines += R"({"id":"pr_)" + std::to_string(i) + R"(","outcome":"failed","time":1767225600,"key":"k)" +
               std::to_string(i) + "\"}\n";
    return lines;
  }

  TemporaryFolder folder{};
};

// ---- Requests

TEST_F(TallyOutboxCommands, CanMigrateADatabaseTwice) {
  session_->run("DROP SCHEMA tally CASCADE");
  for (int i = 0; i < 2; ++i) {
    const auto [status, output] = run({"migrate"});
    EXPECT_EQ(status, 0) << output;
  }
  EXPECT_EQ(value("SELECT count(*) FROM tally.schema"), "1");
}

TEST_F(TallyOutboxCommands, PrintTheStatusAsATable) {
  EXPECT_EQ(run({"status"}).output, "no domains: nothing has been enqueued\n");
  enqueueReports({"pr_1", "pr_2", "pr_3"});
  decide(1, "refused");
  ASSERT_EQ(run({"pause", "shop", "audit of\nthe year"}).status, 0);
  const auto [status, output] = run({"status"});
  EXPECT_EQ(status, 0);
  EXPECT_THAT(output, MatchesRegex("DOMAIN +WAITING +OLDEST +BLOCKED +FAILED +WORKER +STATE\n"
                                   "shop +2 +[0-9]+ s +0 +1 +- +paused: audit of\\\\nthe year\n"));
  ASSERT_EQ(run({"resume", "shop"}).status, 0);
  EXPECT_THAT(run({"status"}).output, EndsWith("-       no worker has the key\n"));
}

TEST_F(TallyOutboxCommands, PrintAgesInTheLargestUnitOfWhichThereAreTwo) {
  enqueueReports({"pr_1"});
  for (const auto& [age, shown] : {std::pair{"118 s", "11[89] s"},
                                   {"125 s", "2 min"},
                                   {"119 min", "119 min"},
                                   {"121 min", "2 h"},
                                   {"47.5 h", "47 h"},
                                   {"48.5 h", "2 d"}}) {
    session_->run("UPDATE tally.report SET enqueued_at = now() - interval '" + std::string{age} + "'");
    EXPECT_THAT(run({"status"}).output, MatchesRegex("DOMAIN.*\nshop +1 +" + std::string{shown} + " +0 .*"));
  }
}

TEST_F(TallyOutboxCommands, ListFailedAndBlockedReports) {
  EXPECT_EQ(run({"failed"}).output, "no reports\n");
  enqueueReports({"pr_1", "pr_2", "pr_3"});
  decide(1, "refused");
  EXPECT_THAT(run({"failed"}).output, MatchesRegex("REPORT +DOMAIN +OBJECT +KEY +STATE +AGE +REASON\n"
                                                   "1 +shop +pr_1 +[-0-9a-f]+ +refused +[0-9]+ s +why\n"));
  EXPECT_THAT(run({"blocked"}).output,
              MatchesRegex("REPORT.*\n"
                           "2 +shop +pr_2 .* waiting .* no worker has the key of the domain\n"
                           "3 +shop +pr_3 .* waiting .* no worker has the key of the domain\n"));
  EXPECT_THAT(run({"blocked", "--limit", "1"}).output, EndsWith("... at most 1; see --limit\n"));
}

TEST_F(TallyOutboxCommands, RecordARequestWithItsNote) {
  enqueueReports({"pr_1", "pr_2", "pr_3"});
  decide(1, "refused");
  EXPECT_THAT(run({"retry", "1", "--note", "ticket 7"}),
              AllOf(testing::Field(&ProgramResult::status, 0),
                    testing::Field(&ProgramResult::output, StartsWith("retry 1: request 1"))));
  EXPECT_EQ(run({"cancel", "2", "--note=wrong"}).status, 0);
  EXPECT_EQ(run({"release", "3"}).status, 0);
  EXPECT_THAT(session_->run("SELECT action, report, note FROM tally.audited ORDER BY report"),
              ElementsAre("retry", "1", "ticket 7", "cancel", "2", "wrong", "release", "3", ""));
}

TEST_F(TallyOutboxCommands, ListRequestsWithTheirAnswers) {
  EXPECT_EQ(run({"requests"}).output, "no requests\n");
  enqueueReports({"pr_1", "pr_2"});
  decide(1, "refused");
  ASSERT_EQ(run({"retry", "1"}).status, 0);
  ASSERT_EQ(run({"cancel", "2"}).status, 0);
  session_->run("UPDATE tally.request SET answer = E'not\nnow' WHERE id = 1");
  EXPECT_EQ(run({"requests"}).output,
            "REQUEST  DOMAIN  REPORT  ACTION  ANSWER\n"
            "2        shop    2       cancel  not carried out yet\n"
            "1        shop    1       retry   not\\nnow\n");
  EXPECT_THAT(run({"requests", "--limit", "1"}).output, EndsWith("... at most 1; see --limit\n"));
}

TEST_F(TallyOutboxCommands, ContinueAfterARefusedRequest) {
  enqueueReports({"pr_1", "pr_2"});
  decide(1, "applied");
  const auto [status, output] = run({"cancel", "1", "99", "2"});
  EXPECT_EQ(status, 1);
  EXPECT_THAT(output, AllOf(HasSubstr("tally-outbox: cancel 1: tally.cancel: report 1 is applied"),
                            HasSubstr("tally-outbox: cancel 99: tally: there is no report 99"),
                            HasSubstr("cancel 2: request 1")));
}

TEST_F(TallyOutboxCommands, LimitHowManyReportsWait) {
  enqueueReports({"pr_1"});
  ASSERT_EQ(run({"limit-waiting", "shop", "5"}).status, 0);
  EXPECT_EQ(value("SELECT max_waiting FROM tally.domain"), "5");
  ASSERT_EQ(run({"limit-waiting", "shop", "none"}).status, 0);
  EXPECT_EQ(value("SELECT max_waiting IS NULL FROM tally.domain"), "t");
}

TEST_F(TallyOutboxCommands, EraseTheDecidedReportsOnAnObject) {
  enqueueReports({"pr_1", "pr_1", "pr_2"});
  decide(1, "refused");
  EXPECT_THAT(run({"erase", "shop", "pr_1"}),
              AllOf(testing::Field(&ProgramResult::status, 1),
                    testing::Field(&ProgramResult::output, HasSubstr("report 2 on 'pr_1' is not decided"))));
  decide(2, "applied");
  EXPECT_EQ(run({"erase", "shop", "pr_1", "--note", "ticket 7"}).output, "erased 2 reports\n");
  EXPECT_EQ(value("SELECT object FROM tally.report"), "pr_2");
  EXPECT_EQ(value("SELECT note FROM tally.audited WHERE action = 'erase'"), "ticket 7");
}

TEST_F(TallyOutboxCommands, FailIfTheDomainIsUnknown) {
  const auto [status, output] = run({"pause", "shp", "why"});
  EXPECT_EQ(status, 1);
  EXPECT_EQ(output, "tally-outbox: tally: there is no domain 'shp'\n");
}

// ---- enqueue

TEST_F(TallyOutboxCommands, EnqueueTheReportOnEachLineOfAFile) {
  const std::string file = folder.write(
      "file", R"({"id":"pr_1","outcome":"failed","time":1767225600,"key":"a","connected_account":"acct_1"})"
              "\n\n"
              R"({"reference":"7","time":1767225600,"metadata":{"x":"1"},"outcome":"canceled","id":"pr_2"})");
  const auto [status, output] =
      run({"enqueue", "shop", file, "--priority", "low", "--not-before", "1893456000"});
  EXPECT_EQ(status, 0) << output;
  EXPECT_EQ(output, "The reports of 2 lines are enqueued\n");
  EXPECT_THAT(session_->run("SELECT object, account, key, priority, extract(epoch FROM not_before)::bigint,"
                            " contents ->> 'reference' FROM tally.reports ORDER BY id"),
              ElementsAre("pr_1", "acct_1", "a", "low", "1893456000", "NULL", "pr_2", testing::_, testing::_,
                          "low", "1893456000", "7"));
}

/// Whoever repeats the command would enqueue the reports twice.
TEST_F(TallyOutboxCommands, SucceedIfTheyCannotSayWhatTheyHaveChanged) {
  const auto runIntoFullDisk = [&](const std::string& words) {
    Process program{"/bin/sh",
                    {"-c", "exec \"$0\" " + words + " --database \"$1\" > /dev/full", TALLY_OUTBOX, url()}};
    std::string output = program.rest();
    return ProgramResult{.status = program.status(), .output = std::move(output)};
  };
  const std::string file = folder.write("file", R"({"id":"pr_1","outcome":"failed","time":1767225600})");
  for (const std::string& words : {"enqueue shop " + file, std::string{"cancel 1"}}) {
    const auto [status, output] = runIntoFullDisk(words);
    EXPECT_EQ(status, 0) << words;
    EXPECT_EQ(output,
              "tally-outbox: standard output can't be written, but the command has been carried out\n");
  }
  EXPECT_EQ(value("SELECT count(*) FROM tally.report"), "1");
  const auto [status, output] = runIntoFullDisk("status");
  EXPECT_EQ(status, 1);
  EXPECT_EQ(output, "tally-outbox: standard output can't be written\n");
}

/// Otherwise, nobody would know what to enqueue again if lines have no keys.
TEST_F(TallyOutboxCommands, SayWhatIsEnqueuedWhenASignalEndsThem) {
  const std::string pipe = (folder.path() / "pipe").string();
  ASSERT_EQ(::mkfifo(pipe.c_str(), S_IRUSR | S_IWUSR), 0);
  for (const bool isStandardInput : {true, false}) {
    Process program{"/bin/sh",
                    {"-c",
                     isStandardInput ? R"(exec "$0" enqueue shop - --database "$1" < "$2")"
                                     : R"(exec "$0" enqueue shop "$2" --database "$1")",
                     TALLY_OUTBOX, url(), pipe}};
    std::ofstream lines{pipe};
    lines << linesOf(1'500) << std::flush;
    const std::string all = isStandardInput ? "1000" : "2000";
    while (value("SELECT count(*) FROM tally.report") != all) {
    }
    program.signal(SIGTERM);
    const std::string output = program.rest();
    EXPECT_THAT(output, StartsWith("tally-outbox: stopped: Terminated\n"));
    EXPECT_THAT(output,
                HasSubstr("The reports of 1000 lines are enqueued, up to line 1000, and nothing after"));
    EXPECT_EQ(program.status(), 1);
    session_->run("UPDATE tally.report_key SET key_hash = sha256(key_hash)");  // the keys are forgotten
  }
}

TEST_F(TallyOutboxCommands, CompleteATransactionWhenASignalEndsThem) {
  session_->run("BEGIN");
  ASSERT_TRUE(enqueue(*session_, "shop", failedReport("pr_1")));
  Process program{TALLY_OUTBOX,
                  {"enqueue", "shop", folder.write("file", linesOf(1'500)), "--database", url()}};
  while (value("SELECT count(*) FROM pg_locks WHERE NOT granted") != "1") {
  }
  program.signal(SIGTERM);
  session_->run("COMMIT");
  const std::string output = program.rest();
  EXPECT_THAT(output, HasSubstr("The reports of " + value("SELECT count(*) - 1 FROM tally.report") +
                                " lines are enqueued"));
}

TEST_F(TallyOutboxCommands, EnqueueReportsFromStandardInput) {
  const std::string file = folder.write("file", linesOf(3));
  Process program{"/bin/sh",
                  {"-c", R"("$0" enqueue shop - --database "$1" < "$2")", TALLY_OUTBOX, url(), file}};
  EXPECT_EQ(program.rest(), "The reports of 3 lines are enqueued\n");
  EXPECT_EQ(program.status(), 0);
}

TEST_F(TallyOutboxCommands, EnqueueAReportWithAKeyOnlyOnce) {
  const std::string file = folder.write("file", linesOf(1'500));
  for (int i = 0; i < 2; ++i)
    EXPECT_EQ(run({"enqueue", "shop", file}).output, "The reports of 1500 lines are enqueued\n");
  EXPECT_EQ(value("SELECT count(*) FROM tally.report"), "1500");
}

TEST_F(TallyOutboxCommands, EnqueueTheReportOnTheLongestLine) {
  std::string line = linesOf(1);
  line.insert(line.size() - 1, longestLine + 1 - line.size(), ' ');
  EXPECT_EQ(run({"enqueue", "shop", folder.write("file", line)}).output,
            "The report of 1 line is enqueued\n");
}

TEST_F(TallyOutboxCommands, EnqueueNothingFromABatchWithAnInvalidLine) {
  const std::string file = folder.write(
      "file", linesOf(1'200) + R"({"id":"pr_x","outcome":"lost","time":1,"key":"x"})" + '\n' + linesOf(9));
  const auto [status, output] = run({"enqueue", "shop", file});
  EXPECT_EQ(status, 1);
  EXPECT_THAT(output, StartsWith("tally-outbox: line 1201: outcome "));
  EXPECT_THAT(output, HasSubstr("The reports of 1000 lines are enqueued, up to line 1000"));
  EXPECT_THAT(output, HasSubstr("tail -n +1001 FILE | tally-outbox enqueue DOMAIN -"));
  EXPECT_EQ(value("SELECT count(*) FROM tally.report"), "1000");
}

TEST_F(TallyOutboxCommands, ReportTheNumberAndFaultOfAnInvalidLine) {
  const std::string good = linesOf(1);
  const std::vector<std::pair<std::string, std::string>> faults{
      {"[]", "expected a JSON object"},
      {"{} x", "expected nothing after the report"},
      {R"({"id":"pr_1")", "expected ',' or '}'"},
      {R"({"id":"pr_1","outcome":"failed"})", "time"},
      {R"({"id":"pr_1","id":"pr_2","outcome":"failed","time":1})", "id occurs twice"},
      {R"({"id":"pr_1","outcome":"failed","time":1,"key":""})", "key must be a non-empty string"},
      {R"({"id":"pr_1","outcome":"failed","time":1,"key":7})", "key must be a non-empty string"},
      {R"({"id":"pr_1","outcome":"failed","time":1,"key":"a","key":"b"})", "key occurs twice"},
      {R"({"id":"pr_1","outcome":"failed","time":1,"connected_account":null})",
       "connected_account must be a non-empty string"},
      {R"({"id":"pr_1","outcome":"failed","time":1,"connected_account":"acct_1\n"})",
       "connected_account contains a line break"},
      {R"({"id":"pr_1","outcome":"failed","time":"now"})", "time expected whole seconds"},
      {R"({"id":"pr_1","outcome":"failed","time":1,"amount":5})", "amount is unknown"},
      {"{\"id\":\"pr_\x01\"}", "not JSON"},
      {std::string(longestLine + 1, ' '), "is longer than 1 MiB"}};
  for (const auto& [line, fault] : faults) {
    const auto [status, output] = run({"enqueue", "shop", folder.write("file", good + line + '\n')});
    EXPECT_EQ(status, 1);
    EXPECT_THAT(output, AllOf(StartsWith("tally-outbox: line 2: "), HasSubstr(fault),
                              HasSubstr("Nothing is enqueued.")));
  }
  EXPECT_EQ(value("SELECT count(*) FROM tally.report"), "0");
}

TEST_F(TallyOutboxCommands, ReportALineWhoseKeyBelongsToAnotherReport) {
  ASSERT_TRUE(enqueue(*session_, "shop", failedReport("pr_other", "k3")));
  const auto [status, output] = run({"enqueue", "shop", folder.write("file", linesOf(5))});
  EXPECT_EQ(status, 1);
  EXPECT_THAT(output, StartsWith("tally-outbox: line 3: tally.enqueue: key 'k3' has already been used"));
  EXPECT_EQ(value("SELECT count(*) FROM tally.report"), "1");
}

/// By the database itself, too, and not only by the functions of the schema.
TEST_F(TallyOutboxCommands, NameTheMemberThatIsRefused) {
  const std::string file = folder.write("file", linesOf(1));
  const std::string database = "sqlite:" + (folder.path() / "outbox.db").string();
  const auto refusalOf = [&](const std::string& domain) {
    return runOutboxProgram({"enqueue", domain, file, "--database", database}).output;
  };
  ASSERT_EQ(runOutboxProgram({"migrate", "--database", database}).output, "");
  EXPECT_THAT(refusalOf(""), StartsWith("tally-outbox: domain is empty\n"));
  EXPECT_THAT(refusalOf("shop"), StartsWith("The report of 1 line is enqueued"));
  (void)folder.write("file", R"({"id":"pr_9","outcome":"failed","time":1767225600,"key":"k1"})");
  EXPECT_THAT(refusalOf("shop"), StartsWith("tally-outbox: line 1: key 'k1' has already been used"));
  (void)runOutboxProgram({"limit-waiting", "shop", "1", "--database", database});
  EXPECT_THAT(refusalOf("shop"), StartsWith("tally-outbox: domain 'shop' has reached its limit"));
}

/// As a pooler answers whose server has been lost.
TEST_F(TallyOutboxCommands, ReportAnUnknownOutcomeIfTheConnectionIsLost) {
  session_->run(
      "CREATE FUNCTION lose() RETURNS trigger LANGUAGE plpgsql AS "
      "$$ BEGIN RAISE 'server conn crashed?' USING ERRCODE = '08P01'; END $$;"
      "CREATE TRIGGER lose BEFORE INSERT ON tally.report FOR EACH ROW EXECUTE FUNCTION lose()");
  const auto [status, output] = run({"enqueue", "shop", folder.write("file", linesOf(3))});
  session_->run("DROP FUNCTION lose CASCADE");
  EXPECT_EQ(status, 1);
  EXPECT_THAT(output, AllOf(HasSubstr("server conn crashed?"),
                            HasSubstr("\nIt is not known whether lines 1 to 3 are enqueued.")));
}

TEST_F(TallyOutboxCommands, SayThatNothingIsEnqueuedIfTheDatabaseCannotBeReached) {
  const std::string file = folder.write("file", linesOf(3));
  for (const std::string& database :
       {std::string{"host=/nowhere dbname=outbox"}, "sqlite:" + (folder.path() / "none.db").string()}) {
    const auto [status, output] = runOutboxProgram({"enqueue", "shop", file, "--database", database});
    EXPECT_EQ(status, 1);
    EXPECT_THAT(output, EndsWith("\nNothing is enqueued. Correct the problem, and run the command again.\n"));
  }
}

TEST_F(TallyOutboxCommands, FailIfTheFileOrStandardInputCannotBeRead) {
  for (const std::string file : {"/", "-"}) {
    Process program{"/bin/sh",
                    {"-c", R"(exec "$0" enqueue shop "$2" --database "$1" < /)", TALLY_OUTBOX, url(), file}};
    EXPECT_THAT(program.rest(),
                StartsWith("tally-outbox: line 1: can't be read: Is a directory\nNothing is "));
    EXPECT_EQ(program.status(), 1) << file;
  }
}

TEST_F(TallyOutboxCommands, ReportOneEnqueuedLineInTheSingular) {
  EXPECT_EQ(run({"enqueue", "shop", folder.write("file", linesOf(1))}).output,
            "The report of 1 line is enqueued\n");
}

TEST_F(TallyOutboxCommands, FailIfTheFileIsMissing) {
  const auto [status, output] = run({"enqueue", "shop", "/nowhere/file"});
  EXPECT_EQ(status, 1);
  EXPECT_EQ(output, "tally-outbox: can't open /nowhere/file: No such file or directory\n");
}

}  // namespace
}  // namespace tally::test

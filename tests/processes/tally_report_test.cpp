// tally-report, as people use it: bad rows, an occupied journal, signals, and SIGKILL at any moment.

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include <tally/fake/http_server.h>
#include <tally/fake/sent_request.h>
#include <tally/fake/service.h>
#include <tally/sqlite_journal.h>
#include <tally/tally.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>

#include "nginx.h"
#include "stress/random_source.h"
#include "support/process.h"
#include "temporary_folder.h"

namespace tally::test {
namespace {

using fake::Fault;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::StartsWith;

// Exit statuses.
constexpr int complete = 0;
constexpr int notComplete = 1;
constexpr int unusable = 2;
constexpr int someNotApplied = 3;

class TallyReport : public testing::Test {
 protected:
  TallyReport() { setenv("TALLY_API_KEY", key.c_str(), 1); }

  Id<PaymentRecord> makeRecord() { return service.insert<PaymentRecord>(key).id; }

  /// A row with a value of its own, so that the log shows how often it was applied.
  void addRow(const std::string& id, const std::string& outcome, const std::string& attempt = "") {
    csv += id + ',' + outcome + ",1767225600," + attempt + ',' + std::to_string(rows++) + '\n';
  }
  void addRows(int count) {
    for (; count > 0; --count) {
      const auto record = service.insert<PaymentRecord>(key);
      addRow(record.id.str(), "failed", record.latestPaymentAttemptRecord.str());
    }
  }

  /// The same as texts of reports.
  std::string makeLines(int count) {
    std::string lines;
    for (; count > 0; --count)
      lines += Report{.id = makeRecord().str(),
                      .outcome = "failed",
                      .time = std::chrono::sys_seconds{},
                      .metadata = {{"row", std::to_string(rows++)}}}
                   .toText() +
               '\n';
    return lines;
  }

  [[nodiscard]] std::string writeFile() const { return folder.write("outcomes.csv", csv); }

  Process start(std::vector<std::string> options) {
    options.insert(options.begin(), {"--url", server.url(), "--rate", "0"});
    options.push_back(writeFile());
    return Process{TALLY_REPORT, options};
  }

  struct Ended {
    int status = 0;
    std::string output{};
  };
  Ended run(std::vector<std::string> options = {}) {
    Process program = start(std::move(options));
    std::string output = program.rest();
    return {program.status(), std::move(output)};
  }

  [[nodiscard]] std::string refused() const {
    std::ifstream file{folder.path() / "outcomes.csv.refused.csv"};
    return {std::istreambuf_iterator<char>{file}, {}};
  }

  /// Reports the refused rows as they are: none can be applied.
  void reportRefused() {
    csv = refused();
    std::filesystem::remove(folder.path() / "outcomes.csv.journal");
    EXPECT_EQ(run().status, someNotApplied);
  }

  /// Returns while most of the rows are still to be read.
  void waitForRequests() const {
    while (service.requests().list(99, 1).empty())
      std::this_thread::yield();
  }

  /// Checks a run during which the file has changed.
  void expectChanged(Process& program) {
    const std::string output = program.rest();
    EXPECT_EQ(program.status(), notComplete) << output;
    EXPECT_THAT(
        output,
        HasSubstr("outcomes.csv has changed since the run began: restore the original file with its " +
                  std::to_string(rows) + " rows, and put other rows in a separate file\n" +
                  "not complete: run again with --resume\n"));
    EXPECT_THAT(refused(), IsEmpty());
  }

  /// Checks a run on the original file.
  void expectResumed() {
    EXPECT_EQ(run({"--resume"}).status, complete);
    expectAllAppliedOnce();
  }

  /// How often the service applied each row.
  [[nodiscard]] std::map<int, int> applied() const {
    std::map<int, int> times;
    for (const auto& request : service.requests().list())
      for (const auto& param : fake::sentParams(request.request))
        if (request.processed && param.name == "metadata[row]") ++times[std::stoi(param.value)];
    return times;
  }
  void expectAllAppliedOnce() const {
    const auto times = applied();
    for (int row = 0; row < rows; ++row)
      EXPECT_EQ(times.contains(row) ? times.at(row) : 0, 1) << "row " << row;
  }

  fake::Service service{{.duration = std::chrono::nanoseconds{0}, .limits = false, .requestLog = 1'000'000}};
  std::string key = service.addAccount().sandboxKey;
  fake::HttpServer server{service};
  TemporaryFolder folder{};
  std::string csv = "id,outcome,time,attempt,metadata[row]\n";
  int rows = 0;
};

using NightlyExample = TallyReport;

TEST_F(TallyReport, ReportsEachRowOnce) {
  addRows(50);
  const Ended ended = run();
  EXPECT_EQ(ended.status, complete) << ended.output;
  EXPECT_THAT(ended.output, HasSubstr("50 applied, 0 refused, 0 unknown, 0 waiting"));
  EXPECT_THAT(refused(), IsEmpty());
  expectAllAppliedOnce();
}

TEST_F(TallyReport, ReportsTheLinesOfInvalidRows) {
  addRows(1);
  csv +=
      "pr_1,failed,1767225600\npr_2,failed,soon,,x\n\npr_3,fai\"led,0,,x\npr_4,lost,0,,x\npr_missing,failed,"
      "0,,\"a\nb\"\n";
  addRows(1);
  csv += "pr_5,\"failed,0,,x\npr_6,failed,0,,x\n";
  const Ended dry = run({"--dry-run"});
  EXPECT_EQ(dry.status, someNotApplied);
  EXPECT_THAT(dry.output,
              AllOf(HasSubstr("row 2, line 3, column 1: expected 5 fields as in the header, not 3\n"),
                    HasSubstr("row 3, line 4, column 13: 'soon' is not a time; write seconds"),
                    HasSubstr("row 4, line 6, column 9: a misplaced quote; "),
                    HasSubstr("row 5, line 7: outcome: expected canceled, failed, guaranteed, not 'lost'\n"),
                    HasSubstr("row 8, line 11, column 6: a quoted field does not end; "),
                    HasSubstr("8 rows, 5 bad\n")));
  EXPECT_THAT(service.requests().list(), IsEmpty());
  const Ended ended = run();
  EXPECT_EQ(ended.status, someNotApplied);
  EXPECT_THAT(ended.output, HasSubstr("2 applied, 6 refused, 0 unknown, 0 waiting"));
  EXPECT_THAT(
      refused(),
      AllOf(HasSubstr(R"("row","line","end","reason","id","outcome","time","attempt","metadata[row]")"),
            HasSubstr("\"2\",\"3\",\"refused\",\""),
            HasSubstr("\"6\",\"8\",\"refused\",\"payment_records.retrieve: not found: "),
            HasSubstr("\"pr_missing\"")));
  expectAllAppliedOnce();
}

TEST_F(TallyReport, ReportsAnInvalidCommandLineOrHeader) {
  addRows(1);
  const auto problem = [&](std::vector<std::string> options) {
    const Ended ended = run(std::move(options));
    EXPECT_EQ(ended.status, unusable);
    return ended.output;
  };
  EXPECT_EQ(problem({"--rate", "fast"}), "tally-report: --rate expects a number, not 'fast'\n");
  EXPECT_EQ(problem({"--colour"}), "tally-report: unexpected argument '--colour'; see --help\n");
  EXPECT_EQ(problem({"--ulr"}),
            "tally-report: unexpected argument '--ulr'; did you mean '--url'? See --help\n");
  for (const char* const url :
       {"localhost", "ftp://localhost", "http://", "http://localhost?a", "http://a b"})
    EXPECT_THAT(problem({"--url", url}),
                StartsWith("tally-report: --url takes the address of the service, such as https://"));
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "outcomes.csv.journal"));
  csv = "id,time\n";
  EXPECT_EQ(problem({}),
            "tally-report: " + writeFile() + ", line 1, column 1: the header lacks the column outcome\n");
  csv = "id,outcome\n";
  EXPECT_THAT(problem({}), HasSubstr("outcomes.csv, the header lacks the column time\n"));
  csv = "id,outcome,amount\n";
  EXPECT_THAT(problem({}), HasSubstr("line 1, column 12: the header has the unknown column 'amount'"));
  EXPECT_THAT(service.requests().list(), IsEmpty());
  const Ended help = run({"--help"});
  EXPECT_EQ(help.status, complete);
  EXPECT_THAT(help.output, HasSubstr("usage: tally-report"));
}

TEST_F(TallyReport, WarnsAboutARateAboveTheDocumentedLimit) {
  addRows(1);
  const std::string advice = "unless support has granted more, use --rate ";
  EXPECT_THAT(run({"--rate", "26"}).output,
              HasSubstr("--rate 26 is above the documented limit of 25 requests per second in the sandbox: " +
                        advice + "25 or less, or leave it out\n"));
  EXPECT_THAT(run({"--rate", "25", "--resume"}).output, testing::Not(HasSubstr("--rate")));
  key = service.accounts().list().front().liveKey;
  setenv("TALLY_API_KEY", key.c_str(), 1);
  const std::string inLive = run({"--rate", "101", "--resume", "--account", "other"}).output;
  EXPECT_THAT(inLive, HasSubstr("limit of 100 requests per second in live mode: " + advice + "100 or less"));
}

/// At the documented limit of an endpoint, 26 requests take at least a second.
TEST_F(TallyReport, SendsFasterThanTheLimitOfAnEndpointIfTheRateIsHigher) {
  service.clock()->run();
  addRows(100);
  EXPECT_EQ(run({"--rate", "500"}).status, complete);
  std::vector<Instant> times;
  for (const auto& logged : service.requests().list())
    times.push_back(logged.time);
  std::ranges::sort(times);
  constexpr std::size_t documented = 25;
  bool isFaster = false;
  for (std::size_t i = documented; i < times.size(); ++i)
    isFaster = isFaster || times[i] - times[i - documented] < std::chrono::milliseconds{900};
  EXPECT_TRUE(isFaster);
}

TEST_F(TallyReport, PrintsItsVersionAndQuotesRefusedRows) {
  EXPECT_THAT(run({"--version"}).output, testing::MatchesRegex("tally-report [0-9.]+\n"));
  csv += "pr_1,\"a \"\"b\"\"\",0,,x\n";
  EXPECT_EQ(run().status, someNotApplied);
  EXPECT_THAT(refused(), HasSubstr(R"("pr_1","a ""b""","0","","x")"));
}

TEST_F(TallyReport, ReadsRefusedRowsOnceTheyAreCorrected) {
  addRows(2);
  const std::string right = makeRecord().str();
  csv += "pr_missing,failed,1767225600,,2\npr_missing,failed,,,3\n";
  EXPECT_EQ(run().status, someNotApplied);
  EXPECT_THAT(refused(), HasSubstr(R"("report: invalid parameter: is required [param time, effect none]")"));
  csv = replaced(refused(), R"("failed","","","3")", R"("canceled","1767225600","","3")");
  while (csv.find("\"pr_missing\"") != std::string::npos)
    csv = replaced(csv, "\"pr_missing\"", '"' + right + '"');
  std::filesystem::remove(folder.path() / "outcomes.csv.journal");
  const Ended again = run();
  EXPECT_EQ(again.status, complete) << again.output << csv;
  rows = 4;
  expectAllAppliedOnce();
}

TEST_F(TallyReport, DoesNotResendARowThatMayHaveBeenApplied) {
  csv = "row,end,id,outcome,time,metadata[row]\n7,unknown," + makeRecord().str() + ",failed,1767225600,0\n";
  EXPECT_EQ(run().status, someNotApplied);
  EXPECT_THAT(refused(), HasSubstr("this row ended as 'unknown', so it may have been applied"));
  reportRefused();
  EXPECT_THAT(refused(), HasSubstr("this row ended as 'unknown', so it may have been applied"));
  EXPECT_THAT(service.requests().list(), IsEmpty());
}

TEST_F(TallyReport, DoesNotSendARowWhoseEndCannotBeRead) {
  const std::string start = makeRecord().str() + ",failed,1767225600";
  csv = "id,outcome,time,end\n" + start + '\n' + start + ",unk\"nown\"\n";
  EXPECT_EQ(run().status, someNotApplied);
  reportRefused();
  EXPECT_THAT(service.requests().list(), IsEmpty());
}

/// Such a fault is behind all fields that the row needs.
TEST_F(TallyReport, DoesNotSendARowThatIsCutOffAfterItsLastColumn) {
  const std::string row = makeRecord().str() + ",failed,1767225600,5,";
  for (const std::string& start :
       {"id,outcome,time,metadata[row]\n" + row, "id,outcome,time,metadata[row],end\n" + row + ',',
        "end,id,outcome,time,metadata[row]\n," + row}) {
    for (const std::string rest : {"\"a\"b", "\"a", " \"Bob\""}) {
      std::filesystem::remove(folder.path() / "outcomes.csv.journal");
      csv = start + rest + '\n';
      EXPECT_EQ(run().status, someNotApplied);
      reportRefused();
    }
  }
  EXPECT_THAT(service.requests().list(), IsEmpty());
}

TEST_F(TallyReport, SendsNoTextOfAQuotedFieldAsAReport) {
  const std::string note = "\npr_B,guaranteed,1767225600,,see below\nbye\"\n";
  for (const std::string& fault : {std::string{"\r\r"}, std::string{'\0'}, std::string(1'048'577, 'x')}) {
    std::filesystem::remove(folder.path() / "outcomes.csv.journal");
    csv = "id,outcome,time,attempt,metadata[row]\npr_A,failed,1767225600,,\"hello" + fault +
          replaced(note, "pr_B", makeRecord().str());
    const Ended ended = run();
    EXPECT_EQ(ended.status, someNotApplied);
    EXPECT_THAT(ended.output, HasSubstr("0 applied, 1 refused, 0 unknown, 0 waiting"));
    reportRefused();
  }
  EXPECT_THAT(service.requests().list(), IsEmpty());
}

TEST_F(TallyReport, KeepsTheFieldsOfRowsThatCannotBeRead) {
  csv +=
      "pr_1,failed,soon,par_1,42\npr_2,failed,0,43\npr_3,failed,0,,44,\"a \"\"b\"\"\"\n"
      "pr_4,failed,0,par_4,4\"5\"\npr_5,failed,0,par_5,\"4\n6\n";
  const auto expectFields = [&] {
    EXPECT_THAT(refused(), AllOf(HasSubstr(R"(,"pr_1","failed","soon","par_1","42")"
                                           "\n"),
                                 HasSubstr(R"(,"pr_2","failed","0","43")"
                                           "\n"),
                                 HasSubstr(R"(,"pr_3","failed","0","","44","a ""b""")"
                                           "\n")));
  };
  EXPECT_EQ(run().status, someNotApplied);
  expectFields();
  // Only the fields before the faulty one are kept, so that the row can't be sent uncorrected.
  EXPECT_THAT(refused(), AllOf(HasSubstr(R"(,"pr_4","failed","0","par_4")"
                                         "\n"),
                               HasSubstr(R"(,"pr_5","failed","0","par_5")"
                                         "\n")));
  EXPECT_EQ(run({"--resume"}).status, someNotApplied);
  expectFields();
  reportRefused();
  expectFields();
  EXPECT_THAT(service.requests().list(), IsEmpty());
}

TEST_F(TallyReport, PrintsWhatIsWrongWithARowOnOneLine) {
  csv += "pr_1,failed,\"\x1b[2J\nsoon\",,x\n";
  EXPECT_THAT(run({"--dry-run"}).output,
              HasSubstr("row 1, line 2, column 13: '\\x1b[2J\\nsoon' is not a time; "));
  csv = "id,\"out\x1b\ncome\",time\n";
  EXPECT_THAT(run({"--dry-run"}).output, HasSubstr("the header has the unknown column 'out\\x1b\\ncome'"));
}

TEST_F(TallyReport, CompletesTheRunIfNobodyReadsItsOutput) {
  addRows(3);
  csv += "pr_missing,failed,1767225600,,3\n";
  Process program{TALLY_REPORT, {"--url", server.url(), "--rate", "0", writeFile()}, Process::Reader::gone};
  EXPECT_EQ(program.status(), someNotApplied);
  EXPECT_THAT(refused(), HasSubstr("pr_missing"));
}

TEST_F(TallyReport, IsNotCompleteUntilTheRefusedRowsAreWritten) {
  addRows(1);
  csv += "pr_missing,failed,1767225600,,1\n";
  const std::string nowhere = folder.path() / "none/refused.csv";
  const Ended ended = run({"--refused", nowhere});
  EXPECT_EQ(ended.status, notComplete);
  EXPECT_THAT(ended.output,
              AllOf(HasSubstr("1 applied, 1 refused"), HasSubstr("can't write " + nowhere + '\n'),
                    testing::Not(HasSubstr("rows that were not applied: " + nowhere))));
  EXPECT_EQ(run({"--resume"}).status, someNotApplied);
  EXPECT_THAT(refused(), HasSubstr("\"pr_missing\""));
}

TEST_F(TallyReport, KeepsRefusedRowsThatWereCorrectedByHand) {
  csv += "pr_missing,failed,1767225600,,1\n";
  EXPECT_EQ(run().status, someNotApplied);
  const std::string written = refused();
  EXPECT_EQ(run({"--resume"}).status, someNotApplied);
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "outcomes.csv.refused.csv.1"));  // the same rows
  for (const std::string number : {"1", "2"}) {
    folder.write("outcomes.csv.refused.csv", "corrected " + number);
    const Ended again = run({"--resume"});
    EXPECT_EQ(again.status, someNotApplied);
    const std::string kept = folder.path() / ("outcomes.csv.refused.csv." + number);
    EXPECT_THAT(again.output, HasSubstr("rows that an earlier run did not apply: " + kept + '\n'));
    std::ifstream file{kept};
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>{file}, {}), "corrected " + number);
    EXPECT_EQ(refused(), written);
  }
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "outcomes.csv.refused.csv.part"));
}

TEST_F(TallyReport, RemovesTheIncompleteFileOfRefusedRowsFromAKilledRun) {
  const std::string incomplete = folder.path() / "outcomes.csv.refused.csv.part";
  const auto leave = [&] { folder.write("outcomes.csv.refused.csv.part", "row,line,end,re"); };
  addRows(1);
  leave();
  EXPECT_EQ(run().status, complete);
  EXPECT_FALSE(std::filesystem::exists(incomplete));
  leave();
  EXPECT_EQ(run().status, unusable);  // only another job would make it useless
  EXPECT_TRUE(std::filesystem::exists(incomplete));
  EXPECT_EQ(run({"--resume"}).status, complete);
  EXPECT_FALSE(std::filesystem::exists(incomplete));
  EXPECT_THAT(refused(), IsEmpty());
}

TEST_F(TallyReport, WritesRefusedRowsToADevice) {
  csv += "pr_missing,failed,1767225600,,1\n";
  const Ended ended = run({"--refused", "/dev/stdout"});
  EXPECT_EQ(ended.status, someNotApplied);
  EXPECT_THAT(ended.output, HasSubstr("\"pr_missing\""));
}

/// Such as a copy of the journal's file alone: nothing would keep the rows from being sent twice.
TEST_F(TallyReport, DoesNotResumeAJournalThatLacksItsLog) {
  addRows(2'000);
  Process program = start({});
  waitForRequests();
  program.endAtOnce();
  const std::filesystem::path log = folder.path() / "outcomes.csv.journal-wal";
  std::filesystem::rename(log, folder.path() / "log");
  const Ended without = run({"--resume"});
  EXPECT_EQ(without.status, unusable);
  EXPECT_THAT(without.output, AllOf(HasSubstr("outcomes.csv.journal has no records: if it has been moved"),
                                    HasSubstr(log.string() + ", put that beside it")));
  std::filesystem::rename(folder.path() / "log", log);
  const Ended ended = run({"--resume"});
  EXPECT_EQ(ended.status, complete) << ended.output;
  expectAllAppliedOnce();
}

TEST_F(TallyReport, WritesRefusedRowsToTheTargetOfALink) {
  csv += "pr_missing,failed,1767225600,,1\n";
  std::filesystem::create_directory(folder.path() / "other");
  const std::string target = folder.write("other/rows", "corrected");
  const std::string link = folder.path() / "link";
  std::filesystem::create_symlink("other/rows", link);
  EXPECT_THAT(run({"--refused", link}).output,
              HasSubstr("rows that an earlier run did not apply: " + target + ".1\n"));
  EXPECT_TRUE(std::filesystem::is_symlink(link));
  std::ifstream rowsFile{target};
  EXPECT_THAT(std::string(std::istreambuf_iterator<char>{rowsFile}, {}), HasSubstr("pr_missing"));
}

/// A new file would take the place of `/dev/stdout`, and not of the file that it leads to.
TEST_F(TallyReport, RefusesToReplaceStandardOutput) {
  csv += "pr_missing,failed,1767225600,,1\n";
  const std::string link = folder.path() / "link";
  std::filesystem::create_symlink("/dev/stdout", link);
  Process program{"/bin/sh",
                  {"-c", R"(exec "$0" --url "$1" --refused "$2" "$3" > "$2.txt")", TALLY_REPORT, server.url(),
                   link, writeFile()}};
  EXPECT_THAT(program.rest(), HasSubstr("--refused names an open file by its descriptor, " + link));
  EXPECT_EQ(program.status(), unusable);
  EXPECT_TRUE(std::filesystem::is_symlink(link));
  EXPECT_THAT(service.requests().list(), IsEmpty());
}

TEST_F(TallyReport, SummarizesAResumedJob) {
  addRows(3);
  {
    SqliteJournal journal{folder.path() / "outcomes.csv.journal"};
    const Report report{.id = "pr_1", .outcome = "failed", .time = std::chrono::sys_seconds{}};
    journal.write(std::vector<JournalIntent>{{.row = 1, .report = report.toText()}},
                  std::vector<JournalOutcome>{{.row = 0, .end = ReportEnd::refused, .reason = "no"}});
  }
  EXPECT_THAT(run({"--resume"}).output, HasSubstr("resuming: 1 ended, 1 to look up, 1 to send\n"));
}

TEST_F(TallyReport, ResumesOnlyWhenAskedTo) {
  addRows(3);
  EXPECT_EQ(run().status, complete);
  const Ended again = run();
  EXPECT_EQ(again.status, unusable);
  EXPECT_THAT(again.output, HasSubstr("exists: continue with --resume"));
  EXPECT_EQ(run({"--resume"}).status, complete);
  addRows(1);
  const Ended changed = run({"--resume"});
  EXPECT_EQ(changed.status, unusable);
  EXPECT_THAT(changed.output,
              HasSubstr("restore the original file, and put corrected rows in a separate file"));
  rows = 3;
  expectAllAppliedOnce();
}

TEST_F(TallyReport, ResumesOnlyWithItsJournal) {
  addRows(2'000);
  const std::string journal = folder.path() / "elsewhere";
  Process program = start({"--journal", journal, "--account", "shop"});
  waitForRequests();
  program.signal(SIGTERM);
  const std::string output = program.rest();
  EXPECT_EQ(program.status(), notComplete) << output;
  EXPECT_THAT(output, HasSubstr("run again with --resume --journal " + journal + " --account shop\n"));
  const Ended other = run({"--resume"});
  EXPECT_EQ(other.status, unusable);
  EXPECT_THAT(other.output,
              HasSubstr("outcomes.csv.journal does not exist: name the journal with --journal, or "
                        "leave out --resume to report everything\n"));
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "outcomes.csv.journal"));
  const Ended ended = run({"--resume", "--journal", journal, "--account", "shop"});
  EXPECT_EQ(ended.status, complete) << ended.output;
  expectAllAppliedOnce();
}

TEST_F(TallyReport, RefusesTheJournalOfAnotherAccount) {
  addRows(3);
  csv += "pr_missing,failed,1767225600,,3\n";
  EXPECT_EQ(run().status, someNotApplied);
  const std::string written = refused();
  service.requests().clear();
  key = service.addAccount().sandboxKey;
  setenv("TALLY_API_KEY", key.c_str(), 1);
  const Ended ended = run({"--resume"});
  EXPECT_EQ(ended.status, unusable);
  EXPECT_THAT(ended.output,
              AllOf(HasSubstr("outcomes.csv.journal belongs to another account; use the key, the "
                              "URL and the account of its earlier run\n"),
                    testing::Not(HasSubstr("run again"))));
  EXPECT_EQ(refused(), written);
  EXPECT_THAT(service.requests().list(), IsEmpty());
}

TEST_F(TallyReport, ResumesWithTheCorrectKeyAfterAWrongOne) {
  addRow(makeRecord().str(), "failed");
  addRows(2);
  setenv("TALLY_API_KEY", "sk_test_wrong", 1);
  const Ended wrong = run();
  EXPECT_EQ(wrong.status, notComplete);
  EXPECT_THAT(wrong.output, HasSubstr("key_unknown"));
  setenv("TALLY_API_KEY", key.c_str(), 1);
  const Ended right = run({"--resume"});
  EXPECT_EQ(right.status, complete) << right.output;
  expectAllAppliedOnce();
}

TEST_F(TallyReport, ReportsAFileThatCannotBeRead) {
  for (const auto& [name, reason] :
       {std::pair{"/nonexistent", "No such file or directory"}, std::pair{"/", "Is a directory"}}) {
    Process program{TALLY_REPORT, {"--dry-run", name}};
    EXPECT_EQ(program.rest(), std::string{"tally-report: can't read "} + name + ": " + reason + '\n');
    EXPECT_EQ(program.status(), unusable);
  }
}

TEST_F(TallyReport, RefusesToReplaceTheInputOrTheJournal) {
  addRows(1);
  csv += "pr_1,lost,0\n";
  const std::string file = writeFile();
  std::filesystem::create_symlink(file, folder.path() / "link");
  for (const std::string& path : {file, (folder.path() / "link").string(), file + ".journal",
                                  file + ".journal-wal", file + ".journal.lock"}) {
    const Ended ended = run({"--refused", path});
    EXPECT_EQ(ended.status, unusable);
    EXPECT_THAT(ended.output, AllOf(testing::StartsWith("tally-report: --refused names "),
                                    testing::EndsWith("; name another file\n")));
  }
  EXPECT_THAT(run({"--journal", file}).output,
              HasSubstr("--journal names a journal that would replace FILE"));
  EXPECT_FALSE(std::filesystem::exists(file + ".journal"));
  EXPECT_THAT(service.requests().list(), IsEmpty());
}

/// Where the refused rows are until they are complete.
TEST_F(TallyReport, RefusesToReplaceTheInputOrTheJournalByIncompleteRows) {
  csv += "pr_missing,failed,1767225600,,0\n";
  const std::string file = folder.write("outcomes.part", csv);
  const auto problemOf = [&](std::vector<std::string> options) {
    options.insert(options.begin(), {"--url", server.url(), "--refused", folder.path() / "outcomes"});
    Process program{TALLY_REPORT, options};
    std::string output = program.rest();
    EXPECT_EQ(program.status(), unusable);
    return output;
  };
  EXPECT_THAT(problemOf({file}), HasSubstr("--refused names FILE without its end, .part"));
  EXPECT_TRUE(std::filesystem::exists(file));
  EXPECT_THAT(problemOf({"--journal", file, writeFile()}), HasSubstr("--refused names the journal"));
}

TEST_F(TallyReport, FailsIfTheResultOfADryRunCannotBePrinted) {
  addRows(1);
  Process program{"/bin/sh", {"-c", R"(exec "$0" --dry-run "$1" > /dev/full)", TALLY_REPORT, writeFile()}};
  EXPECT_EQ(program.rest(), "tally-report: standard output can't be written\n");
  EXPECT_EQ(program.status(), unusable);
}

TEST_F(TallyReport, RefusesAJournalInAFolderThatDoesNotExist) {
  addRows(1);
  const Ended ended = run({"--journal", folder.path() / "none/x"});
  EXPECT_EQ(ended.status, unusable);
  EXPECT_THAT(ended.output, HasSubstr("can't be opened"));
  EXPECT_THAT(service.requests().list(), IsEmpty());
}

TEST_F(TallyReport, RefusesAJournalThatIsInUse) {
  addRows(3);
  const SqliteJournal occupied{folder.path() / "outcomes.csv.journal"};
  const Ended ended = run({"--resume"});
  EXPECT_EQ(ended.status, unusable);
  EXPECT_THAT(ended.output, HasSubstr("is in use by another process"));
  EXPECT_THAT(service.requests().list(), IsEmpty());
}

TEST_F(TallyReport, RefusesATruncatedJournal) {
  addRows(500);
  EXPECT_EQ(run().status, complete);
  std::filesystem::resize_file(folder.path() / "outcomes.csv.journal", 20'000);
  const Ended ended = run({"--resume"});
  EXPECT_EQ(ended.status, unusable);
  EXPECT_THAT(ended.output, HasSubstr("is damaged"));
  expectAllAppliedOnce();
}

TEST_F(TallyReport, StopsOnASignalAndResumes) {
  addRows(2'000);
  Process program = start({});
  waitForRequests();
  program.signal(SIGTERM);
  const std::string output = program.rest();
  EXPECT_EQ(program.status(), notComplete) << output;
  EXPECT_THAT(output, HasSubstr("run again with --resume"));
  const Ended ended = run({"--resume"});
  EXPECT_EQ(ended.status, complete) << ended.output;
  expectAllAppliedOnce();
}

TEST_F(TallyReport, IsNotCompleteIfTheFileGrowsDuringTheRun) {
  addRows(2'000);
  Process program = start({});
  waitForRequests();
  std::ofstream{folder.path() / "outcomes.csv", std::ios::app} << "pr_1,failed,soon,,x\n";
  expectChanged(program);
  expectResumed();
}

TEST_F(TallyReport, IsNotCompleteIfTheFileShrinksDuringTheRun) {
  addRows(2'000);
  Process program = start({});
  waitForRequests();
  std::filesystem::resize_file(folder.path() / "outcomes.csv", csv.rfind('\n', csv.size() - 2) + 1);
  expectChanged(program);
  expectResumed();
}

/// The last row may have been sent with its new time, so the original file may no longer match the journal.
TEST_F(TallyReport, IsNotCompleteIfARowChangesDuringTheRun) {
  addRows(2'000);
  Process program = start({});
  waitForRequests();
  std::fstream file{folder.path() / "outcomes.csv", std::ios::in | std::ios::out | std::ios::binary};
  file.seekp(static_cast<std::streamoff>(csv.rfind("1767225600"))).put('2').flush();
  expectChanged(program);
}

/// The name of a process can be read like a file, until the process is gone.
TEST_F(TallyReport, IsNotCompleteIfTheFileCannotBeReadToItsEnd) {
  while (rows < 2'000)
    addRow(makeRecord().str(), "failed");
  auto named = std::make_unique<Process>(
      "/bin/bash", std::vector<std::string>{"-c", "exec -a \"$1\" /bin/sleep 1000", "bash", csv});
  const std::string file = "/proc/" + std::to_string(named->id()) + "/cmdline";
  const auto isNamed = [&] {
    std::string start(csv.find('\n'), '\0');
    std::ifstream{file}.read(start.data(), static_cast<std::streamsize>(start.size()));
    return csv.starts_with(start);
  };
  while (!isNamed())
    std::this_thread::yield();
  const std::string journal = folder.path() / "journal";
  Process program{TALLY_REPORT,
                  {"--url", server.url(), "--rate", "0", "--journal", journal, "--refused",
                   folder.path() / "refused", file}};
  waitForRequests();
  named.reset();
  const std::string output = program.rest();
  EXPECT_EQ(program.status(), notComplete) << output;
  EXPECT_THAT(output, testing::ContainsRegex("cmdline, line [0-9]+: the file can't be read: .*\n"
                                             "not complete: run again with --resume --journal " +
                                             journal + '\n'));
  EXPECT_THAT(SqliteJournal{journal}.outcomes(0, 1'000), testing::Not(IsEmpty()));
}

TEST_F(TallyReport, ReadsOneJsonObjectPerLine) {
  const std::string file = folder.write("outcomes.ndjson", makeLines(20) + "{}\n");
  Process program{TALLY_REPORT, {"--url", server.url(), "--rate", "0", file}};
  EXPECT_THAT(program.rest(), HasSubstr("20 applied, 1 refused, 0 unknown, 0 waiting"));
  EXPECT_EQ(program.status(), someNotApplied);
  expectAllAppliedOnce();
}

/// The kernel cuts off the write that exceeds the limit, as on a full disk.
TEST_F(TallyReport, ResumesAfterTheDiskWasFull) {
  addRows(1'000);
  const std::string file = writeFile();
  constexpr const char* inLittleRoom = "trap '' XFSZ; ulimit -f 256; exec \"$@\"";  // blocks of 512 bytes
  Process limited{"/bin/sh",
                  {"-c", inLittleRoom, "sh", TALLY_REPORT, "--url", server.url(), "--rate", "0", file}};
  const std::string output = limited.rest();
  EXPECT_EQ(limited.status(), notComplete) << output;
  EXPECT_THAT(output, HasSubstr("outcomes.csv.journal can't be used: disk I/O error"));
  EXPECT_THAT(applied(), AllOf(testing::Not(IsEmpty()), SizeIs(testing::Lt(1'000U))));
  const Ended ended = run({"--resume"});
  EXPECT_EQ(ended.status, complete) << ended.output;
  EXPECT_THAT(ended.output, HasSubstr("1000 applied, 0 refused, 0 unknown, 0 waiting"));
  expectAllAppliedOnce();
}

/// Two thirds of the rows name their attempts.
TEST_F(TallyReport, ResumesAJobAtTheCorrectUrlAfterAWrongOne) {
  for (int i = 0; i < 100; ++i) {
    addRow(makeRecord().str(), "failed");
    addRows(2);
  }
  const Ended wrong = run({"--account", "shop", "--url", server.url() + "/api"});
  EXPECT_EQ(wrong.status, notComplete);
  EXPECT_THAT(wrong.output, AllOf(HasSubstr("0 applied, 0 refused"), HasSubstr("path_unknown"),
                                  HasSubstr("the base URL is probably wrong")));
  EXPECT_THAT(service.requests().list(), SizeIs(testing::Lt(300U)));
  const Ended right = run({"--account", "shop", "--resume"});
  EXPECT_EQ(right.status, complete) << right.output;
  expectAllAppliedOnce();
}

TEST_F(TallyReport, ResumesThroughAGatewayAfterAWrongPath) {
  for (int i = 0; i < 100; ++i) {
    addRow(makeRecord().str(), "failed");
    addRows(2);
  }
  const TemporaryFolder files;
  const Nginx gateway{files,
                      replaced("server { listen 127.0.0.1:@PORT@; location /v1/ { proxy_pass @SERVICE@; } }",
                               "@SERVICE@", server.url())};
  const std::string url = "http://127.0.0.1:" + std::to_string(gateway.port());
  const Ended wrong = run({"--account", "shop", "--url", url + "/api"});
  EXPECT_EQ(wrong.status, notComplete);
  EXPECT_THAT(wrong.output, AllOf(HasSubstr("0 applied, 0 refused"), HasSubstr("status 404"),
                                  HasSubstr("the base URL is probably wrong")));
  EXPECT_THAT(service.requests().list(), IsEmpty());
  const Ended right = run({"--account", "shop", "--resume", "--url", url});
  EXPECT_EQ(right.status, complete) << right.output;
  expectAllAppliedOnce();
}

TEST_F(NightlyExample, AppliesEachRowOnce) {
  const std::string file = folder.write("nightly", makeLines(20) + "bad\n");
  for (int run = 0; run < 2; ++run) {
    Process program{TALLY_NIGHTLY_REPORTS, {server.url(), file}};
    EXPECT_THAT(program.rest(), AllOf(HasSubstr(run == 0 ? "row 21: refused: invalid"
                                                         : "row 21: refused, from an earlier run: invalid"),
                                      HasSubstr("line 21: expected a JSON object"),
                                      HasSubstr("20 applied, 1 refused, 0 unknown, 0 waiting")));
    EXPECT_EQ(program.status(), complete);
    expectAllAppliedOnce();
  }
}

/// Kills at random moments in real time, since any instruction may be the last one.
class KilledTallyReport : public TallyReport {
 protected:
  static int kills() {
    const char* const given = std::getenv("TALLY_KILLS");
    return given == nullptr ? 20 : std::stoi(given);
  }

  /// A new job, whose rows have new numbers.
  void makeJob() {
    std::filesystem::remove(folder.path() / "outcomes.csv.journal");
    firstRow = rows;
    csv = "id,outcome,time,attempt,metadata[row]\n";
    for (int i = 0; i < 60; ++i) {
      const auto record = service.insert<PaymentRecord>(key);
      if (i % 3 != 0) {
        addRow(record.id.str(), "canceled", record.latestPaymentAttemptRecord.str());
      } else {
        // Several reports on one record are decidable if the record is read beforehand.
        for (const char* outcome : {"failed", "canceled", "guaranteed"})
          addRow(record.id.str(), outcome);
      }
    }
  }

  void armFaults() {
    if (!service.faults().pending().empty()) return;
    static constexpr const char* operations[] = {"payment_records.report_failed",
                                                 "payment_records.report_canceled"};
    static constexpr Fault faults[] = {Fault::reset, Fault::responseLost, Fault::truncatedBody,
                                       Fault::errorAfterProcessing};
    const std::string operation = operations[random.below(std::size(operations))];
    service.faults().inject(
        {.operation = operation, .times = 2 + static_cast<int>(random.below(20))});  // pass
    service.faults().inject({.operation = operation, .fault = faults[random.below(std::size(faults))]});
    service.faults().inject({.operation = operation, .error = "lock_timeout"});
  }

  /// Removes a journal without records, as the program would demand.
  [[nodiscard]] bool isBegun() const {
    constexpr std::uintmax_t onePage = 4'096;
    const std::filesystem::path journal = folder.path() / "outcomes.csv.journal";
    std::error_code missing;
    const auto log = std::filesystem::file_size(journal.string() + "-wal", missing);
    const bool hasLog = !missing && log != 0;
    if (!std::filesystem::exists(journal)) return false;
    return hasLog || std::filesystem::file_size(journal) > onePage || !std::filesystem::remove(journal);
  }

  /// Runs the program for at most `time`. Returns whether it has completed.
  bool runFor(std::chrono::milliseconds time) {
    Process program = start(isBegun() ? std::vector<std::string>{"--resume"} : std::vector<std::string>{});
    pollfd end{.fd = program.output(), .events = 0, .revents = 0};
    if (poll(&end, 1, static_cast<int>(time.count())) == 0) {
      program.endAtOnce();
      ++killed;
      return false;
    }
    const std::string output = program.rest();
    const int status = program.status();
    EXPECT_EQ(status, complete) << output;
    return status == complete;
  }

  /// The journal agrees with what the service did.
  void check() {
    expectAllAppliedOnce();
    SqliteJournal journal{folder.path() / "outcomes.csv.journal"};
    EXPECT_THAT(journal.intents(0, 1'000), IsEmpty());
    const auto outcomes = journal.outcomes(0, 1'000);
    EXPECT_THAT(outcomes, SizeIs(rows - firstRow));
    for (const auto& outcome : outcomes)
      EXPECT_EQ(outcome.end, ReportEnd::applied) << outcome.row << ' ' << outcome.reason;
  }

  stress::RandomSource random{1};
  int firstRow = 0;
  int killed = 0;
};

TEST_F(KilledTallyReport, AppliesEachRowOnce) {
  while (killed < kills() && !HasFailure()) {
    makeJob();
    int longest = 40;
    do {
      armFaults();
      longest += 2;  // so that it ends on any machine
    } while (!runFor(std::chrono::milliseconds{1 + random.below(static_cast<std::size_t>(longest))}));
    check();
  }
}

}  // namespace
}  // namespace tally::test

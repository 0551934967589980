// A program with reportAll() and a SqliteJournal, run again and again: results that were final stay true,
// and the service has done what they say.

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <tally/fake/http_server.h>
#include <tally/fake/sent_request.h>
#include <tally/fake/service.h>
#include <tally/report.h>
#include <tally/tally.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "support/process.h"
#include "temporary_folder.h"

namespace tally::test {
namespace {

using fake::Fault;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

/// One line of the program.
struct BulkResult {
  std::string end{};
  bool isFinal = false;
  bool fromEarlierRun = false;
  std::string reason{};
};

class BulkProgram : public testing::Test {
 protected:
  BulkProgram() { useKey(key); }

  static void useKey(const std::string& key) { setenv("TALLY_API_KEY", key.c_str(), 1); }

  /// A report with a number of its own, so that the log shows how often it was applied.
  Report makeReport(const PaymentRecord& record, const std::string& outcome = "failed") {
    return {.id = record.id.str(),
            .outcome = outcome,
            .time = std::chrono::sys_seconds{},
            .metadata = {{"number", std::to_string(numbers++)}},
            .attempt = record.latestPaymentAttemptRecord.str()};
  }
  PaymentRecord makeRecord() { return service.insert<PaymentRecord>(key); }
  std::vector<Report> makeReports(int count) {
    std::vector<Report> reports;
    for (; count > 0; --count)
      reports.push_back(makeReport(makeRecord()));
    return reports;
  }

  std::string writeFile(const char* name, const std::vector<Report>& reports) const {
    std::string lines;
    for (const Report& report : reports)
      lines += report.toText() + '\n';
    return folder.write(name, lines);
  }

  struct Ended {
    int status = 0;
    std::string output{};
    std::map<int, BulkResult> results{};
  };
  static Ended endOf(Process& program) {
    Ended ended;
    ended.output = program.rest();
    ended.status = program.status();
    std::istringstream lines{ended.output};
    for (std::string line; std::getline(lines, line);) {
      std::istringstream words{line};
      int row = 0;
      BulkResult result;
      std::string standing;
      std::string when;
      if (!(words >> row >> result.end >> standing >> when) || (standing != "pending" && standing != "final"))
        continue;
      result.isFinal = standing == "final";
      result.fromEarlierRun = when == "earlier";
      std::getline(words, result.reason);
      ended.results[row] = result;
    }
    return ended;
  }

  [[nodiscard]] Process start(const std::string& journal, const std::string& file,
                              std::vector<std::string> settings = {}, const std::string& before = "") const {
    std::vector<std::string> words{
        "-c",         "cd " + folder.path().string() + "; " + before + " exec \"$@\"",
        "sh",         TALLY_BULK_PROGRAM,
        server.url(), journal,
        file};
    words.insert(words.end(), settings.begin(), settings.end());
    return Process{"/bin/sh", words};
  }
  [[nodiscard]] Ended run(const std::string& journal, const std::string& file,
                          std::vector<std::string> settings = {}, const std::string& before = "") const {
    Process program = start(journal, file, std::move(settings), before);
    return endOf(program);
  }

  /// How often the service applied each report, by their numbers.
  [[nodiscard]] std::map<std::string, int> applied() const {
    std::map<std::string, int> times;
    for (const auto& request : service.requests().list())
      for (const auto& param : fake::sentParams(request.request))
        if (request.processed && param.name == "metadata[number]") ++times[param.value];
    return times;
  }
  static const std::string& numberOf(const Report& report) { return report.metadata.changes().front().value; }
  void expectAppliedOnce(const std::vector<Report>& reports) const {
    auto times = applied();
    for (const Report& report : reports)
      EXPECT_EQ(times[numberOf(report)], 1) << report;
  }

  fake::Service service{{.duration = std::chrono::nanoseconds{0}, .limits = false, .requestLog = 1'000'000}};
  std::string key = service.addAccount().sandboxKey;
  fake::HttpServer server{service};
  TemporaryFolder folder{};
  int numbers = 0;
};

// ---- The account

class BulkProgramOfAnAccount : public BulkProgram, public testing::WithParamInterface<const char*> {};

INSTANTIATE_TEST_SUITE_P(KeyFrom, BulkProgramOfAnAccount, testing::Values("provider", "header"),
                         [](const auto& one) { return std::string{one.param}; });

TEST_P(BulkProgramOfAnAccount, RefusesTheJournalOfAnotherAccount) {
  const std::string origin = std::string{"key="} + GetParam();
  const auto reports = makeReports(5);
  const std::string file = writeFile("file", reports);
  const Ended unnamed = run("journal", file, {origin});
  EXPECT_EQ(unnamed.status, 2);
  EXPECT_THAT(unnamed.output, HasSubstr("ReportAllOptions::account must name the account"));
  EXPECT_THAT(service.requests().list(), IsEmpty());
  EXPECT_EQ(run("journal", file, {origin, "account=a"}).status, 0);
  expectAppliedOnce(reports);
  // The same file of another account, which has records of the same names.
  const auto requests = service.requests().size();
  useKey(service.addAccount().sandboxKey);
  const Ended other = run("journal", file, {origin, "account=b"});
  EXPECT_EQ(other.status, 1);
  EXPECT_THAT(other.output, HasSubstr("belongs to another account"));
  EXPECT_THAT(other.results, IsEmpty());
  EXPECT_EQ(service.requests().size(), requests);
  useKey(key);
  EXPECT_EQ(run("journal", file, {origin, "account=a"}).status, 0);
  expectAppliedOnce(reports);
}

// ---- A full disk

/// The kernel cuts off the write that exceeds the limit, as on a full disk.
TEST_F(BulkProgram, NeverContradictsAFinalResultAfterTheDiskWasFull) {
  int cut = 0;
  for (int blocks = 40; blocks <= 300; blocks += 20) {  // of 512 bytes
    SCOPED_TRACE(std::to_string(blocks) + " blocks");
    auto reports = makeReports(40);
    for (int i = 0; i < 40; ++i) {
      const auto record = makeRecord();
      reports.push_back(makeReport(record, "guaranteed"));
      reports.push_back(makeReport(record, "guaranteed"));  // refused; looks as if it was applied
      reports.push_back(makeReport(record));
      reports.back().id = "pr_missing";  // refused; can't be found out later
    }
    const std::string file = writeFile("file", reports);
    const std::string journal = "journal" + std::to_string(blocks);
    const std::string limit = "trap '' XFSZ; ulimit -f " + std::to_string(blocks) + ";";
    const Ended first = run(journal, file, {"window=40"}, limit);
    if (first.status != 0) ++cut;
    const Ended second = run(journal, file);
    EXPECT_EQ(second.status, 0) << second.output;
    EXPECT_THAT(second.results, SizeIs(reports.size()));
    for (const auto& [row, result] : first.results) {
      if (!result.isFinal) continue;
      const BulkResult& later = second.results.at(row);
      EXPECT_EQ(later.end, result.end) << row << result.reason << " /" << later.reason;
      EXPECT_TRUE(later.fromEarlierRun) << row << ' ' << result.end;
    }
    auto applications = applied();
    for (const auto& [row, result] : second.results) {
      const int times = applications[numberOf(reports[static_cast<std::size_t>(row)])];
      EXPECT_LE(times, result.end == "refused" ? 0 : 1) << row;
      EXPECT_GE(times, row < 40 ? 1 : 0) << row << ' ' << result.end;
    }
  }
  EXPECT_GE(cut, 8);
}

// ---- The name of the journal

TEST_F(BulkProgram, RequiresTheNameOfAJournal) {
  const std::string file = writeFile("file", makeReports(1));
  const Ended ended = run("", file);
  EXPECT_EQ(ended.status, 1);
  EXPECT_THAT(ended.output, HasSubstr("the journal has no name"));
  EXPECT_THAT(service.requests().list(), IsEmpty());
}

TEST_F(BulkProgram, ResumesFromAJournalNamedLikeAnInMemoryDatabase) {
  for (const std::string journal : {":memory:", "file::memory:?cache=shared", "file:journal?mode=memory"}) {
    SCOPED_TRACE(journal);
    const auto reports = makeReports(200);
    const std::string file = writeFile("file", reports);
    Process program = start(journal, file, {"window=20"});
    for (int results = 0; results < 50; ++results)
      EXPECT_FALSE(program.line().empty());
    program.endAtOnce();
    const Ended second = run(journal, file);
    EXPECT_EQ(second.status, 0) << second.output;
    EXPECT_TRUE(second.results.at(0).fromEarlierRun);
    const auto requests = service.requests().size();
    EXPECT_EQ(run(journal, file).status, 0);
    EXPECT_EQ(service.requests().size(), requests);
    expectAppliedOnce(reports);
    EXPECT_TRUE(std::filesystem::is_regular_file(folder.path() / journal));
  }
}

// ---- Another input

/// The first rows leave no trace in the journal: they wait for a record that can't be read.
TEST_F(BulkProgram, SendsNothingIfTheJournalBelongsToAnotherInput) {
  std::vector<Report> reports;
  const auto unreadable = makeRecord();
  for (int i = 0; i < 300; ++i) {
    reports.push_back(makeReport(unreadable));
    reports.back().attempt.clear();
  }
  for (const Report& report : makeReports(50))
    reports.push_back(report);
  const std::string file = writeFile("file", reports);
  const auto fault = service.faults().inject(
      {.operation = "payment_records.retrieve", .times = 1'000'000, .fault = Fault::reset});
  const Ended first = run("journal", file, {"retry-timeout=300"});
  EXPECT_EQ(first.status, 1) << first.output;
  EXPECT_EQ(first.results.at(0).end, "unsent");
  EXPECT_EQ(first.results.at(349).end, "applied");
  service.faults().remove(fault);

  const auto others = makeReports(350);
  const auto requests = service.requests().size();
  const Ended wrong = run("journal", writeFile("other", others), {"window=20"});
  EXPECT_EQ(wrong.status, 1);
  EXPECT_THAT(wrong.output, HasSubstr("the journal belongs to another input: row 301 is "));
  EXPECT_EQ(service.requests().size(), requests);

  const Ended right = run("journal", file, {"window=20"});
  EXPECT_EQ(right.status, 0) << right.output;
  expectAppliedOnce(reports);
}

// ---- The lock

/// The program reads its rows from a pipe, so it runs until the test closes it.
TEST_F(BulkProgram, KeepsItsJournalLockedEvenIfItReadsTheJournalFile) {
  const auto reports = makeReports(4);
  const std::filesystem::path pipe = folder.path() / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  std::filesystem::create_symlink("journal", folder.path() / "link");
  Process first = start("link", pipe.string(), {"window=1", "look=1"});
  std::ofstream rows{pipe};
  // The journal is open once the second row is read, which follows the look after the first one.
  for (int row = 0; row < 2; ++row) {
    rows << reports[static_cast<std::size_t>(row)].toText() << std::endl;
    EXPECT_THAT(first.line(), HasSubstr("applied final"));
  }
  rows << reports[2].toText() << std::endl;
  EXPECT_THAT(first.line(), HasSubstr("2 applied final"));
  const std::string file = writeFile("file", reports);
  for (const char* journal : {"journal", "link", "./journal"}) {
    const Ended second = run(journal, file);
    EXPECT_EQ(second.status, 1) << second.output;
    EXPECT_THAT(second.output, HasSubstr("is in use by another process"));
  }
  rows << reports[3].toText() << std::endl;
  rows.close();
  const Ended ended = endOf(first);
  EXPECT_EQ(ended.status, 0) << ended.output;
  EXPECT_EQ(run("journal", file).status, 0);
  expectAppliedOnce(reports);
}

}  // namespace
}  // namespace tally::test

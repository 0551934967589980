// reportAll() with a SqliteJournal that can't be used: every problem is in the summary, and none is thrown.

#include <filesystem>
#include <memory>
#include <string>

#include <tally/sqlite_journal.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include "sdk/support/bulk_reports.h"
#include "temporary_folder.h"

namespace tally::test {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class JobWithAnUnusableJournal : public ReportAll {
 protected:
  JobWithAnUnusableJournal() { makeReports(50); }

  ReportSummary runWith(const SqliteJournalOptions& journalOptions = {}) {
    options.journal = std::make_shared<SqliteJournal>(path, journalOptions);
    const ReportSummary summary = run();
    options.journal.reset();
    return summary;
  }

  /// Nothing is sent, and the summary says why.
  void expectRefusal(const testing::Matcher<std::string>& problem) {
    const auto requests = service->requests().size();
    const ReportSummary summary = runWith();
    EXPECT_THAT(summary.problem, problem);
    EXPECT_FALSE(summary.isComplete);
    EXPECT_THAT(told, IsEmpty());
    EXPECT_EQ(service->requests().size(), requests);
  }

  TemporaryFolder folder{};
  std::filesystem::path path = folder.path() / "reports.journal";
};

TEST_F(JobWithAnUnusableJournal, ReportsThatTheJournalIsInUse) {
  const SqliteJournal other{path};
  expectRefusal(HasSubstr("is in use by another process"));
}

TEST_F(JobWithAnUnusableJournal, ReportsThatTheJournalIsDamaged) {
  EXPECT_TRUE(runWith().isComplete);
  std::filesystem::resize_file(path, std::filesystem::file_size(path) / 2);
  expectRefusal(HasSubstr("is damaged"));
}

TEST_F(JobWithAnUnusableJournal, ReportsThatTheFileIsNotAJournal) {
  (void)folder.write("reports.journal", std::string(5'000, 'x'));
  expectRefusal(HasSubstr("is not a tally journal"));
}

TEST_F(JobWithAnUnusableJournal, ReportsThatTheJournalBelongsToAnotherInput) {
  EXPECT_TRUE(runWith().isComplete);
  std::swap(reports[0], reports[1]);
  expectRefusal("the journal belongs to another input: row 1 is " + reports[0].toText() +
                ", but the journal has " + reports[1].toText());
}

TEST_F(JobWithAnUnusableJournal, ReportsThatTheFolderDoesNotExist) {
  path = folder.path() / "missing" / "reports.journal";
  expectRefusal(HasSubstr("can't be opened"));
}

TEST_F(JobWithAnUnusableJournal, ReportsThatThePathIsNotARegularFile) {
  path = folder.path();
  expectRefusal(HasSubstr("is not a regular file"));
  path = "";
  expectRefusal("the journal has no name: pass the path of a file");
}

TEST_F(JobWithAnUnusableJournal, ReportsThatTheJournalIsFullAndLeavesTheRestToTheNextRun) {
  makeReports(100);
  options.window = 10;
  const ReportSummary full = runWith({.maxBytes = std::uint64_t{6} * 4'096});
  EXPECT_THAT(full.problem, HasSubstr("full"));
  EXPECT_FALSE(full.isComplete);
  EXPECT_GT(full.progress.applied, 0U);
  const ReportSummary rest = runWith();
  EXPECT_TRUE(rest.isComplete) << rest.problem;
  expectAllDoneOnce();
}

/// As on a full disk when the job begins.
TEST_F(JobWithAnUnusableJournal, ReportsThatTheJournalIsFullBeforeSendingAnything) {
  options.journal = std::make_shared<SqliteJournal>(path, SqliteJournalOptions{.maxBytes = 1});
  const ReportSummary summary = run();
  EXPECT_THAT(summary.problem, HasSubstr("full"));
  EXPECT_FALSE(summary.isComplete);
  EXPECT_THAT(service->requests().list(), IsEmpty());
}

}  // namespace
}  // namespace tally::test

#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <system_error>
#include <vector>

#include <tally/sqlite_journal.h>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/disk_syncs.h"
#include "temporary_folder.h"

namespace tally::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

/// Changes the working folder while it exists.
class WorkingFolder {
 public:
  explicit WorkingFolder(const std::filesystem::path& folder) { std::filesystem::current_path(folder); }
  WorkingFolder(const WorkingFolder&) = delete;
  WorkingFolder& operator=(const WorkingFolder&) = delete;
  ~WorkingFolder() {
    std::error_code ignored;
    std::filesystem::current_path(before_, ignored);
  }

 private:
  std::filesystem::path before_ = std::filesystem::current_path();
};

class SqliteJournalTest : public testing::Test {
 protected:
  std::string problemOf(const std::function<void()>& action) {
    try {
      action();
    } catch (const JournalError& error) {
      return error.what();
    }
    return "none";
  }
  std::string problem() {
    return problemOf([this] { SqliteJournal{path}.open(owner); });
  }

  static std::vector<JournalIntent> makeIntents(std::uint64_t from, std::uint64_t to) {
    std::vector<JournalIntent> result;
    for (; from < to; ++from)
      result.push_back(
          {.row = from, .report = R"({"id":"pr_)" + std::to_string(from) + R"("})", .before = ""});
    return result;
  }
  static std::vector<JournalOutcome> makeOutcomes(std::uint64_t from, std::uint64_t to) {
    std::vector<JournalOutcome> result;
    for (const auto& intent : makeIntents(from, to))
      result.push_back({.row = intent.row, .report = intent.report});
    return result;
  }

  /// Changes the file as another program would.
  void change(const char* sql) const {
    sqlite3* database = nullptr;
    ASSERT_EQ(sqlite3_open(path.c_str(), &database), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(database, sql, nullptr, nullptr, nullptr), SQLITE_OK);
    sqlite3_close(database);
  }

  TemporaryFolder folder{};
  const std::filesystem::path path = folder.path() / "reports.journal";
  const JournalOwner owner{.source = "input", .account = "ours"};
};

TEST_F(SqliteJournalTest, KeepsIntentsAndOutcomes) {
  const std::vector<JournalIntent> intents{{.row = 0, .report = "a"},
                                           {.row = 1, .report = "b\n", .before = R"({"id":"pr_1"})"},
                                           {.row = 7, .report = std::string("c\0d", 3)}};
  {
    SqliteJournal journal{path};
    journal.open(owner);
    journal.write(intents, {});
    journal.write({}, std::vector<JournalOutcome>{
                          {.row = 0, .report = "a"},
                          {.row = 3, .end = ReportEnd::refused, .reason = "no", .report = "x"}});
  }
  SqliteJournal journal{path};
  journal.open(owner);
  EXPECT_THAT(journal.intents(0, 10), ElementsAre(intents[1], intents[2]));
  EXPECT_THAT(journal.intents(2, 10), ElementsAre(intents[2]));
  EXPECT_THAT(journal.intents(0, 1), ElementsAre(intents[1]));
  EXPECT_THAT(
      journal.outcomes(0, 10),
      ElementsAre(JournalOutcome{.row = 0, .report = "a"},
                  JournalOutcome{.row = 3, .end = ReportEnd::refused, .reason = "no", .report = "x"}));
  EXPECT_THAT(journal.outcomes(1, 10), SizeIs(1));
  EXPECT_EQ(journal.state(), (SqliteJournalState{.source = "input", .intents = 2, .outcomes = 2}));
}

TEST_F(SqliteJournalTest, SyncsWhatItHasWritten) {
  SqliteJournal journal{path};
  journal.open(owner);
  int before = diskSyncs();
  journal.write(makeIntents(0, 1), {});
  EXPECT_EQ(diskSyncs(), before + 1);
  before = diskSyncs();
  journal.write({}, makeOutcomes(0, 1));
  EXPECT_EQ(diskSyncs(), before + 1);
}

TEST_F(SqliteJournalTest, HasAnEmptyStateBeforeItsFirstJob) {
  EXPECT_EQ(SqliteJournal{path}.state(), SqliteJournalState{});
}

TEST_F(SqliteJournalTest, ReplacesTheOutcomeOfAnUnsentReportWithItsNextIntent) {
  SqliteJournal journal{path};
  journal.open(owner);
  journal.write(makeIntents(0, 1), {});
  journal.write({}, std::vector<JournalOutcome>{{.row = 0, .end = ReportEnd::unsent, .reason = "later"}});
  EXPECT_THAT(journal.outcomes(0, 10), SizeIs(1));
  EXPECT_EQ(journal.state(), (SqliteJournalState{.source = "input"}));  // the next run sends it
  journal.write(makeIntents(0, 1), {});
  EXPECT_THAT(journal.outcomes(0, 10), IsEmpty());
  EXPECT_THAT(journal.intents(0, 10), SizeIs(1));
}

TEST_F(SqliteJournalTest, UsesAWriteAheadLog) {
  SqliteJournal journal{path};
  journal.open(owner);
  journal.write(makeIntents(0, 10), {});
  EXPECT_TRUE(std::filesystem::exists(path.string() + "-wal"));
}

TEST_F(SqliteJournalTest, KeepsIntentsWhenItsProcessIsKilled) {
  const pid_t child = fork();
  if (child == 0) {
    SqliteJournal journal{path};
    journal.open(owner);
    journal.write(makeIntents(0, 100), {});
    kill(getpid(), SIGKILL);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));
  SqliteJournal journal{path};
  journal.open(owner);
  EXPECT_EQ(journal.intents(0, 1'000), makeIntents(0, 100));
}

TEST_F(SqliteJournalTest, RefusesAFileThatIsInUse) {
  const SqliteJournal first{path};
  EXPECT_THAT(problem(), HasSubstr("is in use by another process"));
}

TEST_F(SqliteJournalTest, RefusesTheFileOfAnotherJob) {
  EXPECT_EQ(problem(), "none");
  EXPECT_EQ(problem(), "none");
  EXPECT_THAT(problemOf([&] { SqliteJournal{path}.open({.source = "other", .account = "ours"}); }),
              HasSubstr("belongs to another input: 'input', not 'other'"));
}

TEST_F(SqliteJournalTest, RefusesAnotherAccountOnceAReportMayHaveBeenSent) {
  const auto openAs = [&](const char* account) {
    return problemOf([&] { SqliteJournal{path}.open({.source = "input", .account = account}); });
  };
  const auto write = [&](std::span<const JournalIntent> intents, std::span<const JournalOutcome> outcomes) {
    SqliteJournal journal{path};
    journal.write(intents, outcomes);
  };
  EXPECT_EQ(openAs("wrong key"), "none");
  EXPECT_EQ(openAs("wrong URL"), "none");
  const std::vector<JournalIntent> intents = makeIntents(0, 1);
  const std::vector<JournalOutcome> unsent{{.row = 0, .end = ReportEnd::unsent, .report = intents[0].report}};
  write({}, unsent);
  EXPECT_EQ(openAs("right"), "none");
  write(intents, {});
  EXPECT_THAT(openAs("other"), HasSubstr("belongs to another account; use the key, the URL and the account"));
  EXPECT_EQ(openAs("right"), "none");
}

TEST_F(SqliteJournalTest, RefusesAFileOfADifferentVersion) {
  EXPECT_EQ(problem(), "none");
  change("PRAGMA user_version = 2");
  EXPECT_THAT(problem(), HasSubstr("has version 2, but this program writes version 1"));
}

TEST_F(SqliteJournalTest, RefusesFilesThatAreNotJournalsAndLeavesThemUnchanged) {
  const std::string text(5'000, 'x');
  (void)folder.write("reports.journal", text);
  EXPECT_THAT(problem(), HasSubstr("is not a tally journal"));
  EXPECT_EQ(std::filesystem::file_size(path), text.size());
  std::filesystem::remove(path);
  change("CREATE TABLE reports (row INTEGER)");
  EXPECT_THAT(problem(), HasSubstr("is not a tally journal"));
}

TEST_F(SqliteJournalTest, RefusesATruncatedFile) {
  {
    SqliteJournal journal{path};
    journal.open(owner);
    journal.write(makeIntents(0, 2'000), {});
  }
  const auto size = std::filesystem::file_size(path);
  for (const auto left : {size - 4'096, size / 2, std::uintmax_t{4'096 + 100}, std::uintmax_t{50}}) {
    std::filesystem::resize_file(path, left);
    EXPECT_THAT(problem(), testing::AnyOf(HasSubstr("is damaged"), HasSubstr("is not a tally journal")))
        << left;
    EXPECT_EQ(std::filesystem::file_size(path), left);
  }
}

TEST_F(SqliteJournalTest, KeepsItsContentsWhenFull) {
  SqliteJournal journal{path, {.maxBytes = std::uint64_t{64} * 4'096}};
  journal.open(owner);
  std::uint64_t rows = 0;
  const std::string what = problemOf([&] {
    for (; rows < 100'000; rows += 100)
      journal.write(makeIntents(rows, rows + 100), {});
  });
  EXPECT_THAT(what, HasSubstr("full"));
  EXPECT_GT(rows, 0U);
  EXPECT_EQ(journal.intents(0, 100'000), makeIntents(0, rows));
  journal.write({}, makeOutcomes(0, 10));  // needs no room
  EXPECT_THAT(journal.outcomes(0, 100), SizeIs(10));
}

/// SQLite would keep the first three in memory or in a temporary file, and take others for URIs.
TEST_F(SqliteJournalTest, CreatesAFileEvenIfSqliteWouldInterpretItsName) {
  const WorkingFolder here{folder.path()};
  for (const std::string name : {":memory:", "file::memory:", "file:a?mode=memory", "file:b", "file:%41",
                                 "c?vfs=none", " ", "-", "é", "file:///d"}) {
    if (name.starts_with("file:/")) std::filesystem::create_directory("file:");
    {
      SqliteJournal journal{name};
      journal.open(owner);
      journal.write(makeIntents(0, 3), {});
      EXPECT_TRUE(std::filesystem::is_regular_file(folder.path() / name)) << name;
    }
    SqliteJournal journal{folder.path() / name};
    journal.open(owner);
    EXPECT_EQ(journal.intents(0, 10), makeIntents(0, 3)) << name;
  }
}

TEST_F(SqliteJournalTest, RefusesAPathThatIsNotARegularFile) {
  const auto problemWith = [&](const std::filesystem::path& given) {
    return problemOf([&] { SqliteJournal{given}.open(owner); });
  };
  EXPECT_EQ(problemWith(""), "the journal has no name: pass the path of a file");
  EXPECT_THAT(problemWith(folder.path() / std::string("a\0b", 3)), HasSubstr("contains a NUL character"));
  EXPECT_THAT(problemWith(folder.path()), HasSubstr("is not a regular file"));
  EXPECT_THAT(problemWith(folder.path() / ""), HasSubstr("is not a regular file"));
  EXPECT_THAT(problemWith("/dev/null"), HasSubstr("is not a regular file"));
  EXPECT_THAT(problemWith("/dev/full"), HasSubstr("is not a regular file"));
  ASSERT_EQ(mkfifo((folder.path() / "pipe").c_str(), 0600), 0);
  EXPECT_THAT(problemWith(folder.path() / "pipe"), HasSubstr("is not a regular file"));
}

TEST_F(SqliteJournalTest, KeepsItsFileWhenTheWorkingFolderChanges) {
  const WorkingFolder here{folder.path()};
  SqliteJournal journal{"reports.journal"};
  const WorkingFolder elsewhere{"/"};
  journal.open(owner);
  journal.write(makeIntents(0, 3), {});
  EXPECT_THAT(problem(), HasSubstr("is in use by another process"));
  EXPECT_TRUE(std::filesystem::exists(path.string() + "-wal"));
}

TEST_F(SqliteJournalTest, IsLockedUnderEveryNameOfItsFile) {
  std::filesystem::create_symlink("reports.journal", folder.path() / "link");
  std::filesystem::create_directory_symlink(folder.path(), folder.path() / "here");
  {
    SqliteJournal first{folder.path() / "link"};  // creates the file
    first.open(owner);
    first.write(makeIntents(0, 3), {});
    (void)std::ifstream{path}.get();
    for (const char* name : {"reports.journal", "link", "here/link", "./here/./reports.journal"}) {
      EXPECT_THAT(problemOf([&] { SqliteJournal{folder.path() / name}.open(owner); }),
                  HasSubstr("is in use by another process"))
          << name;
    }
    std::filesystem::create_hard_link(path, folder.path() / "second");
    EXPECT_THAT(problemOf([&] { SqliteJournal{folder.path() / "second"}.open(owner); }),
                HasSubstr("the journal"));
  }
  EXPECT_TRUE(std::filesystem::exists(path.string() + ".lock"));
  EXPECT_THAT(problemOf([&] { SqliteJournal{folder.path() / "second"}.open(owner); }),
              HasSubstr("has more than one hard link"));
  EXPECT_THAT(problem(), HasSubstr("has more than one hard link"));
  std::filesystem::remove(folder.path() / "second");
  EXPECT_EQ(problem(), "none");
}

TEST_F(SqliteJournalTest, CreatesALockFileWithThePermissionsOfTheJournal) {
  const auto modeOf = [&](const char* suffix) {
    return std::filesystem::status(path.string() + suffix).permissions();
  };
  EXPECT_EQ(problem(), "none");
  EXPECT_EQ(modeOf(".lock"), modeOf(""));
  std::filesystem::remove(path.string() + ".lock");
  std::filesystem::permissions(path, std::filesystem::perms{0660});
  EXPECT_EQ(problem(), "none");
  EXPECT_EQ(modeOf(".lock"), std::filesystem::perms{0660});
}

TEST_F(SqliteJournalTest, IsUnlockedAfterItFailsToOpen) {
  EXPECT_EQ(problem(), "none");
  EXPECT_THAT(problemOf([&] { SqliteJournal{path}.open({.source = "other"}); }),
              HasSubstr("belongs to another input"));
  EXPECT_EQ(problem(), "none");
}

TEST_F(SqliteJournalTest, IsUnlockedOnDestructionEvenIfAChildProcessRuns) {
  std::optional<SqliteJournal> first{path};
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  const pid_t child = fork();
  if (child == 0) {
    execl("/bin/sleep", "sleep", "1000", nullptr);
    _exit(1);
  }
  close(ends[1]);
  char none = 0;
  EXPECT_EQ(read(ends[0], &none, 1), 0);  // the program has begun
  close(ends[0]);
  first.reset();
  EXPECT_EQ(problem(), "none");
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
}

TEST_F(SqliteJournalTest, ReadsAFileOfTheFirstVersion) {
  change(R"(PRAGMA journal_mode = WAL;
            CREATE TABLE job (source TEXT NOT NULL, account TEXT NOT NULL);
            CREATE TABLE reports (row INTEGER PRIMARY KEY, state TEXT NOT NULL, report TEXT NOT NULL, before TEXT,
                                  reason TEXT);
            PRAGMA application_id = 1952541817; PRAGMA user_version = 1;
            INSERT INTO job VALUES ('input', 'ours');
            INSERT INTO reports VALUES (0, 'done', 'a', NULL, NULL), (1, 'sent', 'b', '{}', NULL);)");
  SqliteJournal journal{path};
  journal.open(owner);
  EXPECT_THAT(journal.outcomes(0, 10), ElementsAre(JournalOutcome{.row = 0, .report = "a"}));
  EXPECT_THAT(journal.intents(0, 10), ElementsAre(JournalIntent{.row = 1, .report = "b", .before = "{}"}));
}

TEST_F(SqliteJournalTest, AcceptsTheSmallestAndTheLargestMaximumSize) {
  EXPECT_THAT(problemOf([&] {
                SqliteJournal journal{path, {.maxBytes = 1}};
                journal.open(owner);
                for (int i = 0; i < 1'000; ++i)
                  journal.write(makeIntents(0, 100), makeOutcomes(100, 200));
                for (std::uint64_t i = 0; i < 1'000; ++i)
                  journal.write(makeIntents(1'000 * i, 1'000 * (i + 1)), {});
              }),
              HasSubstr("full"));
  std::filesystem::remove(path);
  SqliteJournal journal{path, {.maxBytes = std::numeric_limits<std::uint64_t>::max()}};
  journal.open(owner);
  journal.write(makeIntents(0, 1'000), {});
}

TEST_F(SqliteJournalTest, RefusesToWriteToAFileThatIsRemovedOrReplaced) {
  for (const bool isReplaced : {false, true}) {
    SqliteJournal journal{path};
    journal.open(owner);
    journal.write(makeIntents(0, 10), {});
    std::filesystem::remove(path);
    if (isReplaced) (void)folder.write("reports.journal", "another");
    EXPECT_THAT(problemOf([&] { journal.write({}, makeOutcomes(0, 10)); }),
                HasSubstr("has been removed or replaced while it was in use"));
    std::filesystem::remove(path);
  }
}

TEST_F(SqliteJournalTest, KeepsEmptyStrings) {
  SqliteJournal journal{path};
  journal.open({});
  journal.write(std::vector<JournalIntent>{{.row = 0}}, std::vector<JournalOutcome>{{.row = 1}});
  EXPECT_THAT(journal.intents(0, 10), ElementsAre(JournalIntent{.row = 0}));
  EXPECT_THAT(journal.outcomes(0, 10), ElementsAre(JournalOutcome{.row = 1}));
}

TEST_F(SqliteJournalTest, ReportsThatItsFileCannotBeCreated) {
  EXPECT_THAT(problemOf([&] { SqliteJournal{"/nonexistent/journal"}.open(owner); }),
              HasSubstr("the journal /nonexistent/journal can't be opened"));
}

}  // namespace
}  // namespace tally::test

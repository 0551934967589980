#pragma once

#include <tally/detail/cpp20.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <tally/report_journal.h>

namespace [[gnu::visibility("default")]] tally {

/// The options of a SqliteJournal.
struct SqliteJournalOptions {
  /// The maximum size of the file in bytes, rounded down to pages of 4 KiB; 0: as large as the disk permits.
  /// If it is reached, writing fails as on a full disk.
  std::uint64_t maxBytes = 0;
};

std::ostream& operator<<(std::ostream& out, const SqliteJournalOptions& value);

/// What a journal contains.
struct SqliteJournalState {
  std::string source{};        ///< ReportAllOptions::source of its job; empty if no job has begun.
  std::uint64_t intents = 0;   ///< Reports that may have been sent and have no outcome.
  std::uint64_t outcomes = 0;  ///< Reports that have ended, except as ReportEnd::unsent.

  bool operator==(const SqliteJournalState&) const = default;
};

std::ostream& operator<<(std::ostream& out, const SqliteJournalState& value);

/// A journal in one SQLite file, with its write-ahead log (`-wal`) and its lock (`.lock`) next to it.
/// Component `bulk`, target `tally::bulk`.
///
/// Each write() is one transaction with one fsync. The file belongs to one SqliteJournal until that object is
/// destroyed or its process ends in any way. Until then, any other SqliteJournal of this file is refused,
/// even in the same process. Damaged files, and files of other versions or programs, are refused too. The
/// functions of a journal that is refused throw JournalError; reportAll() reports that in
/// ReportSummary::problem, like any other problem of a journal.
///
/// The lock uses flock(2) on the file `.lock`, in addition to SQLite's own lock, which a process loses when
/// it opens and closes the journal for another purpose, such as a backup. The lock file is never removed:
/// removing it while a process waits to open it would let two processes in. A child made by fork() without
/// exec() shares the lock until it ends, and must not use the journal. On a network file system, the lock is
/// only as reliable as the locks of that system. If the file system has no locks, the journal is refused.
///
/// Once the job has ended, the table `reports` can be queried with the `sqlite3` program. Its columns are
/// `row`, `state` (`sent` for an intent without an outcome, otherwise a ReportEnd), `report`, `before` and
/// `reason`. It contains what was reported, including metadata, but no API key.
class SqliteJournal final : public ReportJournal {
 public:
  /// Opens or creates the file `path`, whatever its name: `:memory:` and `file:…` have no special meaning. A
  /// symbolic link to the file leads to the same journal. A file with several hard links is refused, because
  /// its log would be next to only one of them. If the file can't be opened, is refused, or is not a regular
  /// file, all other functions throw JournalError. To try again, make a new SqliteJournal.
  explicit SqliteJournal(const std::filesystem::path& path, const SqliteJournalOptions& options = {});
  ~SqliteJournal() override;

  void open(const JournalOwner& owner) override;
  void write(std::span<const JournalIntent> intents, std::span<const JournalOutcome> outcomes) override;
  [[nodiscard]] std::vector<JournalIntent> intents(std::uint64_t row, std::size_t limit) override;
  [[nodiscard]] std::vector<JournalOutcome> outcomes(std::uint64_t row, std::size_t limit) override;

  /// For programs that show which run they resume. Reads the whole journal. Throws JournalError.
  [[nodiscard]] SqliteJournalState state() const;

 private:
  class Database;

  [[nodiscard]] Database& database() const;

  std::unique_ptr<Database> database_{};
  std::string problem_{};  // why there is no database
};

}  // namespace tally

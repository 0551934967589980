#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <tally/report_journal.h>
#include <tally/stop_token.h>

#include "bulk/bulk_row.h"
#include "bulk/guarded_journal.h"
#include "bulk/journal_cursor.h"
#include "bulk/report_input.h"
#include "bulk/verdict.h"

namespace tally::detail {

/// A row as it is taken in.
struct Arrival {
  BulkRow* row = nullptr;          // null: it has arrived already, from the journal
  std::optional<Verdict> ended{};  // how it ends without a call
  bool fromEarlierRun = false;     // then the row is held only until the next one is read
};

/// Takes in the rows of a job: first the reports that an earlier run may have sent, from the journal, then
/// those of the input, compared with the journal. Throws JournalError if the journal fails or is that of
/// another input.
class Intake {
 public:
  /// Everything must outlive this. `rows` is the window: new rows are added, and whoever delivers their
  /// results removes them. Without a journal, nothing comes from earlier runs. `thrown` keeps what the source
  /// throws.
  Intake(BulkRows& rows, std::size_t window, const ReportSource& source, GuardedJournal* journal,
         std::exception_ptr& thrown);

  /// Compares the journal's first row with that of the input, before anything else is done. Returns false if
  /// the source throws or `stop` is requested before that row.
  [[nodiscard]] bool compare(const StopToken& stop);

  /// The next report that an earlier run may have sent; nothing if there is none.
  [[nodiscard]] std::optional<Arrival> resume();

  /// The next row of the input; nothing at the end, if the source throws, and until resume() has returned
  /// all reports.
  [[nodiscard]] std::optional<Arrival> next();

  [[nodiscard]] bool hasRoom() const { return rows_.size() < window_; }
  /// Whether resume() and next() return no more rows.
  [[nodiscard]] bool hasEnded() const noexcept { return inputEnded_; }

 private:
  [[nodiscard]] bool readAhead();
  [[nodiscard]] std::optional<Result<Report>> read();
  [[nodiscard]] Arrival restore(JournalIntent& intent);
  [[nodiscard]] Arrival take(Result<Report>&& report);
  [[nodiscard]] bool wasResumed(const BulkRow& row);
  [[nodiscard]] const JournalOutcome* earlierOutcome(const BulkRow& row);
  void checkEnd();

  BulkRows& rows_;
  std::size_t window_;
  ReportInput input_;
  GuardedJournal* journal_;
  std::exception_ptr& thrown_;

  JournalCursor earlier_;
  BulkRow skipped_{};                               // the last row with an earlier outcome
  std::vector<JournalIntent> intents_{};            // as read from the journal
  std::size_t nextRead_ = 0;                        // of these
  std::uint64_t nextIntent_ = 0;                    // the lowest row that the next intent may have
  std::map<std::uint64_t, std::string> resumed_{};  // rows with an intent, and their texts
  std::uint64_t next_ = 0;                          // the number of the next row of the input
  bool compared_;  // the journal is that of the input, as far as its first row shows
  bool intentsTaken_;
  bool inputEnded_ = false;
};

}  // namespace tally::detail

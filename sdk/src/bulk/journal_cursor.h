#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <tally/report_journal.h>

namespace tally::detail {

/// Goes through the outcomes of earlier runs in step with the input. Rows are passed in ascending order.
class JournalCursor {
 public:
  /// Null: there are no earlier runs. `journal` must outlive this.
  explicit JournalCursor(ReportJournal* journal) : journal_(journal) {}

  /// The outcome of `row`; null if there is none.
  [[nodiscard]] const JournalOutcome* find(std::uint64_t row) {
    while (true) {
      while (at_ < read_.size() && read_[at_].row < row)
        ++at_;
      if (at_ < read_.size()) return read_[at_].row == row ? &read_[at_] : nullptr;
      if (journal_ == nullptr) return nullptr;
      readFrom(row);
    }
  }

 private:
  void readFrom(std::uint64_t row) {
    constexpr std::size_t rows = 1'000;
    read_ = journal_->outcomes(row, rows);
    at_ = 0;
    if (read_.size() < rows) journal_ = nullptr;  // later rows are of this run
  }

  ReportJournal* journal_;
  std::vector<JournalOutcome> read_{};
  std::size_t at_ = 0;
};

}  // namespace tally::detail

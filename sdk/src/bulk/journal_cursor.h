#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <tally/report_journal.h>

#include "bulk/guarded_journal.h"

namespace tally::detail {

/// A row of the journal, as the input must have it.
struct JournaledRow {
  std::uint64_t number = 0;
  std::string text{};
};

/// Texts for users count rows from 1.
inline std::string nameOf(std::uint64_t row) {
  return "row " + std::to_string(row + 1);
}

inline JournalError outOfOrder(std::uint64_t row) {
  return JournalError{"the journal returns " + nameOf(row) + " out of order"};
}

/// The first row in a journal; empty if the journal is empty.
inline std::optional<JournaledRow> firstIn(GuardedJournal& journal) {
  std::optional<JournaledRow> first;
  for (JournalOutcome& outcome : journal.outcomes(0, 1))
    first = {outcome.row, std::move(outcome.report)};
  for (JournalIntent& intent : journal.intents(0, 1))
    if (!first || intent.row < first->number) first = {intent.row, std::move(intent.report)};
  return first;
}

/// Calls `use` with each outcome of a journal, in the order of rows.
template <class Function>
void forEachOutcome(GuardedJournal& journal, const Function& use) {
  constexpr std::size_t rows = 1'000;
  std::uint64_t next = 0;
  for (auto read = journal.outcomes(next, rows); !read.empty(); read = journal.outcomes(next, rows)) {
    for (const JournalOutcome& outcome : read) {
      if (outcome.row < next) throw outOfOrder(outcome.row);
      next = outcome.row + 1;
      use(outcome);
    }
  }
}

/// Goes through the outcomes of earlier runs in step with the input. Rows are passed in ascending order.
class JournalCursor {
 public:
  /// Null: there are no earlier runs. `journal` must outlive this.
  explicit JournalCursor(GuardedJournal* journal) : journal_(journal) {}

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
  /// A journal may return fewer rows than it has, but none only if it has none: those from `row` on are of
  /// earlier runs, except for the resumed ones.
  void readFrom(std::uint64_t row) {
    constexpr std::size_t rows = 1'000;
    read_ = journal_->outcomes(row, rows);
    at_ = 0;
    if (read_.empty()) journal_ = nullptr;
  }

  GuardedJournal* journal_;
  std::vector<JournalOutcome> read_{};
  std::size_t at_ = 0;
};

}  // namespace tally::detail

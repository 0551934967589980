#pragma once

#include <tally/detail/cpp20.h>

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include <tally/report_end.h>

namespace [[gnu::visibility("default")]] tally {

/// The owner of a journal. A journal serves one input of one account.
struct JournalOwner {
  std::string source{};   ///< The input, as in ReportAllOptions::source.
  std::string account{};  ///< Never contains a key.

  bool operator==(const JournalOwner&) const = default;
};

std::ostream& operator<<(std::ostream& out, const JournalOwner& value);

/// What is recorded before a report is sent.
struct JournalIntent {
  std::uint64_t row = 0;  ///< The position of the report in the input, from 0.
  std::string report{};   ///< Report::toText().
  std::string before{};   ///< The object before the report, as JSON; empty if it was not read.

  bool operator==(const JournalIntent&) const = default;
};

std::ostream& operator<<(std::ostream& out, const JournalIntent& value);

/// What is recorded once a report has ended.
struct JournalOutcome {
  std::uint64_t row = 0;
  ReportEnd end = ReportEnd::applied;
  std::string reason{};  ///< Why the report was not applied, in one readable line; empty if it was.
  std::string report{};  ///< As in the intent. A report can also end without an intent.

  bool operator==(const JournalOutcome&) const = default;
};

std::ostream& operator<<(std::ostream& out, const JournalOutcome& value);

/// Thrown if a journal can't be used: it belongs to another job, is in use, is damaged, or can't be written.
/// `what()` gives the reason in one line.
class JournalError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

std::ostream& operator<<(std::ostream& out, const JournalError& error);

/// Records what reportAll() is about to do, and the outcomes of reports, so that no report is lost or
/// duplicated after a crash. <tally/sqlite_journal.h> contains an implementation. To use your own database,
/// write another implementation.
///
/// A journal is used by one job at a time, in one thread. Any function may throw JournalError; reportAll()
/// then sends nothing more and reports the problem in its summary. It treats other exceptions in the same
/// way, but throws the first one when the calls in flight have ended.
class ReportJournal {
 public:
  ReportJournal() = default;
  ReportJournal(const ReportJournal&) = delete;
  ReportJournal& operator=(const ReportJournal&) = delete;
  virtual ~ReportJournal() = default;

  /// Called first. A new journal records its owner. Throws JournalError if the journal already has another
  /// owner.
  virtual void open(const JournalOwner& owner) = 0;

  /// Records the outcomes and the intents, either all or none of them. Returns once they would survive a loss
  /// of power. An intent replaces a ReportEnd::unsent outcome of its row, and an outcome replaces the intent
  /// of its row. If this function throws, the outcomes may nevertheless have been recorded. They are written
  /// again with the next outcomes, so an outcome also replaces an equal outcome.
  virtual void write(std::span<const JournalIntent> intents, std::span<const JournalOutcome> outcomes) = 0;

  /// Returns at most `limit` intents without an outcome, in row order, starting at `row`. Empty only if there
  /// are no more.
  [[nodiscard]] virtual std::vector<JournalIntent> intents(std::uint64_t row, std::size_t limit) = 0;

  /// The same for outcomes.
  [[nodiscard]] virtual std::vector<JournalOutcome> outcomes(std::uint64_t row, std::size_t limit) = 0;
};

}  // namespace tally

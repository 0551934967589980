#include "bulk/intake.h"

#include <memory>
#include <utility>
#include <variant>

#include "bulk/before_text.h"

namespace tally::detail {

namespace {

/// As the journal identifies a row.
std::string textOfRow(const Result<Report>& row) {
  return row ? row.value().toText() : row.error().toString();
}

/// The journal's row and that of the input are the same.
void requireSame(std::uint64_t row, const std::string& text, const std::string& journaled) {
  if (text == journaled) return;
  throw JournalError{"the journal belongs to another input: " + nameOf(row) + " is " + text +
                     ", but the journal has " + journaled};
}

JournalError ofLongerInput(std::uint64_t rows) {
  return JournalError{"the journal belongs to another input, with more than " + std::to_string(rows) +
                      " rows"};
}

/// Sets the call that sends the row's report. Returns why no client can send it.
std::optional<ParameterFault> prepare(BulkRow& row) {
  auto prepared = prepareReport(row.report);
  if (auto* fault = std::get_if<ParameterFault>(&prepared)) return std::move(*fault);
  row.prepared = std::move(std::get<PreparedReport>(prepared));
  return std::nullopt;
}

/// Reads the report and its call from an intent. Returns what is wrong with it.
std::optional<std::string> readReport(BulkRow& row, const JournalIntent& intent) {
  auto report = Report::fromText(intent.report);
  if (!report) return report.error().toString();
  row.report = std::move(report).value();
  if (const auto fault = prepare(row)) return fault->param + ' ' + fault->what;
  return std::nullopt;
}

}  // namespace

Intake::Intake(BulkRows& rows, std::size_t window, const ReportSource& source, GuardedJournal* journal,
               std::exception_ptr& thrown)
    : rows_(rows),
      window_(window),
      input_(source),
      journal_(journal),
      thrown_(thrown),
      earlier_(journal),
      compared_(journal == nullptr),
      intentsTaken_(journal == nullptr) {}

/// A journal of another input is recognized before anything is sent. The rows before its first one ended
/// without a trace: they were not sent, and stayed open.
bool Intake::compare(const StopToken& stop) {
  if (compared_) return true;
  if (const auto first = firstIn(*journal_)) {
    while (input_.rowsAhead() <= first->number) {
      if (stop.stop_requested() || !readAhead()) return false;
    }
    requireSame(first->number, textOfRow(input_.lastAhead()), first->text);
  }
  compared_ = true;
  return true;
}

/// False if the source throws.
bool Intake::readAhead() {
  try {
    if (input_.readAhead()) return true;
  } catch (...) {
    if (!thrown_) thrown_ = std::current_exception();
    return false;
  }
  throw ofLongerInput(input_.rowsAhead());
}

/// These reports come before the input, so that later reports on their objects wait for them.
std::optional<Arrival> Intake::resume() {
  if (intentsTaken_) return std::nullopt;
  if (nextRead_ == intents_.size()) {
    intents_ = journal_->intents(nextIntent_, window_ - rows_.size());
    nextRead_ = 0;
    intentsTaken_ = intents_.empty();
    if (intentsTaken_) return std::nullopt;
  }
  return restore(intents_[nextRead_++]);
}

Arrival Intake::restore(JournalIntent& intent) {
  if (intent.row < nextIntent_) throw outOfOrder(intent.row);
  nextIntent_ = intent.row + 1;
  resumed_.emplace(intent.row, intent.report);
  BulkRow& row = rows_[intent.row];
  row.number = intent.row;
  row.action = Action::resolve;
  row.intended = true;
  const auto fault = readReport(row, intent);
  if (!fault) row.before = objectBefore(intent.before, row.resource());
  row.text = std::move(intent.report);
  if (!fault) return {.row = &row};
  return {.row = &row,
          .ended = Verdict{.end = ReportEnd::unknown,
                           .reason = "the journal is damaged at " + nameOf(intent.row) +
                                     ", so it is unknown whether the report was applied: " + *fault}};
}

std::optional<Arrival> Intake::next() {
  if (!intentsTaken_ || inputEnded_) return std::nullopt;
  if (auto report = read()) return take(*std::move(report));
  checkEnd();
  return std::nullopt;
}

/// Nothing at the end, and if the source throws.
std::optional<Result<Report>> Intake::read() {
  try {
    auto row = input_.next();
    inputEnded_ = !row;
    return row;
  } catch (...) {
    if (!thrown_) thrown_ = std::current_exception();
    return std::nullopt;
  }
}

Arrival Intake::take(Result<Report>&& report) {
  BulkRow row;
  row.number = next_++;
  row.text = textOfRow(report);
  if (report) row.report = std::move(report.assume_value());
  if (wasResumed(row)) return {};
  if (const JournalOutcome* outcome = earlierOutcome(row)) {
    skipped_ = std::move(row);
    return {.row = &skipped_,
            .ended = Verdict{.end = outcome->end, .reason = outcome->reason},
            .fromEarlierRun = true};
  }
  BulkRow& held = rows_[row.number] = std::move(row);
  if (!report) {
    held.error = report.assume_error();
  } else if (const auto fault = prepare(held)) {
    held.error = invalidReport(*fault);
  } else {
    return {.row = &held};
  }
  return {.row = &held, .ended = Verdict{.end = ReportEnd::refused, .reason = held.error->toString()}};
}

bool Intake::wasResumed(const BulkRow& row) {
  const auto resumed = resumed_.extract(row.number);
  if (resumed.empty()) return false;
  requireSame(row.number, row.text, resumed.mapped());
  return true;
}

/// Null also if the report was not sent.
const JournalOutcome* Intake::earlierOutcome(const BulkRow& row) {
  const JournalOutcome* outcome = earlier_.find(row.number);
  if (outcome == nullptr) return nullptr;
  requireSame(row.number, row.text, outcome->report);
  return outcome->end == ReportEnd::unsent ? nullptr : outcome;
}

void Intake::checkEnd() {
  if (!inputEnded_ || journal_ == nullptr) return;
  if (!resumed_.empty() || !journal_->outcomes(next_, 1).empty()) throw ofLongerInput(next_);
}

}  // namespace tally::detail

#pragma once

#include <tally/detail/cpp20.h>

#include <cstdint>
#include <iosfwd>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include <tally/pager.h>
#include <tally/report.h>
#include <tally/result.h>

namespace [[gnu::visibility("default")]] tally {

/// The format of a file of reports.
enum class ReportFormat : std::uint8_t {
  csv,     ///< RFC 4180, with a header. Lines end with LF or CRLF.
  ndjson,  ///< One JSON object per line, as Report::toText() writes it.
};

std::ostream& operator<<(std::ostream& out, ReportFormat value);

/// One row of a file of reports, or why it can't be read.
struct ReportRow {
  /// The number of the row, from 1. The header and empty lines do not count, so this is ReportResult::row + 1
  /// if all rows are passed to reportAll().
  std::uint64_t number = 0;
  std::uint64_t line = 0;  ///< The line of the file on which the row begins, from 1.
  /// An error has ErrorKind::invalidParameter. Its message names the line and, in CSV, the column, both
  /// counted from 1, and explains how to correct the row. Its `param` is the name of the column, if a column
  /// is at fault.
  Result<Report> report;
  /// The fields of a row of CSV that is an error, so that they can be written to be corrected. If a field is
  /// faulty, such as one with a misplaced quote, these are the fields before it. Empty if the row is a
  /// report.
  std::vector<std::string> fields{};
};

/// Prints a line such as `row 3, line 5: "pr_1" "failed"`.
std::ostream& operator<<(std::ostream& out, const ReportRow& value);

/// Thrown if a file of reports can't be read at all: its header is wrong, it is not UTF-8 text, or reading it
/// fails. `what()` names the line. A `std::ifstream` of libc++ hides that reading fails: to the reader, the
/// file then ends there.
class ReportFileError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

std::ostream& operator<<(std::ostream& out, const ReportFileError& error);

/// Reads reports from a stream, one row at a time: a `std::ranges::input_range` of Result<Report> for
/// reportAll(). Component `bulk`, target `tally::bulk`. Move-only; used by one thread at a time.
///
/// The header of a CSV file names the columns, in any order. `id` and `outcome` are required. `time` is in
/// seconds since 1970, or in the form `2026-01-31T12:00:00Z`. `attempt` and `reference` are as in Report.
/// `metadata[KEY]` sets that key, unless the field is empty. Fields are separated by commas. A field that
/// contains a comma, a quote or a line break is enclosed in quotes, and quotes in it are doubled. A UTF-8
/// byte order mark and empty lines are skipped.
///
/// A file of rows that were not applied, as tally-report writes it, can be corrected and read again. Its
/// columns `row`, `line` and `reason` are ignored. A row whose `end` is neither `refused` nor empty is an
/// error, because its report may have been applied, or its job may still send it.
///
/// A bad row yields an Error in place of its report, and reading continues with the next row. A row is bad,
/// for example, if it has the wrong number of fields, a misplaced quote or a NUL character, or is larger than
/// 1 MiB. The next row begins after the line on which the last quoted field of the bad row ends, since text
/// in quotes may look like rows. A quoted field that does not end consumes the rest of the file, because the
/// start of the next row can't be determined. So does one that is larger than 1 MiB. The reader does not
/// check whether a report can be sent: see Report::check().
class ReportReader {
 public:
  using value_type = Result<Report>;
  using iterator = detail::InputIterator<ReportReader>;

  /// Reads the header. `in` must outlive the reader. Throws ReportFileError.
  explicit ReportReader(std::istream& in, ReportFormat format = ReportFormat::csv);
  ReportReader(ReportReader&& other) noexcept;
  ReportReader& operator=(ReportReader&& other) noexcept;
  ~ReportReader();

  /// The next row; empty at the end. Throws ReportFileError if the stream fails.
  [[nodiscard]] std::optional<ReportRow> next();

  /// The columns that the header names, in the order of the header; none for NDJSON. Valid while the reader
  /// exists.
  [[nodiscard]] std::span<const std::string> columns() const noexcept;

  /// Continues with the row after the last one that was read.
  iterator begin();
  [[nodiscard]] std::default_sentinel_t end() const noexcept { return {}; }

 private:
  friend iterator;
  class Rows;

  value_type& current() { return current_->report; }
  void advance() { current_ = next(); }
  [[nodiscard]] bool done() const { return !current_; }

  std::unique_ptr<Rows> rows_;
  std::optional<ReportRow> current_{};
};

}  // namespace tally

#include "report_columns.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <sstream>
#include <string_view>

#include <tally/clock.h>
#include <tally/report_end.h>
#include <tally/report_reader.h>

#include "text/decimal.h"

namespace tally::detail {

namespace {

constexpr std::string_view known[] = {"id", "outcome", "time", "attempt", "reference"};
// Those that tally-report adds to rows that were not applied. `end` decides whether a row can be reported
// again.
constexpr std::string_view ignored[] = {"row", "line", "end", "reason"};
constexpr std::string_view metadataStart = "metadata[";

std::string textOf(const FilePlace& place) {
  return "line " + std::to_string(place.line) + ", column " + std::to_string(place.column) + ": ";
}

bool isMetadata(std::string_view column) {
  return column.starts_with(metadataStart) && column.ends_with(']');
}

/// What is between the brackets.
std::string keyOf(const std::string& column) {
  return column.substr(metadataStart.size(), column.size() - metadataStart.size() - 1);
}

/// `1767225600` or `2026-01-01T00:00:00Z`.
std::optional<std::chrono::sys_seconds> timeIn(const std::string& text) {
  using namespace std::chrono;
  if (const auto number = decimalIn(text)) return sys_seconds{seconds{*number}};
  constexpr std::size_t length = std::string_view{"2026-01-01T00:00:00Z"}.size();
  if (text.size() != length) return std::nullopt;
  int parts[6]{};
  char separators[6]{};
  std::istringstream in{text};
  for (int i = 0; i < 6; ++i)
    in >> parts[i] >> separators[i];
  const year_month_day date{year{parts[0]}, month{static_cast<unsigned>(std::abs(parts[1]))},
                            day{static_cast<unsigned>(std::abs(parts[2]))}};
  if (!in || !date.ok()) return std::nullopt;
  const auto time = sys_days{date} + hours{parts[3]} + minutes{parts[4]} + seconds{parts[5]};
  // What is written back differs from anything but a time of this form.
  return toString(time) == text ? std::optional{time} : std::nullopt;
}

[[noreturn]] void refuseHeader(const FilePlace& place, const std::string& what) {
  throw ReportFileError{textOf(place) + what};
}

/// A report that may have been applied, or that its job still sends, is not sent because of a corrected file.
std::optional<Error> checkEnd(const CsvField& field) {
  if (field.text.empty() || field.text == toString(ReportEnd::refused)) return std::nullopt;
  return rowError(field.begin,
                  "this row ended as '" + field.text +
                      "', so it may have been applied, or its job may still send it: look at its object; to "
                      "report the row, empty this field",
                  "end");
}

std::string hint(std::string_view column) {
  return column.find_first_of(";\t") == std::string_view::npos
             ? "; the columns are id, outcome, time, attempt, reference and metadata[KEY]"
             : "; separate the columns with commas";
}

}  // namespace

Error rowError(const FilePlace& place, const std::string& what, const std::string& param) {
  return Error{{.kind = ErrorKind::invalidParameter, .message = textOf(place) + what, .param = param}};
}

ReportColumns::ReportColumns(const CsvRow& header) {
  if (header.fault) refuseHeader(header.fault->place, header.fault->what);
  for (const CsvField& field : header.fields)
    names_.push_back(field.text);
  check(header);
}

void ReportColumns::check(const CsvRow& header) const {
  for (const CsvField& field : header.fields) {
    if (std::ranges::count(known, field.text) == 0 && std::ranges::count(ignored, field.text) == 0 &&
        !isMetadata(field.text))
      refuseHeader(field.begin, "the header has the unknown column '" + field.text + '\'' + hint(field.text));
    if (std::ranges::count(names_, field.text) > 1)
      refuseHeader(field.begin, "the header has the column " + field.text + " twice; remove one");
  }
  for (const char* name : {"id", "outcome"})
    if (std::ranges::count(names_, name) == 0)
      refuseHeader({header.line, 1}, std::string{"the header lacks the column "} + name);
}

Result<Report> ReportColumns::reportOf(const CsvRow& row) const {
  if (row.fault) return rowError(row.fault->place, row.fault->what);
  if (row.fields.size() != names_.size())
    return rowError({row.line, 1}, "expected " + std::to_string(names_.size()) +
                                       " fields as in the header, not " + std::to_string(row.fields.size()));
  Report report;
  for (std::size_t i = 0; i < names_.size(); ++i) {
    const std::string& column = names_[i];
    const std::string& value = row.fields[i].text;
    if (column == "end")
      if (auto fault = checkEnd(row.fields[i])) return *std::move(fault);
    if (column == "id") report.id = value;
    if (column == "outcome") report.outcome = value;
    if (column == "attempt") report.attempt = value;
    if (column == "reference") report.reference = value;
    if (isMetadata(column) && !value.empty()) report.metadata.set(keyOf(column), value);
    if (column != "time" || value.empty()) continue;
    report.time = timeIn(value);
    if (!report.time)
      return rowError(
          row.fields[i].begin,
          '\'' + value + "' is not a time; write seconds since 1970, or a time like 2026-01-31T12:00:00Z",
          column);
  }
  return report;
}

}  // namespace tally::detail

#include <istream>
#include <ostream>
#include <span>
#include <string>
#include <utility>

#include <tally/open_enum.h>
#include <tally/report_reader.h>

#include "csv_reader.h"
#include "line_reader.h"
#include "report_columns.h"

namespace [[gnu::visibility("default")]] tally {

using detail::FilePlace;

class ReportReader::Rows {
 public:
  Rows(std::istream& in, ReportFormat format) : lines_(in) {
    if (format == ReportFormat::csv) readHeader();
  }

  [[nodiscard]] std::optional<ReportRow> next() { return columns_ ? nextOfCsv() : nextOfNdjson(); }
  [[nodiscard]] std::span<const std::string> columns() const noexcept {
    return columns_ ? std::span{columns_->names()} : std::span<const std::string>{};
  }

 private:
  void readHeader() {
    const auto header = csv_.next();
    if (!header)
      throw ReportFileError{
          "line 1: the file is empty; it must begin with a header, such as id,outcome,time"};
    columns_.emplace(*header);
  }

  [[nodiscard]] std::optional<ReportRow> nextOfCsv() {
    auto row = csv_.next();
    if (!row) return std::nullopt;
    ReportRow made{++number_, row->line, columns_->reportOf(*row)};
    if (made.report) return made;
    for (detail::CsvField& field : row->fields)
      made.fields.push_back(std::move(field.text));
    return made;
  }

  [[nodiscard]] std::optional<ReportRow> nextOfNdjson() {
    do {
      if (!lines_.next()) return std::nullopt;
    } while (lines_.text().find_first_not_of(" \t") == std::string_view::npos);
    return ReportRow{++number_, lines_.number(), reportOfLine()};
  }

  [[nodiscard]] Result<Report> reportOfLine() const {
    const std::uint64_t line = lines_.number();
    if (const std::string_view fault = lines_.fault(); !fault.empty())
      return detail::rowError({line, lines_.faultColumn()}, std::string{fault});
    auto report = Report::fromText(lines_.text());
    if (report) return report;
    const Error& error = report.error();
    return Error{{.kind = error.kind(),
                  .message = "line " + std::to_string(line) + ": " + error.message(),
                  .param = error.param()}};
  }

  detail::LineReader lines_;
  detail::CsvReader csv_{lines_};
  std::optional<detail::ReportColumns> columns_{};  // of CSV
  std::uint64_t number_ = 0;
};

ReportReader::ReportReader(std::istream& in, ReportFormat format)
    : rows_(std::make_unique<Rows>(in, format)) {}
ReportReader::ReportReader(ReportReader&& other) noexcept = default;
ReportReader& ReportReader::operator=(ReportReader&& other) noexcept = default;
ReportReader::~ReportReader() = default;

std::optional<ReportRow> ReportReader::next() {
  return rows_->next();
}

std::span<const std::string> ReportReader::columns() const noexcept {
  return rows_->columns();
}

ReportReader::iterator ReportReader::begin() {
  advance();
  return iterator{this};
}

std::ostream& operator<<(std::ostream& out, ReportFormat value) {
  return out << (value == ReportFormat::csv ? "csv" : "ndjson");
}

std::ostream& operator<<(std::ostream& out, const ReportRow& value) {
  return out << "row " + std::to_string(value.number) + ", line " + std::to_string(value.line) + ": "
             << value.report;
}

std::ostream& operator<<(std::ostream& out, const ReportFileError& error) {
  return detail::printText(out, error.what());
}

}  // namespace tally

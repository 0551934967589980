#include "input.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <iostream>
#include <system_error>
#include <utility>

#include "arguments.h"
#include "text/readable.h"

namespace tally::detail {

namespace {

ReportFormat formatOf(const std::string& path) {
  const bool isNdjson = path.ends_with(".ndjson") || path.ends_with(".jsonl");
  return isNdjson ? ReportFormat::ndjson : ReportFormat::csv;
}

/// A folder can be opened, but not read.
std::ifstream opened(const std::string& path) {
  std::ifstream file{path, std::ios::binary};
  int problem = file ? 0 : errno;
  std::error_code unknown;
  if (std::filesystem::is_directory(path, unknown)) problem = EISDIR;
  if (problem != 0) throw UsageError{"can't read " + path + ": " + std::generic_category().message(problem)};
  return file;
}

/// Identifies the contents of a file: its name and a hash.
std::string identityOf(const std::string& path) {
  std::uint64_t hash = 14'695'981'039'346'656'037U;  // FNV-1a
  std::ifstream file = opened(path);
  char buffer[65'536];
  while (file.read(buffer, sizeof buffer) || file.gcount() > 0)
    for (std::streamsize i = 0; i < file.gcount(); ++i)
      hash = (hash ^ static_cast<unsigned char>(buffer[i])) * 1'099'511'628'211U;
  return std::filesystem::path{path}.filename().string() + ' ' + std::to_string(hash);
}

/// What is wrong with a row, in one line. The reader's errors begin with the line.
std::string describe(const ReportRow& row, const Error& fault) {
  std::string text = "row " + std::to_string(row.number) + ", ";
  if (row.report) text += "line " + std::to_string(row.line) + ": " + fault.param() + ": ";
  appendReadable(text, fault.message(), std::string::npos);
  return text;
}

}  // namespace

InputFile::InputFile(const std::string& path) : file_(path, std::ios::binary), rows_(file_, formatOf(path)) {
  const auto columns = rows_.columns();
  if (!columns.empty() && std::ranges::count(columns, "time") == 0)
    throw ReportFileError{"the header lacks the column time"};
}

CheckedRows checkRows(const std::string& path, bool print) {
  CheckedRows checked{.identity = identityOf(path)};
  InputFile input{path};
  const auto columns = input.rows().columns();
  checked.columns.assign(columns.begin(), columns.end());
  while (const auto row = input.rows().next()) {
    checked.lines.push_back(row->line);
    const auto fault = row->report ? row->report.value().check() : std::optional{row->report.error()};
    if (!fault) continue;
    ++checked.bad;
    if (print) std::cout << describe(*row, *fault) << '\n';
  }
  return checked;
}

/// The identity is compared once the file is open: replacing the file then has no effect on the rows.
CheckedInput::CheckedInput(const std::string& path, const CheckedRows& checked)
    : path_(path), file_(path), checked_(checked) {
  if (identityOf(path) != checked.identity)
    throw ReportFileError{"the file changed while it was checked; nothing has been sent"};
}

CheckedInput::iterator CheckedInput::begin() {
  hasBegun_ = true;
  advance();
  return iterator{this};
}

void CheckedInput::advance() {
  current_ = file_.rows().next();
  if (current_.has_value() != (rows_ < checked_.lines.size())) {
    hasOtherRows_ = true;
    current_.reset();
  }
  if (!current_) return;
  if (!current_->report && !checked_.columns.empty()) fields_.emplace(rows_, fieldsOfBadRow());
  ++rows_;
}

/// A row that is cut off after its last column gets one more field: otherwise it would look complete, and
/// could be sent without a correction. An error of a column, unlike such a fault, has a `param`.
std::vector<std::string> CheckedInput::fieldsOfBadRow() {
  std::vector<std::string> fields = std::move(current_->fields);
  const bool isCut = current_->report.error().param().empty();
  if (isCut && fields.size() == checked_.columns.size()) fields.emplace_back();
  return fields;
}

bool CheckedInput::hasChanged() const {
  return hasOtherRows_ || identityOf(path_) != checked_.identity;
}

std::optional<std::vector<std::string>> CheckedInput::takeFields(std::uint64_t row) {
  auto found = fields_.extract(row);
  return found.empty() ? std::nullopt : std::optional{std::move(found.mapped())};
}

}  // namespace tally::detail

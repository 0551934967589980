#include "input.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <sstream>
#include <string_view>
#include <utility>

#include "arguments.h"

namespace {

constexpr std::string_view metadataStart = "metadata[";

tally::Error badRow(const std::string& what, const std::string& param = "") {
  return tally::Error{{.kind = tally::ErrorKind::invalidParameter, .message = what, .param = param}};
}

std::optional<std::int64_t> integerIn(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || failed != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

/// `1767225600` or `2026-01-01T00:00:00Z`.
std::optional<std::chrono::sys_seconds> timeIn(const std::string& text) {
  using namespace std::chrono;
  if (const auto number = integerIn(text)) return sys_seconds{seconds{*number}};
  int parts[6]{};
  char separators[6]{};
  std::istringstream in{text};
  for (int i = 0; i < 6; ++i)
    in >> parts[i] >> separators[i];
  const year_month_day date{year{parts[0]}, month{static_cast<unsigned>(std::abs(parts[1]))},
                            day{static_cast<unsigned>(std::abs(parts[2]))}};
  const auto time = sys_days{date} + hours{parts[3]} + minutes{parts[4]} + seconds{parts[5]};
  // What is written back differs from anything but a time of this form.
  return in && date.ok() && tally::toString(time) == text ? std::optional{time} : std::nullopt;
}

}  // namespace

Input::Input(const std::string& path) : file_(path, std::ios::binary) {
  if (!file_) throw UsageError{"can't read " + path};
}

std::optional<std::string> Input::nextLine() {
  std::string text;
  if (!std::getline(file_, text)) return std::nullopt;
  ++line_;
  if (text.ends_with('\r')) text.pop_back();
  return text;
}

std::optional<Row> NdjsonInput::next() {
  auto text = nextLine();
  while (text && text->empty())
    text = nextLine();
  if (!text) return std::nullopt;
  auto report = tally::Report::fromText(*text);
  if (!report) return Row{line(), report.error()};
  return Row{line(), std::move(report)};
}

CsvInput::CsvInput(const std::string& path) : Input(path) {
  const auto header = nextFields();
  if (!header || !*header) throw UsageError{path + " has no header"};
  columns_ = header->value();
  checkHeader();
}

void CsvInput::checkHeader() const {
  const auto has = [this](std::string_view name) { return std::ranges::count(columns_, name); };
  for (const char* name : {"id", "outcome"})
    if (has(name) == 0) throw UsageError{std::string{"the header lacks the column "} + name};
  constexpr std::string_view known[] = {"id", "outcome", "time", "attempt", "reference"};
  for (const std::string& column : columns_) {
    if (has(column) > 1) throw UsageError{"the header has the column " + column + " twice"};
    if (std::ranges::count(known, column) == 0 &&
        !(column.starts_with(metadataStart) && column.ends_with(']')))
      throw UsageError{"the header has the unknown column " + column};
  }
}

void CsvInput::addField(void* text, std::size_t size, void* self) {
  static_cast<CsvInput*>(self)->fields_.emplace_back(static_cast<const char*>(text), size);
}

void CsvInput::endRow(int /*end*/, void* self) {
  static_cast<CsvInput*>(self)->rowEnded_ = true;
}

/// Reads a line into the parser. False at the end of the file. The library skips empty lines.
bool CsvInput::readLine() {
  auto text = nextLine();
  if (!text) return false;
  if (fields_.empty() && parser_->entry_pos == 0 && parser_->quoted == 0) firstLine_ = line();
  *text += '\n';
  if (csv_parse(parser_.get(), text->data(), text->size(), &addField, &endRow, this) != text->size()) {
    parser_.restart(CSV_STRICT | CSV_STRICT_FINI);
    fields_.clear();
    fault_ = "a misplaced quote";
    rowEnded_ = true;
  }
  return true;
}

std::optional<tally::Result<CsvInput::Fields>> CsvInput::nextFields() {
  while (!std::exchange(rowEnded_, false))
    if (!readLine()) return endOfFile();
  if (!fault_.empty()) return badRow(std::exchange(fault_, {}));
  return std::exchange(fields_, {});
}

std::optional<tally::Result<CsvInput::Fields>> CsvInput::endOfFile() {
  if (csv_fini(parser_.get(), &addField, &endRow, this) == 0) return std::nullopt;
  parser_.restart(CSV_STRICT);
  fields_.clear();
  return badRow("a quoted field does not end; it takes the rest of the file, up to line " +
                std::to_string(line()));
}

tally::Result<tally::Report> CsvInput::reportOf(const Fields& fields) const {
  if (fields.size() != columns_.size())
    return badRow("expected " + std::to_string(columns_.size()) + " fields, not " +
                  std::to_string(fields.size()));
  tally::Report report;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const std::string& column = columns_[i];
    const std::string& value = fields[i];
    if (column == "id") report.id = value;
    if (column == "outcome") report.outcome = value;
    if (column == "attempt") report.attempt = value;
    if (column == "reference") report.reference = value;
    if (column == "time" && !value.empty()) {
      report.time = timeIn(value);
      if (!report.time) return badRow("'" + value + "' is not a time", column);
    }
    if (column.starts_with(metadataStart) && !value.empty())
      report.metadata.set(column.substr(metadataStart.size(), column.size() - metadataStart.size() - 1),
                          value);
  }
  return report;
}

std::optional<Row> CsvInput::next() {
  const auto fields = nextFields();
  if (!fields) return std::nullopt;
  if (!*fields) return Row{firstLine_, fields->error()};
  return Row{firstLine_, reportOf(fields->value())};
}

std::unique_ptr<Input> openInput(const std::string& path) {
  if (path.ends_with(".ndjson") || path.ends_with(".jsonl")) return std::make_unique<NdjsonInput>(path);
  return std::make_unique<CsvInput>(path);
}

std::string identityOf(const std::string& path) {
  std::uint64_t hash = 14'695'981'039'346'656'037U;  // FNV-1a
  std::ifstream file{path, std::ios::binary};
  char buffer[65'536];
  while (file.read(buffer, sizeof buffer) || file.gcount() > 0)
    for (std::streamsize i = 0; i < file.gcount(); ++i)
      hash = (hash ^ static_cast<unsigned char>(buffer[i])) * 1'099'511'628'211U;
  return std::filesystem::path{path}.filename().string() + ' ' + std::to_string(hash);
}

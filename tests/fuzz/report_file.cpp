// The rows of a file are finite, have ascending numbers and lines, and do not depend on how its lines end. In
// NDJSON, each is the report in its line. A bad row is followed by the next one.
#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include <tally/report.h>
#include <tally/report_reader.h>

#include "fuzz.h"

namespace tally::fuzz {

namespace {

struct File {
  std::vector<ReportRow> rows{};
  bool refused = false;
};

File read(const std::string& text, ReportFormat format) {
  std::istringstream in{text};
  File file;
  try {
    ReportReader reader{in, format};
    while (auto row = reader.next())
      file.rows.push_back(*std::move(row));
  } catch (const ReportFileError& error) {
    require(*error.what() != '\0', "a problem has a description");
    file.refused = true;
  }
  return file;
}

bool same(const ReportRow& a, const ReportRow& b) {
  if (a.number != b.number || a.line != b.line || a.report.has_value() != b.report.has_value()) return false;
  return a.report ? a.report.value() == b.report.value()
                  : a.report.error().message() == b.report.error().message();
}

void checkLines(const std::string& text, const File& file) {
  std::vector<std::string> lines;
  std::istringstream in{text};
  for (std::string line; std::getline(in, line);)
    lines.push_back(line);
  for (const ReportRow& row : file.rows) {
    require(row.line <= lines.size(), "a row is in a line");
    std::string line = lines[row.line - 1];
    if (row.line == 1 && line.starts_with("\xEF\xBB\xBF")) line.erase(0, 3);
    if (line.ends_with('\r')) line.pop_back();
    if (line.find('\r') != std::string::npos) continue;  // which a line of a file must not have
    const auto report = Report::fromText(line);
    if (row.report)
      require(report && report.value() == row.report.value(), "a row is the report in its line");
    if (report) require(row.report.has_value(), "a report in a line is a row");
  }
}

}  // namespace

/// The first byte is the format.
void test(std::string_view input) {
  Choices choices{input};
  const ReportFormat format = choices.oneIn(2) ? ReportFormat::ndjson : ReportFormat::csv;
  const std::string text{choices.rest()};
  const File file = read(text, format);
  for (std::size_t i = 0; i < file.rows.size(); ++i) {
    require(file.rows[i].number == i + 1, "rows are numbered");
    if (i > 0) require(file.rows[i].line > file.rows[i - 1].line, "rows are in ascending lines");
  }
  if (format == ReportFormat::ndjson) checkLines(text, file);
  if (text.find('\r') != std::string::npos) return;
  std::string windows;
  for (const char c : text)
    windows += c == '\n' ? "\r\n" : std::string{c};
  const File other = read(windows, format);
  require(other.refused == file.refused && std::ranges::equal(other.rows, file.rows, same),
          "the end of a line does not matter");
}

}  // namespace tally::fuzz

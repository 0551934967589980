// A report that is read from a text and written is read as the same report, alone, as a line of a file, and
// as a row of CSV. Only what Boost.JSON parses is read. In the outbox, the order of its metadata does not
// matter.
#include <algorithm>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <tally/outbox_report.h>
#include <tally/report.h>
#include <tally/report_reader.h>

#include "enqueue/enqueue_check.h"
#include "fuzz.h"

namespace tally::fuzz {

namespace {

std::string inQuotes(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  return out += '"';
}

/// A file with this report in CSV; nothing if a row can't hold it.
std::optional<std::string> csvOf(const Report& report) {
  std::vector<std::pair<std::string, std::string>> columns{{"id", report.id},
                                                           {"outcome", report.outcome},
                                                           {"attempt", report.attempt},
                                                           {"reference", report.reference}};
  if (report.time) columns.emplace_back("time", std::to_string(report.time->time_since_epoch().count()));
  if (report.metadata.unsetsAll()) return std::nullopt;
  for (const MetadataEdit::Change& change : report.metadata.changes()) {
    if (change.unset || change.value.empty() || change.key.empty()) return std::nullopt;
    columns.emplace_back("metadata[" + change.key + ']', change.value);
  }
  std::string header;
  std::string row;
  for (const auto& [name, value] : columns) {
    if ((name + value).find_first_of(std::string_view{"\0\r", 2}) != std::string::npos) return std::nullopt;
    header += (header.empty() ? "" : ",") + inQuotes(name);
    row += (row.empty() ? "" : ",") + inQuotes(value);
  }
  return header + '\n' + row + "\n";
}

std::optional<Report> only(const std::string& text, ReportFormat format) {
  std::istringstream in{text};
  try {
    ReportReader reader{in, format};
    auto row = reader.next();
    if (!row || !row->report || reader.next()) return std::nullopt;
    return row->report.value();
  } catch (const ReportFileError&) {
    return std::nullopt;
  }
}

MetadataEdit reversed(const MetadataEdit& edit) {
  if (edit.unsetsAll()) return edit;
  MetadataEdit other;
  std::vector<MetadataEdit::Change> changes{edit.changes().begin(), edit.changes().end()};
  std::ranges::reverse(changes);
  for (const MetadataEdit::Change& change : changes)
    change.unset ? other.unset(change.key) : other.set(change.key, change.value);
  return other;
}

void checkOutbox(const Report& report) {
  const OutboxReport one{.report = report, .key = "a"};
  if (detail::checkReports("shop", {&one, 1})) return;
  OutboxReport other = one;
  other.report.metadata = reversed(report.metadata);
  require(detail::canonicalText(one) == detail::canonicalText(other),
          "the order of metadata does not matter");
  require(detail::contentsHash(one) == detail::contentsHash(other),
          "the order of metadata does not matter to the hash");
}

void check(const Report& report) {
  const std::string text = report.toText();
  require(text.find('\n') == std::string::npos, "a report is one line");
  const auto again = Report::fromText(text);
  require(again && again.value() == report, "a written report is read as the same");
  require(only(text + '\n', ReportFormat::ndjson) == report, "a line is read as the same report");
  if (const auto csv = csvOf(report)) {
    const auto row = only(*csv, ReportFormat::csv);
    if (!report.check()) require(row == report, "a row of CSV is read as the same report");
  }
  checkOutbox(report);
}

}  // namespace

void test(std::string_view input) {
  const auto report = Report::fromText(input);
  if (!report) return require(!report.error().message().empty(), "a problem has a description");
  require(parsedJson(input).has_value(), "a report is JSON");
  check(report.value());
}

}  // namespace tally::fuzz

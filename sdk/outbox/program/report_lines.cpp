#include "report_lines.h"

#include <cerrno>
#include <cstdio>
#include <iostream>
#include <system_error>
#include <utility>

#include "form/validation.h"
#include "json/json_cursor.h"
#include "json/json_writer.h"
#include "text/readable.h"

namespace tally::detail {

namespace {

constexpr std::size_t longestLine = 1'048'576;

[[noreturn]] void refuseLine(std::uint64_t number, std::string_view member, std::string_view problem) {
  std::string what = "line " + std::to_string(number) + ": ";
  if (!member.empty()) appendWord(what, member);
  if (!member.empty()) what += ' ';
  appendReadable(what, problem);
  throw BadLine{what};
}

/// Splits a line: what it says about enqueuing, and the report without that, as text.
class LineReader {
 public:
  LineReader(std::string_view line, std::uint64_t number) : json_(line), number_(number) {}

  [[nodiscard]] OutboxReport read() {
    if (!json_.take('{')) refuseLine(number_, "", "expected a JSON object");
    std::string report{'{'};
    if (!json_.take('}')) {
      do {
        readMember(report);
      } while (json_.take(','));
      if (!json_.take('}')) refuseLine(number_, "", json_.fault("expected ',' or '}'"));
    }
    if (!json_.atEnd()) refuseLine(number_, "", "expected nothing after the report");
    auto read = Report::fromText(report += '}');
    if (!read) refuseLine(number_, read.error().param(), read.error().message());
    made_.report = std::move(read).value();
    if (const auto error = made_.report.check()) refuseLine(number_, error->param(), error->message());
    return std::move(made_);
  }

 private:
  void readMember(std::string& report) {
    const auto name = json_.string();
    if (!name) refuseLine(number_, "", json_.fault());
    const std::string member{*name};
    if (!json_.take(':')) refuseLine(number_, member, json_.fault("expected ':'"));
    if (member == "key") return readText(made_.key, "key");
    if (member == "connected_account") return readAccount();
    if (report.size() > 1) report += ',';
    writeJsonString(report, member);
    report += ':';
    if (!json_.value(report)) refuseLine(number_, member, json_.fault());
  }

  void readText(std::string& out, std::string_view member) {
    if (!out.empty()) refuseLine(number_, member, "occurs twice");
    const auto text = json_.peek() == '"' ? json_.string() : std::nullopt;
    if (!text || text->empty()) refuseLine(number_, member, "must be a non-empty string");
    if (text->find('\0') != std::string_view::npos) refuseLine(number_, member, "contains a NUL character");
    out = *text;
  }

  /// It is sent as a header.
  void readAccount() {
    readText(made_.connectedAccount, "connected_account");
    if (!isHeaderText(made_.connectedAccount))
      refuseLine(number_, "connected_account", "contains a line break or a control character");
  }

  JsonCursor json_;
  std::uint64_t number_;
  OutboxReport made_{};
};

}  // namespace

std::vector<ReportLine> ReportLines::next(std::size_t most) {
  std::vector<ReportLine> lines;
  while (lines.size() < most) {
    const auto line = nextLine();
    if (!line) break;
    if (line->find_first_not_of(" \t\r") == std::string::npos) continue;
    lines.push_back({.number = number_, .report = LineReader{*line, number_}.read()});
  }
  return lines;
}

std::optional<std::string> ReportLines::nextLine() {
  std::string line;
  for (int c = nextCharacter(); c != '\n'; c = nextCharacter()) {
    if (c == std::char_traits<char>::eof()) {
      if (line.empty()) return std::nullopt;
      break;
    }
    line += static_cast<char>(c);
    if (line.size() > longestLine) refuseLine(number_ + 1, "", "is longer than 1 MiB");
  }
  ++number_;
  return line;
}

/// The buffer of standard input returns the end of the input after an error, too.
int ReportLines::nextCharacter() {
  try {
    const int c = in_.rdbuf()->sbumpc();
    const bool isEnd = c == std::char_traits<char>::eof();
    if (!isEnd || in_.rdbuf() != std::cin.rdbuf() || std::ferror(stdin) == 0) return c;
    // NOLINTNEXTLINE(bugprone-empty-catch): as below
  } catch (const std::ios_base::failure&) {
  }
  refuseLine(number_ + 1, "", "can't be read: " + std::error_code{errno, std::generic_category()}.message());
}

}  // namespace tally::detail

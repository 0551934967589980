#include "bench/support/table.h"

#include <algorithm>
#include <cstddef>
#include <iomanip>
#include <sstream>

namespace tally::bench {

namespace {

using Cells = std::vector<std::string>;

std::string response(std::optional<bool> met) {
  if (!met) return "—";
  return *met ? "yes" : "NO";
}

Cells cells(const Row& row) {
  return {row.what, row.figure, row.reference, row.ratio, row.goal, response(row.met)};
}

// Counts characters, not bytes, of UTF-8.
std::size_t width(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & '\xC0') != '\x80'; }));
}

std::string padded(const std::string& text, std::size_t columns) {
  return text + std::string(columns - width(text), ' ');
}

}  // namespace

std::string table(const std::vector<Row>& rows) {
  std::vector<Cells> lines{{"what", "figure", "reference (same run)", "ratio", "goal", "met?"}};
  for (const Row& row : rows)
    lines.push_back(cells(row));

  return aligned(lines);
}

std::string aligned(const std::vector<Cells>& lines) {
  std::vector<std::size_t> widths(lines.front().size());
  for (const Cells& line : lines)
    for (std::size_t i = 0; i < line.size(); ++i)
      widths[i] = std::max(widths[i], width(line[i]));

  std::string text;
  for (const Cells& line : lines) {
    for (std::size_t i = 0; i + 1 < line.size(); ++i)
      text += padded(line[i], widths[i]) + " | ";
    text += line.back() + '\n';
  }
  return text;
}

std::string fixed(double number, int digits) {
  std::ostringstream text;
  text << std::fixed << std::setprecision(digits) << number;
  return text.str();
}

}  // namespace tally::bench

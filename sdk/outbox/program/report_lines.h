#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <tally/outbox_report.h>

namespace tally::detail {

/// A line is not a report that can be sent, or can't be read. `what()` names the line and the member.
class BadLine final : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A report of a file, and the number of its line.
struct ReportLine {
  std::uint64_t number = 0;
  OutboxReport report{};
};

/// Reads reports from lines, each as Report::toText() writes them with the optional members `key` and
/// `connected_account`. Empty lines are skipped.
class ReportLines {
 public:
  /// `in` must outlive this.
  explicit ReportLines(std::istream& in) : in_(in) {}

  /// The next lines, at most `most`; none at the end. Throws BadLine.
  [[nodiscard]] std::vector<ReportLine> next(std::size_t most);

 private:
  [[nodiscard]] std::optional<std::string> nextLine();
  [[nodiscard]] int nextCharacter();

  std::istream& in_;
  std::uint64_t number_ = 0;
};

}  // namespace tally::detail

#pragma once

#include <optional>
#include <string>
#include <vector>

namespace tally::bench {

/// One line of the table: a figure, what it is held against, and whether that is good enough, or nothing
/// where it has no goal.
struct Row {
  std::string what{};
  std::string figure{};
  std::string reference{};
  std::string ratio{};
  std::string goal = "—";
  std::optional<bool> met{};
};

/// The rows in columns, under a heading.
[[nodiscard]] std::string table(const std::vector<Row>& rows);

/// A number with so many digits after the point.
[[nodiscard]] std::string fixed(double number, int digits);

}  // namespace tally::bench

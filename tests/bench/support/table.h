#pragma once

#include <optional>
#include <string>
#include <vector>

namespace tally::bench {

/// A row of the table: a figure, its reference, and whether it meets the goal; nullopt without a goal.
struct Row {
  std::string what{};
  std::string figure{};
  std::string reference{};
  std::string ratio{};
  std::string goal = "—";
  std::optional<bool> met{};
};

/// A table of the rows, with a header.
[[nodiscard]] std::string table(const std::vector<Row>& rows);

/// Lines of cells, as columns. The first line is the header; all have as many cells.
[[nodiscard]] std::string aligned(const std::vector<std::vector<std::string>>& lines);

/// The number with `digits` decimals.
[[nodiscard]] std::string fixed(double number, int digits);

}  // namespace tally::bench

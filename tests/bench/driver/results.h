#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "bench/support/table.h"

namespace tally::bench {

/// The figure of a run that failed, such as one with a wrong result.
inline constexpr const char* failedFigure = "failed";

/// What one row measured, in one or more runs.
struct RowResults {
  std::string name{};  // that selects it
  std::vector<Row> runs{};

  /// The run in the middle, by the first number of the ratio; or one that failed, if there is any.
  [[nodiscard]] const Row& median() const;
};

/// The numbers in a ratio, such as 1.04 and 2 in `1.04; 2.0`. Empty for a row without a reference.
[[nodiscard]] std::vector<double> numbersIn(std::string_view ratio);

/// As JSON, which readResults() reads.
[[nodiscard]] std::string toJson(const std::vector<RowResults>& results);

/// Throws std::runtime_error, which says what is wrong, for what toJson() does not write.
[[nodiscard]] std::vector<RowResults> readResults(std::string_view json);

}  // namespace tally::bench

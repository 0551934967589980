#pragma once

#include <string>
#include <vector>

#include <tally/report.h>
#include <tally/result.h>

#include "csv_reader.h"

namespace tally::detail {

/// The error of a row: its message begins with the place. `param`: the column, if it is at fault.
[[nodiscard]] Error rowError(const FilePlace& place, const std::string& what, const std::string& param = "");

/// The columns of a CSV file, which its header names.
class ReportColumns {
 public:
  /// Throws ReportFileError.
  explicit ReportColumns(const CsvRow& header);

  [[nodiscard]] Result<Report> reportOf(const CsvRow& row) const;
  [[nodiscard]] const std::vector<std::string>& names() const noexcept { return names_; }

 private:
  void check(const CsvRow& header) const;

  std::vector<std::string> names_{};
};

}  // namespace tally::detail

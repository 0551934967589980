#pragma once

#include <cstdint>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include <tally/report_reader.h>

namespace tally::detail {

/// The file of reports: NDJSON if its name says so, otherwise CSV.
class InputFile {
 public:
  /// Throws ReportFileError.
  explicit InputFile(const std::string& path);

  [[nodiscard]] ReportReader& rows() noexcept { return rows_; }

 private:
  std::ifstream file_;
  ReportReader rows_;
};

/// The rows of a file. Bad ones count too.
struct CheckedRows {
  std::vector<std::string> columns{};  // of CSV
  std::vector<std::uint64_t> lines{};  // on which each begins
  std::uint64_t bad = 0;
};

/// Reads all rows, and prints what is wrong with them if `print`. Throws ReportFileError.
[[nodiscard]] CheckedRows checkRows(const std::string& path, bool print);

/// Identifies the contents of a file: its name and a hash.
[[nodiscard]] std::string identityOf(const std::string& path);

}  // namespace tally::detail

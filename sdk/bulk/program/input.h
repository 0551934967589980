#pragma once

#include <cstdint>
#include <fstream>
#include <iterator>
#include <map>
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
  std::string identity{};              // of the contents, before they are read
  std::vector<std::string> columns{};  // of CSV
  std::vector<std::uint64_t> lines{};  // on which each begins
  std::uint64_t bad = 0;
};

/// The rows of a checked file, for reportAll(). The range ends after as many rows as were checked, because
/// the journal belongs to those rows.
class CheckedInput {
 public:
  using value_type = Result<Report>;
  using iterator = InputIterator<CheckedInput>;

  /// `checked` must outlive this. Throws ReportFileError, also if the file has changed since it was checked.
  CheckedInput(const std::string& path, const CheckedRows& checked);

  iterator begin();
  [[nodiscard]] std::default_sentinel_t end() const noexcept { return {}; }

  /// Whether the first row has been requested. Nothing is sent before that.
  [[nodiscard]] bool hasBegun() const noexcept { return hasBegun_; }
  /// Whether the file differs from what was checked, or had more or fewer rows when they were read.
  [[nodiscard]] bool hasChanged() const;
  /// Takes the fields of a CSV row that is an Error. Returns nothing for other rows, and for rows whose
  /// fields have been taken. `row` is counted from 0.
  [[nodiscard]] std::optional<std::vector<std::string>> takeFields(std::uint64_t row);

 private:
  friend iterator;

  value_type& current() { return current_->report; }
  void advance();
  [[nodiscard]] std::vector<std::string> fieldsOfBadRow();
  [[nodiscard]] bool done() const noexcept { return !current_; }

  std::string path_;
  InputFile file_;
  const CheckedRows& checked_;
  std::optional<ReportRow> current_{};
  std::uint64_t rows_ = 0;
  std::map<std::uint64_t, std::vector<std::string>> fields_{};  // of rows without a result yet
  bool hasBegun_ = false;
  bool hasOtherRows_ = false;
};

/// Reads all rows, and prints what is wrong with them if `print`. Throws ReportFileError.
[[nodiscard]] CheckedRows checkRows(const std::string& path, bool print);

}  // namespace tally::detail

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "line_reader.h"

namespace tally::detail {

/// A place in a file, both from 1. Columns are bytes.
struct FilePlace {
  std::uint64_t line = 1;
  std::uint64_t column = 1;
};

struct CsvField {
  std::string text{};
  FilePlace begin{};
};

struct CsvFault {
  FilePlace place{};
  std::string what{};
};

/// The fields of a row, up to its first fault.
struct CsvRow {
  std::uint64_t line = 0;  // on which it begins
  std::vector<CsvField> fields{};
  std::optional<CsvFault> fault{};
};

/// Reads rows of CSV as of RFC 4180, strictly: a quote that is not at the beginning or the end of a field is
/// a fault, and the next row begins on the next line. If a line can't be read, such as one with a NUL
/// character, the row ends where its quotes are balanced. A line break in quotes is kept as LF.
class CsvReader {
 public:
  /// `lines` must outlive this.
  explicit CsvReader(LineReader& lines) : lines_(lines) {}

  /// The next row; nothing at the end. Empty lines are skipped. After a quoted field that does not end, there
  /// are no more rows.
  [[nodiscard]] std::optional<CsvRow> next();

 private:
  [[nodiscard]] bool nextLine();
  [[nodiscard]] bool readLine(CsvRow& row);
  void readField(CsvRow& row);
  void readPlain(CsvField& field, CsvRow& row);
  void readQuoted(CsvField& field, CsvRow& row);
  [[nodiscard]] bool continueQuoted(CsvField& field, CsvRow& row);
  void endQuoted(CsvRow& row);
  void skipRest(CsvFault& fault);
  [[nodiscard]] FilePlace place(std::size_t at) const { return {lines_.number(), at + 1}; }

  LineReader& lines_;
  std::string_view line_{};
  std::size_t at_ = 0;   // in the line
  bool isOpen_ = false;  // whether the line ends within quotes, if all quotes of its row are placed correctly
  bool isOver_ = false;
};

}  // namespace tally::detail

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
/// a fault. After a fault, the fields that follow are read without being kept, since they may have lines that
/// look like rows. If a line can't be read, such as one with a NUL character, the row also has to end where
/// its quotes are balanced. A line break in quotes is kept as LF.
class CsvReader {
 public:
  /// `lines` must outlive this.
  explicit CsvReader(LineReader& lines) : lines_(lines) {}

  /// The next row; nothing at the end. Empty lines are skipped. After a quoted field that does not end, there
  /// are no more rows.
  [[nodiscard]] std::optional<CsvRow> next();

 private:
  [[nodiscard]] bool readLine(CsvRow& row);
  void readField(CsvRow& row);
  void readPlain(CsvField& field, CsvRow& row);
  void readInQuotes(CsvField& field, CsvRow& row);
  [[nodiscard]] bool continueQuoted(CsvField& field, CsvRow& row);
  void endQuoted(CsvRow& row);
  [[nodiscard]] bool takeComma();
  static void note(CsvRow& row, FilePlace place, std::string what);
  void skipRest(CsvRow& row);
  void giveUp(CsvFault& fault);
  void tellEnd(CsvRow& row) const;
  [[nodiscard]] FilePlace place(std::size_t at) const { return {lines_.number(), at + 1}; }

  LineReader& lines_;
  std::string_view line_{};
  std::size_t at_ = 0;               // in the line
  bool hasOddQuotesBeyond_ = false;  // in what the line lacks, until they have been followed
  bool isOver_ = false;

  // Of the row, so far.
  std::size_t size_ = 0;
  bool hasOddQuotes_ = false;
  bool hasFaultyLine_ = false;
};

}  // namespace tally::detail

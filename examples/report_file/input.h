#pragma once

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <tally/report.h>

#include <csv.h>

/// A row of the input.
struct Row {
  std::size_t line = 0;  // in the file, from 1
  tally::Result<tally::Report> report;
};

/// Reads the reports in a file, one row at a time. A bad row has an error that names its line.
class Input {
 public:
  /// Throws UsageError if the file can't be read or its header is wrong.
  explicit Input(const std::string& path);
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;
  virtual ~Input() = default;

  /// The next row; nothing at the end.
  virtual std::optional<Row> next() = 0;

 protected:
  /// The next line, without its end; nothing at the end of the file.
  std::optional<std::string> nextLine();
  [[nodiscard]] std::size_t line() const { return line_; }

 private:
  std::ifstream file_;
  std::size_t line_ = 0;
};

class NdjsonInput final : public Input {
 public:
  using Input::Input;
  std::optional<Row> next() override;
};

/// Owns a parser of libcsv.
class CsvParser {
 public:
  CsvParser() { csv_init(&parser_, CSV_STRICT | CSV_STRICT_FINI); }
  CsvParser(const CsvParser&) = delete;
  CsvParser& operator=(const CsvParser&) = delete;
  ~CsvParser() { csv_free(&parser_); }

  /// Forgets what it has read.
  void restart(unsigned char options) {
    csv_free(&parser_);
    csv_init(&parser_, options);
  }
  [[nodiscard]] csv_parser* operator->() noexcept { return &parser_; }
  [[nodiscard]] csv_parser* get() noexcept { return &parser_; }

 private:
  csv_parser parser_{};
};

class CsvInput final : public Input {
 public:
  explicit CsvInput(const std::string& path);
  std::optional<Row> next() override;

 private:
  using Fields = std::vector<std::string>;

  /// The fields of the next row, or what is wrong; nothing at the end.
  std::optional<tally::Result<Fields>> nextFields();
  std::optional<tally::Result<Fields>> endOfFile();
  bool readLine();
  void checkHeader() const;
  [[nodiscard]] tally::Result<tally::Report> reportOf(const Fields& fields) const;
  static void addField(void* text, std::size_t size, void* self);
  static void endRow(int end, void* self);

  CsvParser parser_{};
  Fields columns_{};
  Fields fields_{};
  std::string fault_{};  // of the row
  bool rowEnded_ = false;
  std::size_t firstLine_ = 0;  // of the row
};

std::unique_ptr<Input> openInput(const std::string& path);

/// Identifies the contents of a file: its name and a hash.
std::string identityOf(const std::string& path);

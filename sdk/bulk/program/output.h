#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include <tally/report_all.h>

namespace tally::detail {

/// Shows how far the job is: a bar on a terminal, lines elsewhere.
class Display {
 public:
  Display();
  Display(const Display&) = delete;
  Display& operator=(const Display&) = delete;
  /// Leaves the line of the bar.
  ~Display();

  void show(const ReportProgress& progress);

 private:
  bool terminal_;
  bool shown_ = false;
};

/// The rows that were not applied, as CSV. The file exists only if there are any. It can be corrected and
/// reported if the input is CSV: of NDJSON, CSV has no place for metadata that is unset.
class RefusedRows {
 public:
  /// `columns`: those of the input; none of NDJSON.
  RefusedRows(std::string path, const std::vector<std::string>& columns);
  /// `line`: where the row begins in the file, from 1.
  void add(std::uint64_t line, const ReportResult& result);
  [[nodiscard]] bool empty() const { return file_ == nullptr && problem_.empty(); }
  /// After the last row. Returns why the file lacks rows, as on a full disk; empty if it has all.
  [[nodiscard]] const std::string& finish();

 private:
  struct Close {
    void operator()(std::FILE* file) const { (void)std::fclose(file); }
  };

  void open();
  void fail() { problem_ = "can't write " + path_; }
  void writeAll(const std::vector<std::string>& fields);

  std::string path_;
  std::vector<std::string> columns_{};
  std::string problem_{};
  std::unique_ptr<std::FILE, Close> file_{};
};

}  // namespace tally::detail

#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
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
  std::string problem_{};  // shown last, without its details
};

/// The rows that were not applied, as CSV. The file exists only if there are any. It can be corrected and
/// reported if the input is CSV: of NDJSON, CSV has no place for metadata that is unset. The file of an
/// earlier run stays as it is if it has the same rows, in any order, and else is kept under another name,
/// since a person may have corrected it.
class RefusedRows {
 public:
  /// `columns`: those of the input; none of NDJSON. Removes the incomplete file of a run that was killed: the
  /// journal has its rows, and their results are delivered again. Throws UsageError if another run is writing
  /// that file.
  RefusedRows(std::string path, const std::vector<std::string>& columns);
  /// `line`: the line on which the row begins, counted from 1. `fields`: the fields of a CSV row that could
  /// not be read.
  void add(std::uint64_t line, const ReportResult& result,
           const std::optional<std::vector<std::string>>& fields);
  [[nodiscard]] bool empty() const { return !any_; }
  /// Must be called after the last row. Returns why the file lacks rows, such as a full disk; empty if it
  /// lacks none.
  [[nodiscard]] const std::string& finish();
  /// The new name of the file of an earlier run; empty if there was none, or it stays.
  [[nodiscard]] const std::string& earlier() const { return earlier_; }

 private:
  struct Close {
    void operator()(std::FILE* file) const { (void)std::fclose(file); }
  };

  void open();
  void replace();
  void fail() { problem_ = "can't write " + path_; }
  void append(std::vector<std::string>& row, const std::vector<std::string>& fields) const;
  void writeAll(const std::vector<std::string>& fields);

  std::string path_;
  std::string written_;  // where the rows are until they are complete
  std::string earlier_{};
  const std::vector<std::string> input_;  // its columns
  std::vector<std::string> columns_{};
  std::string problem_{};
  bool any_ = false;
  std::unique_ptr<std::FILE, Close> file_{};
};

}  // namespace tally::detail

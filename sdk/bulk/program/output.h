#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>

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

/// The rows that were not applied, as CSV. The file exists only if there are any.
class RefusedRows {
 public:
  explicit RefusedRows(std::string path);
  /// `line`: where the row begins in the file, from 1.
  void add(std::uint64_t line, const ReportResult& result);
  [[nodiscard]] bool empty() const { return file_ == nullptr; }

 private:
  struct Close {
    void operator()(std::FILE* file) const { (void)std::fclose(file); }
  };

  void open();
  void write(const std::string& text, char after);

  std::string path_;
  std::unique_ptr<std::FILE, Close> file_{};
};

}  // namespace tally::detail

#pragma once

#include <cstdio>
#include <memory>
#include <string>

#include <tally/report_all.h>

/// Shows how far the job is: a bar on a terminal, lines elsewhere.
class Display {
 public:
  Display();
  void show(const tally::ReportProgress& progress);
  /// Leaves the line of the bar.
  void end();

 private:
  bool terminal_;
  bool shown_ = false;
};

/// The rows that were not applied, as CSV. The file exists only if there are any.
class RefusedRows {
 public:
  explicit RefusedRows(std::string path);
  void add(std::size_t line, const tally::ReportResult& result);
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

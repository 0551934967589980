#include "output.h"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <stdexcept>
#include <string>
#include <utility>

#include <unistd.h>

namespace tally::detail {

Display::Display() : terminal_(isatty(STDERR_FILENO) != 0) {}

void Display::show(const ReportProgress& progress) {
  if (!terminal_ || !progress.total) {
    std::cerr << progress << '\n';
    return;
  }
  constexpr std::uint64_t width = 30;
  const std::uint64_t total = std::max<std::uint64_t>(*progress.total, 1);
  const std::uint64_t full = width * std::min(progress.ended(), total) / total;
  std::cerr << "\r\x1b[K[" << std::string(full, '#') << std::string(width - full, '.') << "] " << progress
            << std::flush;
  shown_ = true;
}

Display::~Display() {
  if (shown_) std::cerr << '\n';
}

RefusedRows::RefusedRows(std::string path) : path_(std::move(path)) {
  std::error_code ignored;
  std::filesystem::remove(path_, ignored);
}

void RefusedRows::add(std::uint64_t line, const ReportResult& result) {
  if (!file_) open();
  write(std::to_string(result.row + 1), ',');
  write(std::to_string(line), ',');
  write(std::string{toString(result.end)}, ',');
  write(result.reason, ',');
  write(result.report.id, ',');
  write(result.report.outcome, ',');
  write(result.report.reference, '\n');
}

void RefusedRows::open() {
  file_.reset(std::fopen(path_.c_str(), "w"));
  if (!file_) throw std::runtime_error{"can't write " + path_};
  (void)std::fputs("row,line,end,reason,id,outcome,reference\n", file_.get());
}

/// A quoted field, with quotes in it doubled.
void RefusedRows::write(const std::string& text, char after) {
  std::string field{'"'};
  for (const char c : text)
    field.append(c == '"' ? 2 : 1, c);
  field += '"';
  field += after;
  if (std::fwrite(field.data(), 1, field.size(), file_.get()) != field.size())
    throw std::runtime_error{"can't write " + path_};
}

}  // namespace tally::detail

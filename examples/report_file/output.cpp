#include "output.h"

#include <filesystem>
#include <iostream>
#include <stdexcept>
#include <string>
#include <utility>

#include <csv.h>
#include <unistd.h>

Display::Display() : terminal_(isatty(STDERR_FILENO) != 0) {}

void Display::show(const tally::ReportProgress& progress) {
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

void Display::end() {
  if (std::exchange(shown_, false)) std::cerr << '\n';
}

RefusedRows::RefusedRows(std::string path) : path_(std::move(path)) {
  std::error_code ignored;
  std::filesystem::remove(path_, ignored);
}

void RefusedRows::add(std::size_t line, const tally::ReportResult& result) {
  if (!file_) open();
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
  (void)std::fputs("line,end,reason,id,outcome,reference\n", file_.get());
}

void RefusedRows::write(const std::string& text, char after) {
  if (csv_fwrite(file_.get(), text.data(), text.size()) != 0 || std::fputc(after, file_.get()) == EOF)
    throw std::runtime_error{"can't write " + path_};
}

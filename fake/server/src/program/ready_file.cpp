#include "program/ready_file.h"

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <system_error>
#include <utility>

#include <unistd.h>

namespace tally::fake::detail {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void failToWrite(const std::string& path, const std::string& why) {
  throw std::runtime_error{"can't write " + path + ": " + why};
}

/// The path that the name refers to, even if nothing exists there yet.
fs::path wholePathOf(std::string_view name) {
  std::error_code none;
  fs::path path = fs::weakly_canonical(fs::absolute(name, none), none);
  return path.empty() ? fs::path{name} : path;
}

/// Empty if it can't be read.
std::string textIn(const std::string& file) {
  std::ifstream in{file, std::ios::binary};
  return {std::istreambuf_iterator<char>{in}, {}};
}

}  // namespace

void requireDistinct(const std::string& readyFile, std::initializer_list<NamedFile> others) {
  if (readyFile.empty()) return;
  const fs::path ready = wholePathOf(readyFile);
  for (const auto& [option, name] : others)
    if (!name.empty() && wholePathOf(name) == ready)
      throw std::invalid_argument{std::string{option} + " and --ready-file name the same file"};
}

ReadyFile::ReadyFile(std::string path) : path_(std::move(path)) {
  if (path_.empty()) return;
  std::error_code error;
  const fs::file_status status = fs::symlink_status(path_, error);
  if (status.type() == fs::file_type::not_found) return;
  if (!error && status.type() != fs::file_type::regular)
    failToWrite(path_, "it exists and is not a regular file");
  if (!error) fs::remove(path_, error);
  if (error) failToWrite(path_, error.message());
}

/// A later run may have replaced the file by its own.
ReadyFile::~ReadyFile() {
  std::error_code ignored;
  if (!written_.empty() && textIn(path_) == written_) fs::remove(path_, ignored);
}

void ReadyFile::write(std::string_view contents) {
  if (path_.empty()) return;
  const std::string unfinished = path_ + ".tmp" + std::to_string(getpid());
  std::ofstream file{unfinished, std::ios::binary};
  file << contents << std::flush;
  const int problem = errno;
  file.close();
  std::error_code error;
  if (file) fs::rename(unfinished, path_, error);
  if (!file) error = {problem, std::generic_category()};
  if (error) {
    std::error_code ignored;
    fs::remove(unfinished, ignored);
    failToWrite(path_, error.message());
  }
  written_ = contents;
}

}  // namespace tally::fake::detail

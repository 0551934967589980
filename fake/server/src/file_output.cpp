#include "file_output.h"

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <stdexcept>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

namespace tally::fake::detail {

namespace {

/// A file descriptor whose functions throw std::system_error.
class OpenFile {
 public:
  OpenFile(const std::string& name, int flags) : descriptor_(::open(name.c_str(), flags | O_CLOEXEC, 0666)) {
    if (descriptor_ < 0) fail();
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }

  void write(std::string_view text) const {
    while (!text.empty()) {
      const auto written = ::write(descriptor_, text.data(), text.size());
      check(written > 0 || errno == EINTR);
      if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
    }
  }
  void sync() const { check(::fsync(descriptor_) == 0); }
  /// Must be the last call.
  void close() { check(::close(std::exchange(descriptor_, -1)) == 0); }

  static void check(bool succeeded) {
    if (!succeeded) fail();
  }

  [[noreturn]] static void fail() { throw std::system_error{errno, std::generic_category()}; }

 private:
  int descriptor_;
};

/// Renaming a file is durable only once its directory is.
void syncDirectoryOf(const std::string& file) {
  const std::filesystem::path directory = std::filesystem::path{file}.parent_path();
  OpenFile{directory.empty() ? "." : directory.string(), O_RDONLY | O_DIRECTORY}.sync();
}

}  // namespace

void replaceContents(const std::string& file, std::string_view text) {
  const std::string next = file + ".new";
  try {
    OpenFile written{next, O_WRONLY | O_CREAT | O_TRUNC};
    written.write(text);
    written.sync();
    written.close();
    OpenFile::check(std::rename(next.c_str(), file.c_str()) == 0);
    syncDirectoryOf(file);
  } catch (const std::system_error& problem) {
    ::unlink(next.c_str());
    throw std::runtime_error{"can't write " + file + ": " + problem.code().message()};
  }
}

}  // namespace tally::fake::detail

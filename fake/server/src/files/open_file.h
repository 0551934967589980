#pragma once

#include <string>
#include <string_view>

#include <sys/stat.h>
#include <sys/types.h>

namespace tally::fake::detail {

/// An open file. All functions throw std::system_error.
class OpenFile {
 public:
  /// The arguments of open(2). Never waits, as for the other end of a pipe.
  OpenFile(const std::string& name, int flags, mode_t mode = 0666);
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile();

  [[nodiscard]] int descriptor() const noexcept { return descriptor_; }
  [[nodiscard]] struct stat status() const;

  [[nodiscard]] std::string contents() const;
  /// Whether it contains this. Needs no memory for another copy.
  [[nodiscard]] bool contains(std::string_view text) const;

  void write(std::string_view text) const;
  void setMode(mode_t mode) const;
  void sync() const;
  /// Must be the last call.
  void close();

  /// Throws the present `errno`.
  [[noreturn]] static void fail();
  static void check(bool succeeded) {
    if (!succeeded) fail();
  }

 private:
  [[nodiscard]] std::size_t read(char* to, std::size_t most, std::size_t from) const;

  int descriptor_;
};

/// Makes the names of the files in a folder durable, such as after a file was renamed.
void syncFolder(const std::string& folder);

}  // namespace tally::fake::detail

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <system_error>

namespace tally::detail {

/// A file that this creates, and that can be written at any place.
class NewFile {
 public:
  /// Only the file's owner may read it. Throws std::system_error, with std::errc::file_exists if there is
  /// one.
  explicit NewFile(const std::string& name);
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;
  ~NewFile();

  /// Writes with one system call, unless the system takes less. Returns what went wrong.
  [[nodiscard]] std::error_code write(std::string_view text, std::uint64_t at) const noexcept;

  /// The same, and ends the file behind the text, as far as the system permits.
  void end(std::string_view text, std::uint64_t at) const noexcept;

 private:
  int file_;
};

}  // namespace tally::detail

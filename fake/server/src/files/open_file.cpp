#include "files/open_file.h"

#include <array>
#include <cerrno>
#include <cstddef>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

namespace tally::fake::detail {

namespace {

constexpr std::size_t pieceSize = 65'536;

}  // namespace

OpenFile::OpenFile(const std::string& name, int flags, mode_t mode)
    : descriptor_(::open(name.c_str(), flags | O_CLOEXEC | O_NONBLOCK, mode)) {
  check(descriptor_ >= 0);
}

OpenFile::~OpenFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void OpenFile::fail() {
  throw std::system_error{errno, std::generic_category()};
}

struct stat OpenFile::status() const {
  struct stat found{};
  check(::fstat(descriptor_, &found) == 0);
  return found;
}

std::size_t OpenFile::read(char* to, std::size_t most, std::size_t from) const {
  while (true) {
    const ssize_t size = ::pread(descriptor_, to, most, static_cast<off_t>(from));
    if (size >= 0) return static_cast<std::size_t>(size);
    check(errno == EINTR);
  }
}

std::string OpenFile::contents() const {
  std::string text;
  text.reserve(static_cast<std::size_t>(status().st_size));
  std::array<char, pieceSize> piece{};
  while (const std::size_t size = read(piece.data(), piece.size(), text.size()))
    text.append(piece.data(), size);
  return text;
}

bool OpenFile::contains(std::string_view text) const {
  std::array<char, pieceSize> piece{};
  std::size_t from = 0;
  while (const std::size_t size = read(piece.data(), piece.size(), from)) {
    if (text.substr(from, size) != std::string_view{piece.data(), size}) return false;
    from += size;
  }
  return from == text.size();
}

void OpenFile::write(std::string_view text) const {
  while (!text.empty()) {
    const ssize_t size = ::write(descriptor_, text.data(), text.size());
    check(size >= 0 || errno == EINTR);
    if (size > 0) text.remove_prefix(static_cast<std::size_t>(size));
  }
}

/// Some file systems know no modes, and refuse to set one even if it is that of all their files.
void OpenFile::setMode(mode_t mode) const {
  constexpr mode_t permissions = 07777;
  if ((status().st_mode & permissions) != mode) check(::fchmod(descriptor_, mode) == 0);
}

void OpenFile::sync() const {
  check(::fsync(descriptor_) == 0);
}

void OpenFile::close() {
  check(::close(std::exchange(descriptor_, -1)) == 0);
}

/// Some file systems can't, which EINVAL says.
void syncFolder(const std::string& folder) {
  const OpenFile opened{folder, O_RDONLY | O_DIRECTORY};
  OpenFile::check(::fsync(opened.descriptor()) == 0 || errno == EINVAL);
}

}  // namespace tally::fake::detail

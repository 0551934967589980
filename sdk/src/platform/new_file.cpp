#include "platform/new_file.h"

#include <cerrno>
#include <cstdint>

#include <fcntl.h>
#include <unistd.h>

#include "platform/last_error.h"

namespace tally::detail {

static_assert(sizeof(off_t) >= sizeof(std::int64_t), "define _FILE_OFFSET_BITS=64");

NewFile::NewFile(const std::string& name)
    : file_(::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600)) {
  if (file_ < 0) throw std::system_error{lastError()};
}

NewFile::~NewFile() {
  ::close(file_);
}

std::error_code NewFile::write(std::string_view text, std::uint64_t at) const noexcept {
  while (!text.empty()) {
    const ssize_t size = ::pwrite(file_, text.data(), text.size(), static_cast<off_t>(at));
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) return lastError();
    if (size == 0) return std::make_error_code(std::errc::io_error);
    text.remove_prefix(static_cast<std::size_t>(size));
    at += static_cast<std::uint64_t>(size);
  }
  return {};
}

void NewFile::end(std::string_view text, std::uint64_t at) const noexcept {
  if (!write(text, at)) (void)!::ftruncate(file_, static_cast<off_t>(at + text.size()));
}

}  // namespace tally::detail

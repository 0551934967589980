#include "har/har_writer.h"

#include <cerrno>
#include <stdexcept>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

#include "har/har_text.h"

namespace tally::detail {

namespace {

std::string wordsOf(int error) {
  return std::generic_category().message(error);
}

/// Only its owner may read what it records.
int created(const std::string& name) {
  const int file = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file >= 0) return file;
  if (errno == EEXIST)
    throw std::runtime_error{name + " exists; remove it, or name another file for the recording"};
  throw std::runtime_error{"can't create " + name + ": " + wordsOf(errno)};
}

}  // namespace

HarWriter::HarWriter(std::string file, std::span<const std::string> names)
    : name_(std::move(file)), file_(created(name_)) {
  const std::string begin = harBegin(names);
  if (const int error = put(begin + std::string{harEnd}, 0); error != 0) {
    ::close(file_);
    ::unlink(name_.c_str());
    fail(error);
  }
  end_ = begin.size();
}

HarWriter::~HarWriter() {
  ::close(file_);
}

void HarWriter::write(const Exchange& exchange) {
  std::string entry;
  appendHarEntry(entry, exchange);
  writeEntry(entry);
}

/// The text that ends the file is replaced in the same system call, which a killed process has made or not.
void HarWriter::writeEntry(std::string_view entry) {
  const std::scoped_lock lock{mutex_};
  if (failed_ != 0) fail(failed_);
  buffer_.assign(count_ == 0 ? std::string_view{} : harSeparator).append(entry);
  const std::size_t size = buffer_.size();
  buffer_ += harEnd;
  failed_ = put(buffer_, end_);
  if (failed_ != 0) {
    restore();
    fail(failed_);
  }
  end_ += size;
  ++count_;
}

std::uint64_t HarWriter::count() const {
  const std::scoped_lock lock{mutex_};
  return count_;
}

/// Returns 0, or the errno of the problem.
int HarWriter::put(std::string_view text, std::uint64_t at) const {
  while (!text.empty()) {
    const ssize_t size = ::pwrite(file_, text.data(), text.size(), static_cast<off_t>(at));
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) return size == 0 ? EIO : errno;
    text.remove_prefix(static_cast<std::size_t>(size));
    at += static_cast<std::uint64_t>(size);
  }
  return 0;
}

/// Ends the file after the last complete entry. It has had this text there, so no space is needed.
void HarWriter::restore() const {
  const ssize_t size = ::pwrite(file_, harEnd.data(), harEnd.size(), static_cast<off_t>(end_));
  if (size > 0) (void)!::ftruncate(file_, static_cast<off_t>(end_ + harEnd.size()));
}

void HarWriter::fail(int error) const {
  throw std::runtime_error{"can't write " + name_ + ": " + wordsOf(error)};
}

}  // namespace tally::detail

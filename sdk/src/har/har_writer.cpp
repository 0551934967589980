#include "har/har_writer.h"

#include <filesystem>
#include <stdexcept>
#include <utility>

#include "har/har_text.h"

namespace tally::detail {

namespace {

NewFile created(const std::string& name) {
  try {
    return NewFile{name};
  } catch (const std::system_error& problem) {
    if (problem.code() == std::errc::file_exists)
      throw std::runtime_error{name + " exists; remove it, or name another file for the recording"};
    throw std::runtime_error{"can't create " + name + ": " + problem.code().message()};
  }
}

}  // namespace

HarWriter::HarWriter(std::string file, std::span<const std::string> names)
    : name_(std::move(file)), file_(created(name_)) {
  const std::string begin = harBegin(names);
  if (const std::error_code error = file_.write(begin + std::string{harEnd}, 0)) {
    std::error_code ignored;
    std::filesystem::remove(name_, ignored);
    fail(error);
  }
  end_ = begin.size();
}

void HarWriter::write(const Exchange& exchange) {
  std::string entry;
  appendHarEntry(entry, exchange);
  writeEntry(entry);
}

/// The text that ends the file is replaced in the same system call, which a killed process has made or not.
void HarWriter::writeEntry(std::string_view entry) {
  const std::scoped_lock lock{mutex_};
  if (failed_) fail(failed_);
  buffer_.assign(count_ == 0 ? std::string_view{} : harSeparator).append(entry);
  const std::size_t size = buffer_.size();
  buffer_ += harEnd;
  failed_ = file_.write(buffer_, end_);
  if (failed_) {
    // Ends the file after the last complete entry. It has had this text there, so no space is needed.
    file_.end(harEnd, end_);
    fail(failed_);
  }
  end_ += size;
  ++count_;
}

void HarWriter::discardIfEmpty() noexcept {
  std::error_code ignored;
  if (count() == 0) std::filesystem::remove(name_, ignored);
}

std::uint64_t HarWriter::count() const {
  const std::scoped_lock lock{mutex_};
  return count_;
}

void HarWriter::fail(std::error_code error) const {
  throw std::runtime_error{"can't write " + name_ + ": " + error.message()};
}

}  // namespace tally::detail

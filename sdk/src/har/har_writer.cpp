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

/// The end lies within one page, so that a write which is ended between two pages has replaced all or none of
/// it. `at`: the place of the text in the file.
void appendEnd(std::string& text, std::uint64_t at) {
  constexpr std::size_t page = 4'096;
  const std::size_t free = page - static_cast<std::size_t>((at + text.size()) % page);
  if (free < harEnd.size()) text.append(free, ' ');
  text += harEnd;
}

}  // namespace

HarWriter::HarWriter(std::string file, std::span<const std::string> names)
    : name_(std::move(file)), file_(created(name_)) {
  std::string begin = harBegin(names);
  appendEnd(begin, 0);
  if (const std::error_code error = file_.write(begin, 0)) {
    std::error_code ignored;
    std::filesystem::remove(name_, ignored);
    fail(error);
  }
  end_ = begin.size() - harEnd.size();
}

void HarWriter::write(const Exchange& exchange) {
  std::string entry;
  appendHarEntry(entry, exchange);
  writeEntry(entry);
}

/// The text that ends the file is replaced in the same system call. If the process is killed, the system may
/// end the call between two pages, so only the entries before this one are certain to be complete.
void HarWriter::writeEntry(std::string_view entry) {
  const std::scoped_lock lock{mutex_};
  if (failed_) fail(failed_);
  buffer_.assign(count_ == 0 ? std::string_view{} : harSeparator).append(entry);
  appendEnd(buffer_, end_);
  failed_ = file_.write(buffer_, end_);
  if (failed_) {
    // Ends the file after the last complete entry. It has had this text there, so no space is needed.
    file_.end(harEnd, end_);
    fail(failed_);
  }
  end_ += buffer_.size() - harEnd.size();
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

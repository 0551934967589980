#include "files/file_input.h"

#include <array>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <system_error>

#include "text/utf8_sequence.h"

namespace tally::fake::detail {

namespace {

struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

[[noreturn]] void fail(const std::string& file, const std::string& why) {
  throw std::runtime_error{"can't read " + file + ": " + why};
}

[[noreturn]] void failOfSystem(const std::string& file) {
  fail(file, std::generic_category().message(errno));
}

}  // namespace

std::string contentsOf(const std::string& file) {
  const std::unique_ptr<std::FILE, Close> stream{std::fopen(file.c_str(), "rb")};
  if (!stream) failOfSystem(file);
  std::string text;
  std::array<char, 65'536> piece{};
  while (const std::size_t size = std::fread(piece.data(), 1, piece.size(), stream.get())) {
    text.append(piece.data(), size);
    if (text.size() > largestInput) fail(file, "larger than 64 MiB");
  }
  if (std::ferror(stream.get()) != 0) failOfSystem(file);
  if (text.starts_with(tally::detail::byteOrderMark)) text.erase(0, tally::detail::byteOrderMark.size());
  return text;
}

}  // namespace tally::fake::detail

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>

#include "text/escape_scan.h"

namespace tally::detail {

/// Appends to a string whose memory it uses as a buffer, since std::string::append() is slow for a few
/// characters. Until finish(), the string ends with unused characters.
class Appender {
 public:
  /// Keeps the first `size` characters of `out`, which must outlive this.
  Appender(std::string& out, std::size_t size)
      : out_(out), begin_(size), at_(out.data() + size), end_(out.data() + out.size()) {}

  void append(char c) {
    reserve(1);
    *at_++ = c;
  }

  void append(const char* begin, const char* end) {
    const auto size = static_cast<std::size_t>(end - begin);
    reserve(size);
    std::memcpy(at_, begin, size);
    at_ += size;
  }

  /// Appends the plain characters that come next. Returns where they end. Most runs between two escapes are
  /// shorter than a block, so whole blocks are copied before their plain characters are counted.
  template <Charset allowed>
  [[nodiscard]] const char* appendPlain(const char* from, const char* end) {
    while (end - from >= static_cast<std::ptrdiff_t>(plainBlock)) {
      reserve(plainBlock);
      std::memcpy(at_, from, plainBlock);
      const std::size_t plain = plainInBlock<allowed>(from);
      from += plain;
      at_ += plain;
      if (plain < plainBlock) return from;
    }
    const char* const plain = endOfPlain<allowed>(from, end);
    append(from, plain);
    return plain;
  }

  /// Where the next `size` characters go, of which use() says how many there are.
  [[nodiscard]] char* room(std::size_t size) {
    reserve(size);
    return at_;
  }
  void use(std::size_t size) noexcept { at_ += size; }

  [[nodiscard]] std::size_t size() const noexcept { return static_cast<std::size_t>(at_ - out_.data()); }

  void finish() { out_.resize(size()); }

 private:
  void reserve(std::size_t size) {
    if (static_cast<std::size_t>(end_ - at_) >= size) return;
    at_ = grown(out_, begin_, this->size(), size);
    end_ = out_.data() + out_.size();
  }

  /// Grows with what is appended, not with what the string had before. A static function, so that the
  /// members can be in registers.
  static char* grown(std::string& out, std::size_t begin, std::size_t used, std::size_t size) {
    constexpr std::size_t smallest = 128;
    out.resize(out.size() + size + std::max(smallest, 3 * (used - begin)));
    return out.data() + used;
  }

  std::string& out_;
  const std::size_t begin_;
  char* at_;
  char* end_;
};

}  // namespace tally::detail

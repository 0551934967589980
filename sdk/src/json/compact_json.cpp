#include "json/compact_json.h"

#include <algorithm>

#include "text/ascii.h"
#include "text/escape_scan.h"
#include "text/utf8_sequence.h"

namespace tally::detail {

namespace {

/// Bounds the recursion.
constexpr std::size_t deepestScanned = 64;

/// Passes over values that are written compactly.
class CompactScan {
 public:
  CompactScan(std::string_view json, std::size_t deepest)
      : at_(json.data()), end_(at_ + json.size()), levels_(std::min(deepest, deepestScanned)) {}

  [[nodiscard]] const char* at() const noexcept { return at_; }

  [[nodiscard]] bool value() {
    switch (peek()) {
      case '{':
        return nested('}', [this] { return string() && take(':') && value(); });
      case '[':
        return nested(']', [this] { return value(); });
      case '"':
        return string();
      case 't':
        return word("true");
      case 'f':
        return word("false");
      case 'n':
        return word("null");
      default:
        return number();
    }
  }

 private:
  [[nodiscard]] char peek() const { return at_ == end_ ? '\0' : *at_; }

  [[nodiscard]] bool take(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }

  template <class Child>
  [[nodiscard]] bool nested(char close, const Child& child) {
    if (levels_ == 0) return false;
    ++at_;
    --levels_;
    if (!take(close)) {
      do {
        if (!child()) return false;
      } while (take(','));
      if (!take(close)) return false;
    }
    ++levels_;
    return true;
  }

  /// With the escapes that have two characters.
  [[nodiscard]] bool string() {
    constexpr std::string_view escaped = "\"\\nrt";
    if (!take('"')) return false;
    for (;;) {
      at_ = endOfPlainText(at_, end_);
      if (take('"')) return true;
      if (end_ - at_ < 2 || *at_ != '\\' || escaped.find(at_[1]) == std::string_view::npos) return false;
      at_ += 2;
    }
  }

  [[nodiscard]] bool word(std::string_view word) {
    if (!std::string_view{at_, end_}.starts_with(word)) return false;
    at_ += word.size();
    return true;
  }

  /// An integer or a decimal fraction.
  [[nodiscard]] bool number() {
    (void)take('-');
    const bool startsWithZero = peek() == '0';
    const auto whole = digits();
    if (whole == 0 || (startsWithZero && whole > 1)) return false;
    if (take('.') && digits() == 0) return false;
    return peek() != 'e' && peek() != 'E';
  }

  /// How many there were.
  std::ptrdiff_t digits() {
    const char* const begin = at_;
    at_ = std::find_if_not(at_, end_, isDigit);
    return at_ - begin;
  }

  const char* at_;
  const char* end_;
  std::size_t levels_;  // that may still be opened
};

}  // namespace

const char* endOfPlainText(const char* from, const char* end) {
  for (;;) {
    from = endOfPlain<Charset::ascii>(from, end);
    if (from == end || static_cast<unsigned char>(*from) < 0x80) return from;
    const std::size_t length = utf8SequenceLength({from, static_cast<std::size_t>(end - from)});
    if (length == 0) return from;
    from += length;
  }
}

std::size_t compactLength(std::string_view json, std::size_t deepest) {
  CompactScan scan{json, deepest};
  return scan.value() ? static_cast<std::size_t>(scan.at() - json.data()) : 0;
}

}  // namespace tally::detail

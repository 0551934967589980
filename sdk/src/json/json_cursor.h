#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "text/escape_scan.h"
#include "text/fast_equals.h"

namespace tally::detail {

/// A position in a JSON text. Each function consumes what it names if that comes next, after white space, and
/// otherwise nothing.
///
/// Handles what nearly every text consists of: brackets, strings without escapes, integers and words. Leaves
/// the rest to Boost.JSON, which therefore decides what valid JSON is.
class JsonCursor {
 public:
  /// `json` must outlive this. `buffer` is one that another cursor has released.
  explicit JsonCursor(std::string_view json, std::string buffer = {})
      : begin_(json.data()), at_(begin_), end_(begin_ + json.size()), unescaped_(std::move(buffer)) {}

  /// The memory in which strings were unescaped. Nothing else may be called afterwards.
  [[nodiscard]] std::string releaseBuffer() noexcept { return std::move(unescaped_); }

  /// The next character; NUL at the end.
  [[nodiscard, gnu::always_inline]] inline char peek() {
    if (at_ == end_ || *at_ <= ' ') [[unlikely]]
      skipSpace();
    return at_ == end_ ? '\0' : *at_;
  }

  [[nodiscard]] bool atEnd() { return peek() == '\0' && at_ == end_; }

  [[nodiscard]] bool take(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }

  /// How many characters have been consumed.
  [[nodiscard]] std::size_t position() const noexcept { return static_cast<std::size_t>(at_ - begin_); }

  /// Consumes the character that was peeked at.
  void skip() { ++at_; }

  /// `word` is `true`, `false` or `null`.
  template <std::size_t size>
  [[nodiscard]] bool take(const char (&word)[size]) {
    constexpr std::size_t length = size - 1;
    if (peek() != word[0] || left() < length || std::memcmp(at_, word, length) != 0) return false;
    at_ += length;
    return true;
  }

  /// A name without escapes, and the colon after it.
  [[nodiscard]] bool takeName(std::string_view name) {
    const std::size_t size = name.size() + 3;
    if (peek() != '"' || left() < size || !isNameBefore(at_ + size, name)) return false;
    at_ += size;
    return true;
  }

  /// A comma, a name without escapes, and the colon after it, without white space.
  [[nodiscard]] bool takeCommaAndName(std::string_view name) {
    const std::size_t size = name.size() + 4;
    if (left() < size || std::memcmp(at_, ",\"", 2) != 0 || !isNameBefore(at_ + size, name)) return false;
    at_ += size;
    return true;
  }

  /// The next string; valid until the next string is taken. Nullopt if there is none; fault() then has the
  /// reason.
  [[nodiscard]] std::optional<std::string_view> string() { return peek() == '"' ? quoted() : noString(); }

  /// The same after peek() has returned a quote.
  [[nodiscard]] std::optional<std::string_view> quoted() {
    const char* const begin = at_ + 1;
    const char* const end = endOfShortPlain<Charset::ascii>(begin, end_);
    if (end == end_ || *end != '"') return stringBeyond(end);
    at_ = end + 1;
    return std::string_view{begin, end};
  }

  /// Nullopt unless an integer that fits comes next.
  [[nodiscard]] std::optional<std::int64_t> integer();

  /// Appends the next value, of any shape, as compact text. False if there is none; fault() then has the
  /// reason.
  [[nodiscard]] bool value(std::string& out);

  /// Why the text is not JSON, and where: `not JSON at byte 7: syntax error`.
  [[nodiscard]] std::string fault(std::string_view reason) const;
  [[nodiscard]] std::string fault() const { return fault(reason_); }

 private:
  [[nodiscard]] std::size_t left() const { return static_cast<std::size_t>(end_ - at_); }
  void skipSpace();
  /// Whether `name`, a quote and a colon end at `end`.
  [[nodiscard]] static bool isNameBefore(const char* end, std::string_view name) {
    constexpr std::string_view closing = "\":";
    const char* const quote = end - closing.size();
    return std::memcmp(quote, closing.data(), closing.size()) == 0 &&
           fastEquals({quote - name.size(), name.size()}, name);
  }
  [[nodiscard]] std::optional<std::int64_t> longInteger();
  [[nodiscard]] std::optional<std::string_view> noString();
  [[nodiscard]] std::optional<std::string_view> stringBeyond(const char* plain);
  [[nodiscard]] std::optional<std::string_view> unescaped(const char* plain);
  [[nodiscard]] std::optional<std::string_view> parsedString();

  const char* begin_;
  const char* at_;
  const char* end_;
  std::string unescaped_{};
  std::string reason_{};
};

}  // namespace tally::detail

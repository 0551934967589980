#include "json/json_cursor.h"

#include <array>
#include <charconv>
#include <cstring>
#include <limits>
#include <system_error>

#include <boost/json/parser.hpp>

#include "json/compact_json.h"
#include "json/raw_json_reader.h"
#include "text/appender.h"
#include "text/ascii.h"

namespace tally::detail {

namespace {

/// Whether `rest` continues a number after its integer part.
bool goesOn(std::string_view rest) {
  return !rest.empty() && (rest[0] == '.' || rest[0] == 'e' || rest[0] == 'E');
}

/// The character that an escape represents, by the character after the backslash. NUL for Unicode escapes,
/// and for characters that form no escape.
constexpr auto unescapedCharacters = [] {
  std::array<char, 256> of{};
  for (const char c : {'"', '\\', '/'})
    of[static_cast<unsigned char>(c)] = c;
  of['b'] = '\b';
  of['f'] = '\f';
  of['n'] = '\n';
  of['r'] = '\r';
  of['t'] = '\t';
  return of;
}();

char unescapedCharacter(char c) {
  return unescapedCharacters[static_cast<unsigned char>(c)];
}

/// Appends what simple escapes stand for, and the plain characters after each. Returns where anything else
/// begins, or where less than a block is left.
const char* appendUnescaped(Appender& text, const char* from, const char* end) {
  constexpr std::size_t escape = 2;
  while (end - from >= static_cast<std::ptrdiff_t>(escape + plainBlock) && *from == '\\') {
    const char c = unescapedCharacter(from[1]);
    if (c == '\0') break;
    from += escape;
    char* const room = text.room(1 + plainBlock);
    room[0] = c;
    std::memcpy(room + 1, from, plainBlock);
    const std::size_t plain = plainInBlock<Charset::ascii>(from);
    from += plain;
    text.use(1 + plain);
    if (plain == plainBlock) from = text.appendPlain<Charset::ascii>(from, end);
  }
  return from;
}

}  // namespace

void JsonCursor::skipSpace() {
  while (at_ != end_ && (*at_ == ' ' || *at_ == '\n' || *at_ == '\r' || *at_ == '\t'))
    ++at_;
}

std::optional<std::string_view> JsonCursor::noString() {
  reason_ = "expected a string";
  return std::nullopt;
}

/// The string whose characters up to `plain` need no escape.
std::optional<std::string_view> JsonCursor::stringBeyond(const char* plain) {
  const char* const begin = at_ + 1;
  const char* const end = endOfPlainText(plain, end_);
  if (end == end_ || *end != '"') return unescaped(end);
  at_ = end + 1;
  return std::string_view{begin, end};
}

/// A string with escapes, the first of them at `plain`. Leaves escapes of Unicode to Boost.JSON.
std::optional<std::string_view> JsonCursor::unescaped(const char* plain) {
  Appender text{unescaped_, 0};
  text.append(at_ + 1, plain);
  plain = appendUnescaped(text, plain, end_);
  while (plain != end_ && *plain != '"') {
    if (const char c = *plain == '\\' && end_ - plain > 1 ? unescapedCharacter(plain[1]) : '\0'; c != '\0') {
      text.append(c);
      plain = appendUnescaped(text, text.appendPlain<Charset::ascii>(plain + 2, end_), end_);
      continue;
    }
    const char* const beyond = endOfPlainText(plain, end_);
    if (beyond == plain) return parsedString();
    text.append(plain, beyond);
    plain = beyond;
  }
  if (plain == end_) return parsedString();
  at_ = plain + 1;
  return std::string_view{unescaped_}.substr(0, text.size());
}

std::optional<std::string_view> JsonCursor::parsedString() {
  boost::json::parser parser;
  boost::system::error_code failed;
  at_ += parser.write_some(at_, left(), failed);
  if (failed) {
    reason_ = failed.message();
    return std::nullopt;
  }
  unescaped_ = parser.release().get_string();
  return unescaped_;
}

std::optional<std::int64_t> JsonCursor::integer() {
  const bool negative = peek() == '-';
  const char* const digits = negative ? at_ + 1 : at_;
  constexpr std::ptrdiff_t alwaysFit = std::numeric_limits<std::int64_t>::digits10;
  std::uint64_t value = 0;  // which may overflow
  const char* at = digits;
  for (; at != end_ && isDigit(*at); ++at)
    value = 10 * value + static_cast<unsigned char>(*at - '0');
  const std::ptrdiff_t size = at - digits;
  if (size == 0 || (size > 1 && *digits == '0') || goesOn({at, end_})) return std::nullopt;
  if (size > alwaysFit) return longInteger();
  at_ = at;
  return static_cast<std::int64_t>(negative ? -value : value);
}

/// Reads an integer that may have too many digits to fit.
std::optional<std::int64_t> JsonCursor::longInteger() {
  std::int64_t value = 0;
  const auto read = std::from_chars(at_, end_, value);
  if (read.ec != std::errc{} || goesOn({read.ptr, end_})) return std::nullopt;
  at_ = read.ptr;
  return value;
}

bool JsonCursor::value(std::string& out) {
  boost::system::error_code failed;
  at_ += appendRawJson(out, {at_, left()}, failed);
  if (failed) reason_ = failed.message();
  return !failed;
}

std::string JsonCursor::fault(std::string_view reason) const {
  return "not JSON at byte " + std::to_string(position()) + ": " + std::string{reason};
}

}  // namespace tally::detail

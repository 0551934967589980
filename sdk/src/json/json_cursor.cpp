#include "json/json_cursor.h"

#include <charconv>
#include <system_error>

#include <boost/json/parser.hpp>

#include "json/raw_json_reader.h"
#include "text/utf8_sequence.h"

namespace tally::detail {

namespace {

bool isDigit(char c) {
  return c >= '0' && c <= '9';
}

/// Whether `rest` continues a number after its integer part.
bool goesOn(std::string_view rest) {
  return !rest.empty() && (rest[0] == '.' || rest[0] == 'e' || rest[0] == 'E');
}

}  // namespace

void JsonCursor::skipSpace() {
  while (at_ != end_ && (*at_ == ' ' || *at_ == '\n' || *at_ == '\r' || *at_ == '\t'))
    ++at_;
}

bool JsonCursor::take(std::string_view word) {
  (void)peek();
  if (!std::string_view{at_, left()}.starts_with(word)) return false;
  at_ += word.size();
  return true;
}

/// The closing quote of a string without escapes; null for any other string.
const char* JsonCursor::endOfString(const char* from) const {
  for (;;) {
    from = endOfPlain<Charset::ascii>(from, end_);
    if (from == end_) return nullptr;
    if (*from == '"') return from;
    if (static_cast<unsigned char>(*from) < 0x80) return nullptr;
    const std::size_t length = utf8SequenceLength({from, static_cast<std::size_t>(end_ - from)});
    if (length == 0) return nullptr;
    from += length;
  }
}

std::optional<std::string_view> JsonCursor::noString() {
  reason_ = "expected a string";
  return std::nullopt;
}

/// The string whose characters up to `plain` need no escape.
std::optional<std::string_view> JsonCursor::stringBeyond(const char* plain) {
  const char* const begin = at_ + 1;
  const char* const end = endOfString(plain);
  if (end == nullptr) return unescaped();
  at_ = end + 1;
  return std::string_view{begin, end};
}

std::optional<std::string_view> JsonCursor::unescaped() {
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
  (void)peek();
  const char* const digits = at_ == end_ || *at_ != '-' ? at_ : at_ + 1;
  if (end_ - digits > 1 && digits[0] == '0' && isDigit(digits[1])) return std::nullopt;
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
  return "not JSON at byte " + std::to_string(at_ - begin_) + ": " + std::string{reason};
}

}  // namespace tally::detail

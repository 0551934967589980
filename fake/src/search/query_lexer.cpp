#include "search/query_lexer.h"

#include <algorithm>

#include "text/ascii.h"
#include "text/utf8_sequence.h"

namespace tally::fake::detail {

using tally::detail::isDigit;

namespace {

bool isWordStart(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool isWord(char c) {
  return isWordStart(c) || isDigit(c) || c == '.';
}

bool isSpace(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/// The number of leading characters of a kind.
std::size_t run(std::string_view text, bool (*kind)(char)) {
  return static_cast<std::size_t>(std::ranges::find_if_not(text, kind) - text.begin());
}

/// The size of the first character in bytes.
std::size_t characterSize(std::string_view text) {
  std::size_t size = 1;
  while (size < text.size() && tally::detail::continuesUtf8(text[size]))
    ++size;
  return size;
}

}  // namespace

std::string_view QueryLexer::take(std::size_t bytes) {
  const std::string_view taken = rest_.substr(0, bytes);
  rest_.remove_prefix(bytes);
  for (const char c : taken)
    if (!tally::detail::continuesUtf8(c)) ++position_;
  return taken;
}

Token QueryLexer::token(Token::Kind kind, std::size_t bytes) {
  const std::size_t position = position_;
  return {.kind = kind, .text = std::string{take(bytes)}, .position = position};
}

Token QueryLexer::next() {
  take(run(rest_, isSpace));
  if (rest_.empty()) return token(Token::Kind::end, 0);
  const char first = rest_.front();
  if (isWordStart(first)) return token(Token::Kind::word, run(rest_, isWord));
  if (isDigit(first)) return token(Token::Kind::number, run(rest_, isDigit));
  if (first == '"') return quoted();
  if (first == '-') return token(Token::Kind::minus, 1);
  if (first == '[') return token(Token::Kind::open, 1);
  if (first == ']') return token(Token::Kind::close, 1);
  return comparison();
}

Token QueryLexer::comparison() {
  if (rest_.starts_with("<=") || rest_.starts_with(">=")) return token(Token::Kind::comparison, 2);
  if (std::string_view{":~<>"}.find(rest_.front()) != std::string_view::npos)
    return token(Token::Kind::comparison, 1);
  Token bad = token(Token::Kind::bad, characterSize(rest_));
  const bool isQuote = bad.text == "'";
  bad.text = "unexpected '" + bad.text + "'";
  if (isQuote) bad.text += R"(; text is quoted with '"')";
  return bad;
}

Token QueryLexer::quoted() {
  Token result{.kind = Token::Kind::quoted, .text = {}, .position = position_};
  for (take(1); !rest_.empty(); result.text += take(1)) {
    if (rest_.front() == '"') return take(1), result;
    if (rest_.front() == '\\' && rest_.size() > 1) take(1);
  }
  return {.kind = Token::Kind::bad, .text = "missing closing quote", .position = result.position};
}

}  // namespace tally::fake::detail

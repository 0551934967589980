#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tally::fake::detail {

struct Token {
  enum class Kind : std::uint8_t {
    word,    // a field path, AND, OR, null
    number,  // digits
    quoted,
    comparison,  // : ~ < <= > >=
    minus,
    open,   // [
    close,  // ]
    end,
    bad,  // `text` describes the problem
  };

  Kind kind = Kind::end;
  std::string text{};        // without quotes and escapes
  std::size_t position = 0;  // of the first character; counts characters, from 1
};

/// Splits a UTF-8 query into tokens.
class QueryLexer {
 public:
  explicit QueryLexer(std::string_view query) : rest_(query) {}

  /// At the end, returns Kind::end on every call.
  [[nodiscard]] Token next();

 private:
  std::string_view take(std::size_t bytes);
  Token token(Token::Kind kind, std::size_t bytes);
  Token quoted();
  Token comparison();

  std::string_view rest_;
  std::size_t position_ = 1;
};

}  // namespace tally::fake::detail

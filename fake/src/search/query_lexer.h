#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tally::fake::detail {

/// A piece of a query.
struct Token {
  enum class Kind : std::uint8_t {
    word,    // a field's path, AND, OR, null
    number,  // digits
    quoted,
    comparison,  // : ~ < <= > >=
    minus,
    open,   // [
    close,  // ]
    end,
    bad,  // `text` says what is wrong
  };

  Kind kind = Kind::end;
  std::string text{};        // without quotes and escapes
  std::size_t position = 0;  // of its beginning, in characters, from 1
};

/// Cuts a query, which is UTF-8, into tokens.
class QueryLexer {
 public:
  explicit QueryLexer(std::string_view query) : rest_(query) {}

  /// Once all are taken, Kind::end again and again.
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

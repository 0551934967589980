#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

// Breaks long lines in the style of the repository's .clang-format, so that generated text needs no
// formatter.

namespace tally::codegen::emit {

inline constexpr std::size_t lineWidth = 110;

using Lines = std::vector<std::string>;

/// A call, a declaration or a braced list, as `head` `arguments` `tail`; without arguments just a piece of
/// text.
struct Expression {
  std::string head{};  // up to and including the bracket
  std::vector<Expression> arguments{};
  std::string tail{};

  [[nodiscard]] std::string flat() const;
};

/// `expression`, followed by `end`, on lines that begin at `indent`. The first line begins with `start`.
[[nodiscard]] std::string fit(std::size_t indent, const std::string& start, const Expression& expression,
                              const std::string& end);

/// `left = right end`, broken if necessary: after the `=`, or after the bracket if that saves a line.
[[nodiscard]] std::string assignment(std::size_t indent, const std::string& left, const Expression& right,
                                     const std::string& end);

/// `left = term | term end`, broken after a `|` if necessary.
[[nodiscard]] std::string sumAssignment(std::size_t indent, const std::string& left, const Lines& terms,
                                        const std::string& end);

/// `left = "text" end`, with `text` escaped, and split at spaces if necessary.
[[nodiscard]] std::string textAssignment(std::size_t indent, const std::string& left, std::string_view text,
                                         const std::string& end);

/// A line of code with a remark.
struct Remarked {
  std::string code{};
  std::string remark{};
};

/// Lines with aligned remarks after them or, if they are too long for that, above them.
[[nodiscard]] Lines remarked(std::size_t indent, const std::vector<Remarked>& lines);

/// Lines with aligned remarks after them, as ordinary comments instead of documentation.
[[nodiscard]] Lines annotated(std::size_t indent, const std::vector<Remarked>& lines);

/// `text` behind `indent` spaces.
[[nodiscard]] std::string padded(std::size_t indent, const std::string& text);

/// Text as lines that fit after `used` columns.
[[nodiscard]] Lines wrapped(std::size_t used, std::string_view text);

/// `text` as a C++ string literal, a raw one if that avoids escapes.
[[nodiscard]] std::string literal(std::string_view text);

}  // namespace tally::codegen::emit

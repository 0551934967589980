#include "emit/text/layout.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace tally::codegen::emit {

namespace {

constexpr std::size_t continuation = 4;

std::string spaces(std::size_t count) {
  return std::string(count, ' ');
}

/// The length of the last line of `text`, whose first line begins at `column`.
std::size_t endColumn(std::size_t column, const std::string& text) {
  const std::size_t newline = text.rfind('\n');
  return newline == std::string::npos ? column + text.size() : text.size() - newline - 1;
}

using Layout = std::optional<std::string>;

/// Lays out an expression that begins at `column` and is followed on its last line by `suffix` characters.
/// Nothing if it does not fit the line width.
Layout lay(const Expression& expression, std::size_t column, std::size_t suffix);

/// The arguments flat, starting at `column`, as many per line as fit.
Layout pack(const Expression& e, std::size_t column, std::size_t suffix) {
  std::string result;
  std::size_t at = column;
  for (std::size_t i = 0; i < e.arguments.size(); ++i) {
    const bool last = i + 1 == e.arguments.size();
    const std::string text = e.arguments[i].flat() + (last ? e.tail : ",");
    const std::size_t end = text.size() + (last ? suffix : 0);
    if (column + end > lineWidth) return std::nullopt;
    if (i > 0 && at + 1 + end > lineWidth) {
      result += '\n' + spaces(column);
      at = column;
    } else if (i > 0) {
      result += ' ';
      ++at;
    }
    result += text;
    at += text.size();
  }
  return result;
}

/// The first arguments flat on the line, the last one broken.
Layout breakLast(const Expression& e, std::size_t column, std::size_t suffix, const std::string& between) {
  std::string before = e.head;
  for (std::size_t i = 0; i + 1 < e.arguments.size(); ++i)
    before += e.arguments[i].flat() + (i + 2 < e.arguments.size() ? ", " : "," + between);
  if (column + std::min(before.find('\n'), before.size()) > lineWidth) return std::nullopt;
  const auto last = lay(e.arguments.back(), endColumn(column, before), e.tail.size() + suffix);
  return last ? Layout{before + *last + e.tail} : std::nullopt;
}

Layout hang(const Expression& e, std::size_t column, std::size_t suffix) {
  const std::size_t inner = column + continuation;
  const auto packed = pack(e, inner, suffix);
  return packed ? Layout{e.head + '\n' + spaces(inner) + *packed} : std::nullopt;
}

Layout align(const Expression& e, std::size_t column, std::size_t suffix) {
  const auto packed = pack(e, column + e.head.size(), suffix);
  return packed ? Layout{e.head + *packed} : std::nullopt;
}

/// `left = head`, and all arguments on the next line. Only for expressions longer than a line.
Layout hangAssignment(std::size_t indent, const std::string& left, const Expression& right,
                      const std::string& end) {
  if (right.arguments.empty()) return std::nullopt;
  const std::size_t inner = indent + continuation;
  const std::string first = spaces(indent) + left + " = " + right.head;
  const auto arguments = pack(right, inner, end.size());
  const bool oneLine = arguments && arguments->find('\n') == std::string::npos;
  if (!oneLine || first.size() > lineWidth || inner + right.flat().size() + end.size() <= lineWidth)
    return std::nullopt;
  return first + '\n' + spaces(inner) + *arguments + end;
}

Layout lay(const Expression& e, std::size_t column, std::size_t suffix) {
  std::string flat = e.flat();
  if (column + flat.size() + suffix <= lineWidth) return flat;
  if (e.arguments.empty()) return std::nullopt;
  if (e.head.ends_with('{'))
    if (auto layout = hang(e, column, suffix)) return layout;
  if (auto layout = align(e, column, suffix)) return layout;
  if (auto layout = breakLast(e, column, suffix, " ")) return layout;
  if (e.arguments.size() > 1)
    if (auto layout = breakLast(e, column, suffix, '\n' + spaces(column + e.head.size()))) return layout;
  return hang(e, column, suffix);
}

Lines split(std::string_view text, std::size_t width, bool keepSpace) {
  Lines result;
  while (text.size() > width) {
    std::size_t space = text.rfind(' ', keepSpace ? width - 1 : width);
    if (space == std::string_view::npos) space = text.find(' ', width);
    if (space == std::string_view::npos) break;
    result.emplace_back(text.substr(0, space + (keepSpace ? 1 : 0)));
    text.remove_prefix(space + 1);
  }
  if (!text.empty()) result.emplace_back(text);
  return result;
}

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result;
}

bool fitBehind(std::size_t indent, const std::vector<Remarked>& lines, std::size_t width) {
  return std::all_of(lines.begin(), lines.end(), [&](const Remarked& line) {
    const std::size_t behind = line.remark.empty() ? 0 : width - line.code.size() + line.remark.size() + 7;
    return indent + line.code.size() + behind <= lineWidth;
  });
}

Lines above(std::size_t indent, const std::vector<Remarked>& lines) {
  Lines result;
  for (const Remarked& line : lines) {
    for (const std::string& remark : wrapped(indent + 4, line.remark))
      result.push_back(spaces(indent) + "/// " + remark);
    result.push_back(spaces(indent) + line.code);
  }
  return result;
}

}  // namespace

std::string Expression::flat() const {
  std::string result = head;
  for (std::size_t i = 0; i < arguments.size(); ++i)
    result += (i > 0 ? ", " : "") + arguments[i].flat();
  return result + tail;
}

std::string fit(std::size_t indent, const std::string& start, const Expression& expression,
                const std::string& end) {
  Expression whole = expression;
  whole.head.insert(0, start);
  const auto layout = lay(whole, indent, end.size());
  return spaces(indent) + layout.value_or(whole.flat()) + end;
}

std::string assignment(std::size_t indent, const std::string& left, const Expression& right,
                       const std::string& end) {
  const std::string flat = left + " = " + right.flat() + end;
  if (indent + flat.size() <= lineWidth) return spaces(indent) + flat;
  if (auto hung = hangAssignment(indent, left, right, end)) return *std::move(hung);
  return spaces(indent) + left + " =\n" + fit(indent + continuation, "", right, end);
}

std::string sumAssignment(std::size_t indent, const std::string& left, const Lines& terms,
                          const std::string& end) {
  std::string result = spaces(indent) + left + " =";
  const std::size_t column = result.size() + 1;
  std::size_t at = result.size();
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const std::string term = terms[i] + (i + 1 < terms.size() ? " |" : end);
    const bool fits = i == 0 || at + 1 + term.size() <= lineWidth;
    result += (fits ? " " : '\n' + spaces(column)) + term;
    at = (fits ? at + 1 : column) + term.size();
  }
  return result;
}

std::string textAssignment(std::size_t indent, const std::string& left, std::string_view text,
                           const std::string& end) {
  const std::string flat = left + " = " + literal(text) + end;
  if (indent + flat.size() <= lineWidth) return spaces(indent) + flat;
  const std::string inner = spaces(indent + continuation);
  std::string result = spaces(indent) + left + " =";
  for (const std::string& part : split(escaped(text), lineWidth - inner.size() - 2 - end.size(), true))
    result.append("\n").append(inner).append("\"").append(part).append("\"");
  return result + end;
}

Lines remarked(std::size_t indent, const std::vector<Remarked>& lines) {
  Lines result;
  for (std::size_t i = 0; i < lines.size();) {
    std::size_t end = i;  // remarks are aligned within consecutive lines that have one
    std::size_t width = 0;
    while (end < lines.size() && !lines[end].remark.empty())
      width = std::max(width, lines[end++].code.size());
    const std::vector<Remarked> run{lines.begin() + static_cast<std::ptrdiff_t>(i),
                                    lines.begin() + static_cast<std::ptrdiff_t>(end)};
    if (!fitBehind(indent, run, width)) return above(indent, lines);
    for (const Remarked& line : run)
      result.push_back(spaces(indent) + line.code + spaces(width - line.code.size() + 2) + "///< " +
                       line.remark);
    if (end == i) result.push_back(spaces(indent) + lines[end++].code);
    i = end;
  }
  return result;
}

Lines annotated(std::size_t indent, const std::vector<Remarked>& lines) {
  std::size_t width = 0;
  for (const Remarked& line : lines)
    width = std::max(width, line.code.size());
  Lines result;
  for (const Remarked& line : lines)
    result.push_back(spaces(indent) + line.code + spaces(width - line.code.size() + 2) + "// " + line.remark);
  return result;
}

std::string padded(std::size_t indent, const std::string& text) {
  return std::string(indent, ' ') + text;
}

Lines wrapped(std::size_t used, std::string_view text) {
  return split(text, lineWidth - used, false);
}

std::string literal(std::string_view text) {
  const bool plain =
      text.find_first_of("\"\\") == std::string_view::npos || text.find(")\"") != std::string_view::npos;
  return plain ? '"' + escaped(text) + '"' : std::string{"R\"("}.append(text).append(")\"");
}

}  // namespace tally::codegen::emit

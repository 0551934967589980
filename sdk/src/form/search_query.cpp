#include <tally/search_query.h>

namespace tally::detail {

namespace {

constexpr std::string_view all = " AND ";
constexpr std::string_view any = " OR ";

/// The size of the clause at the start of `text`: up to a join outside quotes, or the end.
std::size_t clauseSize(std::string_view text) {
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == '"') {
      quoted = !quoted;
    } else if (!quoted && text[i] == ' ') {
      return i;
    }
  }
  return text.size();
}

void appendNegated(std::string& out, std::string_view clause) {
  if (clause.starts_with('-')) {
    out += clause.substr(1);
  } else {
    (out += '-') += clause;
  }
}

}  // namespace

std::string quotedInQuery(std::string_view text) {
  std::string result;
  result.reserve(text.size() + 2);
  result += '"';
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  result += '"';
  return result;
}

std::string metadataPath(std::string_view path, std::string_view key) {
  std::string result{path};
  result += '[';
  result += quotedInQuery(key);
  result += ']';
  return result;
}

QueryText clause(std::string_view field, std::string_view comparison, std::string_view operand) {
  std::string result;
  result.reserve(field.size() + comparison.size() + operand.size());
  result += field;
  result += comparison;
  result += operand;
  return {std::move(result)};
}

QueryText joined(const std::string& a, QueryShape shape, const std::string& b) {
  const std::string_view join = shape == QueryShape::allOf ? all : any;
  std::string result;
  result.reserve(a.size() + join.size() + b.size());
  result += a;
  result += join;
  result += b;
  return {std::move(result)};
}

QueryText negated(std::string_view condition) {
  QueryText result;
  while (true) {
    const std::size_t size = clauseSize(condition);
    appendNegated(result.characters, condition.substr(0, size));
    condition.remove_prefix(size);
    if (condition.empty()) return result;
    const bool wasAll = condition.starts_with(all);
    result.characters += wasAll ? any : all;
    condition.remove_prefix(wasAll ? all.size() : any.size());
  }
}

}  // namespace tally::detail

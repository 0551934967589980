#include "store/query.h"

#include <string_view>

namespace tally::fake::detail {

namespace {

void printQuoted(std::string& out, std::string_view text) {
  out += '"';
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  out += '"';
}

void printOperand(std::string& out, const Operand& operand) {
  if (const auto* text = std::get_if<std::string>(&operand)) {
    printQuoted(out, *text);
  } else if (const auto* number = std::get_if<std::int64_t>(&operand)) {
    out += std::to_string(*number);
  } else {
    out += "null";
  }
}

void printClause(std::string& out, const Clause& clause) {
  if (clause.negated) out += '-';
  out += clause.field;
  if (clause.key) {
    out += '[';
    printQuoted(out, *clause.key);
    out += ']';
  }
  out += toString(clause.comparison);
  printOperand(out, clause.operand);
}

}  // namespace

std::string_view toString(Comparison comparison) noexcept {
  switch (comparison) {
    case Comparison::equals:
      return ":";
    case Comparison::contains:
      return "~";
    case Comparison::less:
      return "<";
    case Comparison::atMost:
      return "<=";
    case Comparison::greater:
      return ">";
    case Comparison::atLeast:
      break;
  }
  return ">=";
}

std::string print(const Query& query) {
  std::string out;
  for (const Clause& clause : query.clauses) {
    if (!out.empty()) out += query.join == Join::all ? " AND " : " OR ";
    printClause(out, clause);
  }
  return out;
}

std::string describe(const QueryFault& fault) {
  return "at position " + std::to_string(fault.position) + ": " + fault.what;
}

}  // namespace tally::fake::detail

#include "fake/support/query_text.h"

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

std::string print(const Query& query) {
  std::string out;
  for (const Clause& clause : query.clauses) {
    if (!out.empty()) out += query.join == Join::all ? " AND " : " OR ";
    printClause(out, clause);
  }
  return out;
}

}  // namespace tally::fake::detail

#include "search/query_parser.h"

#include <optional>

#include "search/query_lexer.h"
#include "tables/parsed_number.h"

namespace tally::fake::detail {

namespace {

using Problem = std::optional<QueryFault>;

std::string shown(const Token& token) {
  if (token.kind == Token::Kind::end) return "the end of the query";
  return "'" + token.text + "'";
}

class QueryParser {
 public:
  explicit QueryParser(std::string_view text) : lexer_(text), token_(lexer_.next()) {}

  std::variant<Query, QueryFault> parse() {
    Query query;
    std::optional<Join> join;
    do {
      if (Problem problem = readClause(query.clauses.emplace_back())) return *std::move(problem);
      if (token_.kind == Token::Kind::end) break;
      if (Problem problem = readJoin(join)) return *std::move(problem);
    } while (true);
    query.join = join.value_or(Join::all);
    return query;
  }

 private:
  void advance() { token_ = lexer_.next(); }

  Problem expected(const std::string& what) const {
    if (token_.kind == Token::Kind::bad) return QueryFault{token_.position, token_.text};
    return QueryFault{token_.position, "expected " + what + ", not " + shown(token_)};
  }

  Problem readJoin(std::optional<Join>& join) {
    const bool isJoin = token_.kind == Token::Kind::word && (token_.text == "AND" || token_.text == "OR");
    if (!isJoin) return expected("AND or OR");
    const Join read = token_.text == "AND" ? Join::all : Join::any;
    if (join && *join != read) return QueryFault{token_.position, "AND and OR can't be mixed in one query"};
    join = read;
    advance();
    return std::nullopt;
  }

  Problem readClause(Clause& clause) {
    clause.negated = token_.kind == Token::Kind::minus;
    if (clause.negated) advance();
    clause.fieldPosition = token_.position;
    if (token_.kind != Token::Kind::word) return expected("a field");
    clause.field = token_.text;
    advance();
    if (Problem problem = readKey(clause)) return problem;
    if (Problem problem = readComparison(clause)) return problem;
    return readOperand(clause);
  }

  Problem readKey(Clause& clause) {
    if (token_.kind != Token::Kind::open) return std::nullopt;
    advance();
    if (token_.kind != Token::Kind::quoted) return expected("a key in quotes");
    clause.key = token_.text;
    advance();
    if (token_.kind != Token::Kind::close) return expected("']'");
    advance();
    return std::nullopt;
  }

  Problem readComparison(Clause& clause) {
    if (token_.kind != Token::Kind::comparison) return expected("':', '~', '<', '<=', '>' or '>='");
    for (const auto comparison : {Comparison::equals, Comparison::contains, Comparison::less,
                                  Comparison::atMost, Comparison::greater, Comparison::atLeast})
      if (token_.text == toString(comparison)) clause.comparison = comparison;
    advance();
    return std::nullopt;
  }

  Problem readOperand(Clause& clause) {
    clause.operandPosition = token_.position;
    if (token_.kind == Token::Kind::quoted) {
      clause.operand = token_.text;
    } else if (token_.kind == Token::Kind::word && token_.text == "null") {
      clause.operand = std::monostate{};
    } else if (token_.kind == Token::Kind::minus) {
      advance();
      return readNumber(clause, "-");
    } else {
      return readNumber(clause, "");
    }
    advance();
    return std::nullopt;
  }

  Problem readNumber(Clause& clause, const std::string& sign) {
    if (token_.kind != Token::Kind::number) return expected(sign.empty() ? "a value" : "a number");
    const std::string digits = sign + token_.text;
    const auto number = parsedNumber<std::int64_t>(digits);
    if (!number) return QueryFault{clause.operandPosition, "the number is too large"};
    clause.operand = *number;
    advance();
    return std::nullopt;
  }

  QueryLexer lexer_;
  Token token_;
};

}  // namespace

std::variant<Query, QueryFault> parseQuery(std::string_view text) {
  return QueryParser{text}.parse();
}

}  // namespace tally::fake::detail

#include "store/query_binder.h"

#include <algorithm>
#include <optional>

#include "form/validation.h"
#include "tables/parsed_number.h"
#include "tables/schema_types.h"
#include "tables/utf8.h"

namespace tally::fake::detail {

namespace {

using Problem = std::optional<QueryFault>;

bool isNumber(Kind kind) {
  return kind == Kind::integer || kind == Kind::time;
}

std::string searchableFields(const ResourceType& type) {
  std::string result;
  for (const std::string_view path : type.rules().searchable) {
    if (!result.empty()) result += ", ";
    result += path;
  }
  return result;
}

Problem wrongOperand(const Clause& clause, const std::string& what) {
  return QueryFault{clause.operandPosition, "'" + clause.field + "' is " + what};
}

Problem wrongComparison(const Clause& clause, const std::string& what) {
  return QueryFault{clause.fieldPosition,
                    "'" + std::string{toString(clause.comparison)} + "' compares " + what};
}

/// Also accepts a number in quotes, since the field is known to be a number.
Problem checkNumber(Clause& clause) {
  if (clause.comparison == Comparison::contains)
    return wrongComparison(clause, "text, but '" + clause.field + "' is a number");
  const auto* text = std::get_if<std::string>(&clause.operand);
  if (text == nullptr) return std::nullopt;
  const auto number = parsedNumber<std::int64_t>(*text);
  if (!number) return wrongOperand(clause, "a number");
  clause.operand = *number;
  return std::nullopt;
}

Problem checkText(const Clause& clause, const Field& field) {
  if (clause.comparison != Comparison::equals && clause.comparison != Comparison::contains)
    return wrongComparison(clause, "numbers, but '" + clause.field + "' is text");
  if (std::holds_alternative<std::int64_t>(clause.operand))
    return wrongOperand(clause, "text, which needs quotes");
  const auto* text = std::get_if<std::string>(&clause.operand);
  if (clause.comparison == Comparison::contains && text != nullptr && text->empty())
    return QueryFault{clause.operandPosition, "'~' needs at least one character"};
  if (clause.comparison == Comparison::equals && text != nullptr && !tally::detail::fitsPattern(field, *text))
    return wrongOperand(clause, tally::detail::patternOf(field));
  return std::nullopt;
}

Problem checkBoolean(const Clause& clause) {
  const auto* text = std::get_if<std::string>(&clause.operand);
  const bool named = text != nullptr && (*text == "true" || *text == "false");
  if (clause.comparison == Comparison::equals && named) return std::nullopt;
  return wrongOperand(clause, R"(a boolean, which needs ':"true"' or ':"false"')");
}

Problem checkKind(Clause& clause, const Field& field) {
  const Kind kind = field.type.kind;
  if (std::holds_alternative<std::monostate>(clause.operand)) {
    if (clause.comparison == Comparison::equals) return std::nullopt;
    return QueryFault{clause.operandPosition, "only ':' takes null"};
  }
  if (isNumber(kind)) return checkNumber(clause);
  if (kind == Kind::boolean) return checkBoolean(clause);
  if (kind == Kind::text || kind == Kind::string || kind == Kind::metadata) return checkText(clause, field);
  return wrongOperand(clause, "comparable only with null");
}

Problem checkKey(const Clause& clause, Kind kind) {
  if (clause.key.has_value() == (kind == Kind::metadata)) return std::nullopt;
  if (clause.key) return QueryFault{clause.fieldPosition, "'" + clause.field + "' has no keys"};
  return QueryFault{clause.fieldPosition,
                    "'" + clause.field + "' needs a key: " + clause.field + "[\"key\"]"};
}

bool compareText(std::string_view actual, const Clause& clause) {
  const auto& wanted = std::get<std::string>(clause.operand);
  return clause.comparison == Comparison::equals ? actual == wanted : containsIgnoringCase(actual, wanted);
}

bool compareNumber(std::int64_t actual, const Clause& clause) {
  const auto wanted = std::get<std::int64_t>(clause.operand);
  switch (clause.comparison) {
    case Comparison::less:
      return actual < wanted;
    case Comparison::atMost:
      return actual <= wanted;
    case Comparison::greater:
      return actual > wanted;
    case Comparison::atLeast:
      return actual >= wanted;
    default:
      return actual == wanted;
  }
}

}  // namespace

bool BoundClause::holds(ConstObjectRef object) const {
  if (std::holds_alternative<std::monostate>(clause.operand)) return !field.isPresent(object);
  const Scalar actual = field.in(object);
  if (const auto* text = std::get_if<std::string_view>(&actual)) return compareText(*text, clause);
  if (const auto* number = std::get_if<std::int64_t>(&actual)) return compareNumber(*number, clause);
  if (const auto* truth = std::get_if<bool>(&actual))
    return *truth == (std::get<std::string>(clause.operand) == "true");
  return false;
}

bool BoundQuery::matches(ConstObjectRef object) const {
  const auto met = [object](const BoundClause& bound) { return bound.holds(object) != bound.clause.negated; };
  return join_ == Join::all ? std::ranges::all_of(clauses_, met) : std::ranges::any_of(clauses_, met);
}

std::variant<BoundQuery, QueryFault> bindQuery(Query query, const ResourceType& type) {
  BoundQuery bound;
  bound.join_ = query.join;
  for (Clause& clause : query.clauses) {
    if (std::ranges::find(type.rules().searchable, clause.field) == type.rules().searchable.end())
      return QueryFault{clause.fieldPosition, "unknown searchable field '" + clause.field +
                                                  "'; expected one of " + searchableFields(type)};
    FieldPath path{type.model(), clause.field};
    const Field& field = path.field();
    if (Problem problem = checkKey(clause, field.type.kind)) return *std::move(problem);
    if (Problem problem = checkKind(clause, field)) return *std::move(problem);
    bound.clauses_.push_back({{std::move(path), clause.key}, std::move(clause)});
  }
  return bound;
}

}  // namespace tally::fake::detail

#include "search/query_parser.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "fake/support/query_text.h"

namespace tally::fake::detail {

namespace {

std::string faultOf(std::string_view text) {
  const auto parsed = parseQuery(text);
  const auto* fault = std::get_if<QueryFault>(&parsed);
  return fault == nullptr ? "none" : describe(*fault);
}

Query parsed(std::string_view text) {
  return std::get<Query>(parseQuery(text));
}

TEST(QueryParser, ReadsEveryKindOfClause) {
  const std::vector<Clause> expected{
      {.field = "a", .comparison = Comparison::equals, .operand = std::string{"x"}},
      {.negated = true, .field = "b.c", .comparison = Comparison::contains, .operand = std::string{"y"}},
      {.field = "d", .comparison = Comparison::less, .operand = std::int64_t{1}},
      {.field = "e", .comparison = Comparison::atMost, .operand = std::int64_t{-2}},
      {.field = "f", .comparison = Comparison::greater, .operand = std::int64_t{3}},
      {.field = "g", .comparison = Comparison::atLeast, .operand = std::int64_t{4}},
      {.field = "h", .comparison = Comparison::equals, .operand = {}},
      {.field = "m", .key = "k y", .comparison = Comparison::equals, .operand = std::string{"z"}},
  };
  const Query query =
      parsed(R"(a:"x" AND -b.c~"y" AND d<1 AND e<=-2 AND f>3 AND g>=4 AND h:null AND m["k y"]:"z")");
  EXPECT_EQ(query.join, Join::all);
  EXPECT_EQ(query.clauses, expected);
}

TEST(QueryParser, ReadsClausesJoinedByOr) {
  const Query query = parsed(R"(a:"x" OR b:"y")");
  EXPECT_EQ(query.join, Join::any);
  EXPECT_EQ(query.clauses.size(), 2U);
}

TEST(QueryParser, UnescapesQuotedStrings) {
  EXPECT_EQ(std::get<std::string>(parsed(R"(a:"say \"hi\" \\ bye")").clauses[0].operand),
            R"(say "hi" \ bye)");
}

TEST(QueryParser, RecordsThePositionsOfFieldsAndOperands) {
  const Query query = parsed("a:\"\xC3\xA9\" AND  bc > 5");
  EXPECT_EQ(query.clauses[1].fieldPosition, 12U);
  EXPECT_EQ(query.clauses[1].operandPosition, 17U);
}

TEST(QueryParser, ReportsThePositionOfAnError) {
  EXPECT_EQ(faultOf(""), "at position 1: expected a field, not the end of the query");
  EXPECT_EQ(faultOf("status"),
            "at position 7: expected ':', '~', '<', '<=', '>' or '>=', not the end of the query");
  EXPECT_EQ(faultOf("status=\"a\""), "at position 7: unexpected '='");
  EXPECT_EQ(faultOf("a:"), "at position 3: expected a value, not the end of the query");
  EXPECT_EQ(faultOf("a:b"), "at position 3: expected a value, not 'b'");
  EXPECT_EQ(faultOf("a:-b"), "at position 4: expected a number, not 'b'");
  EXPECT_EQ(faultOf("a:\"b"), "at position 3: missing closing quote");
  EXPECT_EQ(faultOf("a:\"b\\"), "at position 3: missing closing quote");
  EXPECT_EQ(faultOf("a:\"b\" c:\"d\""), "at position 7: expected AND or OR, not 'c'");
  EXPECT_EQ(faultOf("a:\"b\" AND"), "at position 10: expected a field, not the end of the query");
  EXPECT_EQ(faultOf("a:1 AND b:1 OR c:1"), "at position 13: AND and OR can't be mixed in one query");
  EXPECT_EQ(faultOf("m[k]:\"v\""), "at position 3: expected a key in quotes, not 'k'");
  EXPECT_EQ(faultOf("m[\"k\":1"), "at position 6: expected ']', not ':'");
  EXPECT_EQ(faultOf("a>99999999999999999999"), "at position 3: the number is too large");
  EXPECT_EQ(faultOf("\xC3\xA9:1"), "at position 1: unexpected '\xC3\xA9'");
  EXPECT_EQ(faultOf("a:'b'"), R"(at position 3: unexpected '''; text is quoted with '"')");
}

TEST(QueryParser, AcceptsTheLargestAndSmallestNumbers) {
  EXPECT_EQ(std::get<std::int64_t>(parsed("a:9223372036854775807").clauses[0].operand),
            std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(std::get<std::int64_t>(parsed("a:-9223372036854775808").clauses[0].operand),
            std::numeric_limits<std::int64_t>::min());
}

rc::Gen<std::string> word() {
  return rc::gen::map(rc::gen::container<std::string>(rc::gen::elementOf(std::string{"abz09_."})),
                      [](const std::string& rest) { return "f" + rest; });
}

rc::Gen<Operand> operand() {
  const auto text = rc::gen::container<std::string>(rc::gen::inRange<char>(0, 127));
  return rc::gen::oneOf(
      rc::gen::just(Operand{}), rc::gen::map(text, [](std::string t) { return Operand{t}; }),
      rc::gen::map(rc::gen::arbitrary<std::int64_t>(), [](std::int64_t n) { return Operand{n}; }));
}

Clause anyClause() {
  Clause clause;
  clause.negated = *rc::gen::arbitrary<bool>();
  clause.field = *word();
  if (*rc::gen::arbitrary<bool>())
    clause.key = *rc::gen::container<std::string>(rc::gen::inRange<char>(0, 127));
  clause.comparison = static_cast<Comparison>(*rc::gen::inRange(0, 6));
  clause.operand = *operand();
  return clause;
}

RC_GTEST_PROP(QueryParser, ReadsPrintedQueries, ()) {
  Query query;
  const int count = *rc::gen::inRange(1, 5);
  for (int n = 0; n < count; ++n)
    query.clauses.push_back(anyClause());
  if (count > 1 && *rc::gen::arbitrary<bool>()) query.join = Join::any;
  const auto read = parseQuery(print(query));
  RC_ASSERT(std::holds_alternative<Query>(read));
  RC_ASSERT(std::get<Query>(read) == query);
}

RC_GTEST_PROP(QueryParser, AcceptsOrRefusesAnyBytes, (const std::string& bytes)) {
  (void)parseQuery(bytes);
}

RC_GTEST_PROP(QueryParser, ReportsErrorPositionsWithinTheQuery, ()) {
  const auto pieces =
      *rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(std::vector<std::string>{
          "a", "AND", "OR", "null", ":", "~", "<", "<=", ">", "-", "1", "\"x\"", "\"", "[", "]", " ", "\\"}));
  std::string text;
  for (const std::string& piece : pieces)
    text += piece;
  const auto read = parseQuery(text);
  if (const auto* fault = std::get_if<QueryFault>(&read)) RC_ASSERT(fault->position <= text.size() + 1);
}

}  // namespace

}  // namespace tally::fake::detail

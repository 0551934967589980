#include "store/index_key.h"

#include <limits>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "fake/support/gadget.h"
#include "search/query_parser.h"

namespace tally::test {

namespace {

using namespace fake::detail;

constexpr std::int64_t lowest = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t highest = std::numeric_limits<std::int64_t>::max();

IndexKey keyOf(const Scalar& value) {
  return indexKeyOf(value).value();
}

std::optional<KeyRange> keysOf(std::string_view clause) {
  static const ResourceType type{gadgetRules};
  return indexKeysOf(
      std::get<BoundQuery>(bindQuery(std::get<Query>(parseQuery(clause)), type)).clauses().front());
}

KeyRange range(std::int64_t first, std::int64_t last) {
  return {keyOf(first), keyOf(last)};
}

TEST(IndexKey, IsEmptyForAMissingValue) {
  EXPECT_EQ(indexKeyOf(Scalar{}), std::nullopt);
}

RC_GTEST_PROP(IndexKey, OrdersNumbersByValue, (std::int64_t one, std::int64_t other)) {
  RC_ASSERT((keyOf(one) < keyOf(other)) == (one < other));
}

TEST(IndexKey, DiffersForDifferentStringsAndBooleans) {
  EXPECT_EQ(keyOf(std::string_view{"tea"}), keyOf(std::string_view{"tea"}));
  EXPECT_NE(keyOf(std::string_view{"tea"}), keyOf(std::string_view{"Tea"}));
  EXPECT_NE(keyOf(true), keyOf(false));
}

TEST(IndexKeys, AreASingleKeyForAnEqualityClause) {
  EXPECT_EQ(keysOf("size:-4"), range(-4, -4));
  EXPECT_EQ(keysOf(R"(size:"4")"), range(4, 4));
  EXPECT_EQ(keysOf(R"(name:"true")")->first, keyOf(std::string_view{"true"}));
  EXPECT_EQ(keysOf(R"(metadata["k"]:"v")")->first, keyOf(std::string_view{"v"}));
  EXPECT_EQ(keysOf(R"(active:"true")")->first, keyOf(true));
  EXPECT_EQ(keysOf(R"(active:"false")")->first, keyOf(false));
  EXPECT_TRUE(keysOf("size:4")->isOneKey());
  EXPECT_FALSE(keysOf("size>4")->isOneKey());
}

TEST(IndexKeys, AreARangeForAComparisonClause) {
  EXPECT_EQ(keysOf("size<5"), range(lowest, 4));
  EXPECT_EQ(keysOf("size<=5"), range(lowest, 5));
  EXPECT_EQ(keysOf("created>5"), range(6, highest));
  EXPECT_EQ(keysOf("created>=5"), range(5, highest));
  EXPECT_TRUE(keysOf("size<-9223372036854775808")->empty());
  EXPECT_TRUE(keysOf("size>9223372036854775807")->empty());
  EXPECT_FALSE(keysOf("size<=-9223372036854775808")->empty());
}

TEST(IndexKeys, AreEmptyForClausesWithoutAnIndex) {
  for (const char* clause : {R"(-name:"tea")", R"(name~"tea")", "name:null", "size:null", "-size<5"})
    EXPECT_EQ(keysOf(clause), std::nullopt) << clause;
}

TEST(IndexKeys, CanBeIntersected) {
  EXPECT_EQ(intersection(range(1, 5), range(3, 9)), range(3, 5));
  EXPECT_TRUE(intersection(range(1, 2), range(3, 4)).empty());
}

}  // namespace

}  // namespace tally::test

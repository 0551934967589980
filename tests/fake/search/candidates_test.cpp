#include "search/candidates.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "fake/support/gadget.h"
#include "json/json_writer.h"
#include "search/query_parser.h"

namespace tally::test {

namespace {

using namespace fake::detail;
using tally::detail::Schema;

using Ids = std::vector<std::string>;

/// A hundred gadgets with sizes 0 to 99, newest last; ten for each name, half of them active.
class Candidates : public testing::Test {
 protected:
  Candidates() {
    for (std::int64_t n = 0; n < 100; ++n) {
      Gadget gadget;
      gadget.id = std::to_string(n);
      gadget.size = n;
      gadget.name = std::string{static_cast<char>('a' + n % 10)};
      gadget.active = n % 2 == 0;
      gadget.metadata["tens"] = std::to_string(n / 10);
      std::string json;
      tally::detail::writeJson(json, refTo(gadget));
      collection.add(gadget.id.str(), json, n, {}, 0);
    }
  }

  Ids candidates(std::string_view text, std::optional<Position> after = {}) {
    const BoundQuery query = std::get<BoundQuery>(bindQuery(std::get<Query>(parseQuery(text)), type));
    const auto source = candidatesFor(query, Schema<Gadget>::value, collection, after);
    Ids ids;
    while (const Record* record = source->next())
      ids.emplace_back(record->id());
    return ids;
  }

  ResourceType type{gadgetRules};
  Collection collection{};
};

TEST_F(Candidates, AreTheMatchesOfAnIndexedClause) {
  EXPECT_EQ(candidates("size:7"), Ids{"7"});
  EXPECT_EQ(candidates("size:-1"), Ids{});
  EXPECT_EQ(candidates(R"(name:"c")"), (Ids{"92", "82", "72", "62", "52", "42", "32", "22", "12", "2"}));
  EXPECT_EQ(candidates(R"(metadata["tens"]:"0")"), (Ids{"9", "8", "7", "6", "5", "4", "3", "2", "1", "0"}));
  EXPECT_EQ(candidates(R"(active:"true")").size(), 50U);
}

TEST_F(Candidates, AreTheMatchesOfARangeWithTheNewestFirst) {
  EXPECT_EQ(candidates("size<3"), (Ids{"2", "1", "0"}));
  EXPECT_EQ(candidates("size>=98"), (Ids{"99", "98"}));
  EXPECT_EQ(candidates("size>40 AND size<=42"), (Ids{"42", "41"}));
  EXPECT_EQ(candidates("size>5 AND size<5"), Ids{});
}

TEST_F(Candidates, StartAfterTheGivenPosition) {
  EXPECT_EQ(candidates(R"(name:"c")", Position{22, 22}), (Ids{"12", "2"}));
  EXPECT_EQ(candidates("size<5", Position{2, 2}), (Ids{"1", "0"}));
  EXPECT_EQ(candidates("size<3 OR size:9", Position{2, 2}), (Ids{"1", "0"}));
  EXPECT_EQ(candidates(R"(name~"c")", Position{2, 2}), (Ids{"1", "0"}));
}

TEST_F(Candidates, ComeFromTheMostSelectiveClauseJoinedByAnd) {
  EXPECT_EQ(candidates(R"(active:"true" AND size:7 AND name:"c")"), Ids{"7"});
  EXPECT_EQ(candidates(R"(name~"x" AND -size:3 AND note:null AND size<2)"), (Ids{"1", "0"}));
}

TEST_F(Candidates, ComeFromAllClausesJoinedByOrWithoutDuplicates) {
  EXPECT_EQ(candidates("size:7 OR size:9 OR size>98 OR size<1"), (Ids{"99", "9", "7", "0"}));
  EXPECT_EQ(candidates("size:7 OR size:7 OR size<8 OR size<=7").size(), 8U);
}

TEST_F(Candidates, AreAllObjectsWhenNoIndexHelps) {
  for (const char* query : {R"(name~"x")", "-size:3", "note:null", R"(size:7 OR name~"x")"})
    EXPECT_EQ(candidates(query).size(), 100U) << query;
  std::string many = "size:1";
  for (std::size_t n = 0; n < SearchIndexes::most; ++n)
    many += R"( AND metadata[")" + std::to_string(n) + R"("]:"x")";
  EXPECT_EQ(candidates(many).size(), 100U);
}

}  // namespace

}  // namespace tally::test

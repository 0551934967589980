#include "store/query_binder.h"

#include <gtest/gtest.h>

#include "fake/support/gadget.h"
#include "search/query_parser.h"

namespace tally::test {

namespace {

using fake::detail::BoundQuery;
using fake::detail::Query;
using fake::detail::QueryFault;
using fake::detail::ResourceType;

class QueryBinder : public testing::Test {
 protected:
  QueryBinder() {
    gadget.name = "Tea Pot";
    gadget.size = 4;
    gadget.created = std::chrono::sys_seconds{std::chrono::seconds{1000}};
    gadget.active = true;
    gadget.spare = Part{"Lid", 1};
    gadget.metadata = {{"order", "42"}, {"empty", ""}};
  }

  [[nodiscard]] std::variant<BoundQuery, QueryFault> bound(std::string_view text) const {
    return bindQuery(std::get<Query>(fake::detail::parseQuery(text)), type_);
  }
  [[nodiscard]] bool finds(std::string_view text) const {
    return std::get<BoundQuery>(bound(text)).matches(refTo(gadget));
  }
  [[nodiscard]] std::string faultOf(std::string_view text) const {
    const auto result = bound(text);
    const auto* fault = std::get_if<QueryFault>(&result);
    return fault == nullptr ? "none" : describe(*fault);
  }

  Gadget gadget{};

 private:
  ResourceType type_{gadgetRules};
};

TEST_F(QueryBinder, ComparesText) {
  EXPECT_TRUE(finds(R"(name:"Tea Pot")"));
  EXPECT_FALSE(finds(R"(name:"tea pot")"));
  EXPECT_FALSE(finds(R"(name:"Tea")"));
  EXPECT_TRUE(finds(R"(name~"tea")"));
  EXPECT_TRUE(finds(R"(name~"A P")"));
  EXPECT_FALSE(finds(R"(name~"cup")"));
}

TEST_F(QueryBinder, ComparesNumbersAndTimes) {
  EXPECT_TRUE(finds("size:4"));
  EXPECT_TRUE(finds(R"(size:"4")"));
  EXPECT_FALSE(finds("size:5"));
  EXPECT_TRUE(finds("size<5"));
  EXPECT_FALSE(finds("size<4"));
  EXPECT_TRUE(finds("size<=4"));
  EXPECT_FALSE(finds("size<=3"));
  EXPECT_TRUE(finds("size>3"));
  EXPECT_FALSE(finds("size>4"));
  EXPECT_TRUE(finds("size>=4"));
  EXPECT_FALSE(finds("size>=5"));
  EXPECT_TRUE(finds("created>999 AND created<1001"));
}

TEST_F(QueryBinder, ComparesBooleans) {
  EXPECT_TRUE(finds(R"(active:"true")"));
  EXPECT_FALSE(finds(R"(active:"false")"));
}

TEST_F(QueryBinder, ComparesNestedFields) {
  EXPECT_TRUE(finds(R"(spare.name:"Lid")"));
  gadget.spare.reset();
  EXPECT_FALSE(finds(R"(spare.name:"Lid")"));
  EXPECT_TRUE(finds("spare.name:null"));
}

TEST_F(QueryBinder, ComparesMetadata) {
  EXPECT_TRUE(finds(R"(metadata["order"]:"42")"));
  EXPECT_TRUE(finds(R"(metadata["order"]~"2")"));
  EXPECT_FALSE(finds(R"(metadata["order"]:"43")"));
  EXPECT_FALSE(finds(R"(metadata["other"]:"42")"));
  EXPECT_TRUE(finds(R"(metadata["other"]:null)"));
  EXPECT_FALSE(finds(R"(metadata["empty"]:null)"));
  EXPECT_TRUE(finds(R"(metadata["empty"]:"")"));
}

TEST_F(QueryBinder, FindsMissingFields) {
  EXPECT_TRUE(finds("note:null"));
  EXPECT_FALSE(finds(R"(note:"x")"));
  EXPECT_FALSE(finds("main.weight>0"));
  EXPECT_TRUE(finds("extra:null"));
  gadget.extra = RawJson{"{}"};
  EXPECT_FALSE(finds("extra:null"));
}

TEST_F(QueryBinder, NegatesClauses) {
  EXPECT_FALSE(finds(R"(-name:"Tea Pot")"));
  EXPECT_TRUE(finds(R"(-note:"x")"));
  EXPECT_FALSE(finds("-note:null"));
}

TEST_F(QueryBinder, CombinesClauses) {
  EXPECT_TRUE(finds("size:4 AND created:1000"));
  EXPECT_FALSE(finds("size:4 AND created:1"));
  EXPECT_TRUE(finds("size:1 OR created:1000"));
  EXPECT_FALSE(finds("size:1 OR created:1"));
}

TEST_F(QueryBinder, ListsTheSearchableFieldsWhenAFieldIsUnknown) {
  EXPECT_EQ(
      faultOf("size:4 AND colour:1"),
      "at position 12: unknown searchable field 'colour'; expected one of name, note, size, created, active, "
      "main.weight, spare.name, parts, extra, metadata");
}

TEST_F(QueryBinder, RefusesComparisonsOfTheWrongType) {
  EXPECT_EQ(faultOf("name>5"), "at position 1: '>' compares numbers, but 'name' is text");
  EXPECT_EQ(faultOf(R"(size~"5")"), "at position 1: '~' compares text, but 'size' is a number");
  EXPECT_EQ(faultOf("name:5"), "at position 6: 'name' is text, which needs quotes");
  EXPECT_EQ(faultOf(R"(size:"x")"), "at position 6: 'size' is a number");
  for (const char* number : {"5x", "x5", "", " 5", "5 ", "+5", "5.0", "0x5", "9223372036854775808"})
    EXPECT_EQ(faultOf("size:\"" + std::string{number} + '"'), "at position 6: 'size' is a number") << number;
  EXPECT_EQ(faultOf(R"(created<"5x")"), "at position 9: 'created' is a number");
  EXPECT_EQ(faultOf(R"(name~"")"), "at position 6: '~' needs at least one character");
  EXPECT_EQ(faultOf("size>null"), "at position 6: only ':' takes null");
  EXPECT_EQ(faultOf(R"(active:"yes")"),
            R"(at position 8: 'active' is a boolean, which needs ':"true"' or ':"false"')");
  EXPECT_EQ(faultOf(R"(parts:"x")"), "at position 7: 'parts' is comparable only with null");
  EXPECT_EQ(faultOf(R"(metadata["a"]>5)"), "at position 1: '>' compares numbers, but 'metadata' is text");
}

TEST_F(QueryBinder, AllowsKeysOnlyInMetadata) {
  EXPECT_EQ(faultOf(R"(metadata:"x")"), R"(at position 1: 'metadata' needs a key: metadata["key"])");
  EXPECT_EQ(faultOf(R"(name["a"]:"x")"), "at position 1: 'name' has no keys");
}

}  // namespace

}  // namespace tally::test

#include "compare/json_differ.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tables/catalog.h"

namespace tally::fake::detail {

namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> found(const std::string& recorded, const std::string& fake,
                               const Struct* model = nullptr) {
  const JsonDocument theirs{recorded};
  const JsonDocument ours{fake};
  std::vector<std::string> all;
  compareJson(theirs.root(), ours.root(), model, [&](const ValueDifference& one) {
    all.push_back(std::string{toString(one.change)} + ' ' + one.path);
  });
  return all;
}

TEST(CompareJson, IgnoresTheOrderOfMembersAndTheSpellingOfValues) {
  EXPECT_THAT(found(R"({"a":1.0,"b":"\u0041"})", R"({"b":"A","a":1e0})"), IsEmpty());
}

TEST(CompareJson, ReportsHowMembersDiffer) {
  EXPECT_THAT(
      found(R"({"b":null,"c":1,"d":"1","e":2,"f":[1],"g":{}})",
            R"({"a":1,"b":1,"c":null,"d":1,"e":3,"f":[1,2]})"),
      ElementsAre("missing a", "null b", "not_null c", "type d", "value e", "value f", "additional g"));
}

TEST(CompareJson, DistinguishesFractionsFromIntegers) {
  EXPECT_THAT(found(R"({"a":1.5,"b":2e0,"c":1e30})", R"({"a":1,"b":2,"c":3})"),
              ElementsAre("type a", "type c"));
}

TEST(CompareJson, ReportsThePathOfNestedMembers) {
  EXPECT_THAT(found(R"({"a":{"b":{}}})", R"({"a":{"b":{"c":1}}})"), ElementsAre("missing a.b.c"));
}

TEST(CompareJson, IgnoresRedactedValues) {
  EXPECT_THAT(found(R"({"a":"[redacted]","b":"x"})", R"({"a":1,"b":"y"})"), ElementsAre("value b"));
}

TEST(CompareJson, ComparesMetadataAsAWhole) {
  const Catalog& catalog = *catalogOfTheApi();
  EXPECT_THAT(found(R"({"metadata":{"a":"1","b":"2"}})", R"({"metadata":{"b":"2"}})",
                    &catalog.findType("payment_record")->model()),
              ElementsAre("value metadata"));
}

}  // namespace

}  // namespace tally::fake::detail

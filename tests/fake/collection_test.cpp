#include "collection.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace tally::fake::detail {

namespace {

std::vector<std::string> order(const Collection& collection) {
  std::vector<std::string> ids;
  for (const Record& record : collection.newestFirst())
    ids.emplace_back(record.id());
  return ids;
}

TEST(Collection, FindsByIdentifier) {
  Collection collection;
  collection.add("pr_1", "{1}", 5, Instant{std::chrono::seconds{9}}, 2);
  const Record* record = collection.find("pr_1");
  ASSERT_NE(record, nullptr);
  EXPECT_EQ(record->id(), "pr_1");
  EXPECT_EQ(record->json(), "{1}");
  EXPECT_EQ(record->position(), (Position{5, 0}));
  EXPECT_EQ(record->stored(), Instant{std::chrono::seconds{9}});
  EXPECT_EQ(record->state(), 2);
  EXPECT_EQ(collection.find("pr_"), nullptr);
  EXPECT_EQ(collection.find("pr_12"), nullptr);
}

TEST(Collection, OrdersByTimeThenByTurnNewestFirst) {
  Collection collection;
  collection.add("a", "", 5, {}, 0);
  collection.add("b", "", 7, {}, 0);
  collection.add("c", "", 5, {}, 0);
  collection.add("d", "", -1, {}, 0);
  EXPECT_EQ(order(collection), (std::vector<std::string>{"b", "c", "a", "d"}));
  EXPECT_EQ(collection.size(), 4U);
}

TEST(Collection, ReplacingKeepsThePlace) {
  Collection collection;
  collection.add("a", "{1}", 5, {}, 0);
  collection.add("b", "{2}", 5, {}, 0);
  collection.replace("a", "{a longer text than before}", 3);
  const Record* record = collection.find("a");
  ASSERT_NE(record, nullptr);
  EXPECT_EQ(record->id(), "a");
  EXPECT_EQ(record->json(), "{a longer text than before}");
  EXPECT_EQ(record->state(), 3);
  EXPECT_EQ(order(collection), (std::vector<std::string>{"b", "a"}));
}

TEST(Collection, FindsByPosition) {
  Collection collection;
  collection.add("a", "{1}", 5, {}, 0);
  collection.add("b", "{2}", -3, {}, 0);
  for (const char* id : {"a", "b"})
    EXPECT_EQ(collection.at(collection.find(id)->position()).id(), id);
}

TEST(Collection, IsCopiedWithAllItHolds) {
  Collection collection;
  collection.add("a", "{1}", 5, {}, 0);
  collection.add("b", "{2}", 7, {}, 0);
  Collection copy{collection};
  collection.replace("a", "{3}", 1);
  collection.add("c", "{4}", 6, {}, 0);
  EXPECT_EQ(copy.find("a")->json(), "{1}");
  EXPECT_EQ(order(copy), (std::vector<std::string>{"b", "a"}));
  copy.add("d", "{5}", 7, {}, 0);
  EXPECT_EQ(order(copy), (std::vector<std::string>{"d", "b", "a"}));
  EXPECT_EQ(order(collection), (std::vector<std::string>{"b", "c", "a"}));
}

TEST(Record, GrowsALittleWhereItIs) {
  Record record{"a", std::string(800, 'x'), {}, {}, 0};
  const char* place = record.json().data();
  record.replace(std::string(820, 'y'), 0);
  EXPECT_EQ(record.json(), std::string(820, 'y'));
  EXPECT_EQ(record.json().data(), place);
}

TEST(Record, TakesAnotherPlaceWhereItsOwnIsTooSmallOrFarTooLarge) {
  Record record{"a", std::string(800, 'x'), {}, {}, 0};
  record.replace(std::string(8'000, 'y'), 1);
  EXPECT_EQ(record.json(), std::string(8'000, 'y'));
  const char* place = record.json().data();
  record.replace(std::string(80, 'z'), 1);
  EXPECT_EQ(record.id(), "a");
  EXPECT_EQ(record.json(), std::string(80, 'z'));
  EXPECT_NE(record.json().data(), place);
}

}  // namespace

}  // namespace tally::fake::detail

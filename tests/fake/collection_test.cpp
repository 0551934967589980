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

}  // namespace

}  // namespace tally::fake::detail

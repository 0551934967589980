#include "observed/list_order.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tally::fake::detail {

namespace {

using testing::ElementsAre;

std::vector<std::string> orderOf(const ListOrder& order) {
  std::vector<std::string> ids;
  order.forEach([&](const std::string& id, std::size_t) { ids.push_back(id); });
  return ids;
}

TEST(ListOrder, CombinesPagesThatFollowOneAnother) {
  ListOrder order;
  order.learn({"e", "d"});
  order.learn({"d", "c", "b"});
  order.learn({"b", "a"});
  EXPECT_THAT(orderOf(order), ElementsAre("e", "d", "c", "b", "a"));
}

TEST(ListOrder, NumbersThePartsThatNoPageConnectsWithTheEnds) {
  ListOrder order;
  order.learn({"c", "b"});
  order.learn({"e"});
  order.learn({"a"}, {.oldest = true});
  order.learn({"f"}, {.newest = true});
  std::string parts;
  order.forEach([&](const std::string& id, std::size_t part) { parts += id + std::to_string(part); });
  EXPECT_EQ(parts, "f0c1b1e2a0");
}

TEST(ListOrder, KnowsThePlaceOfAPartThatALaterPageConnectsWithTheStart) {
  ListOrder order;
  order.learn({"d", "c"}, {.newest = true});
  order.learn({"b", "a"});
  order.learn({"c", "b"});
  std::string parts;
  order.forEach([&](const std::string& id, std::size_t part) { parts += id + std::to_string(part); });
  EXPECT_EQ(parts, "d0c0b0a0");
}

TEST(ListOrder, CombinesPagesInAnyOrder) {
  ListOrder order;
  order.learn({"b", "a"});
  order.learn({"d", "c", "b"});
  order.learn({"e", "d"});
  EXPECT_THAT(orderOf(order), ElementsAre("e", "d", "c", "b", "a"));
}

TEST(ListOrder, PutsAFirstPageWithoutKnownObjectsAtTheStart) {
  ListOrder order;
  order.learn({"b", "a"}, {.newest = true});
  order.learn({"d"}, {.newest = true});
  order.learn({"d", "c", "b"}, {.newest = true});
  EXPECT_THAT(orderOf(order), ElementsAre("d", "c", "b", "a"));
}

TEST(ListOrder, PutsTheObjectsOfAnotherPageBeforeThoseThatEndTheList) {
  ListOrder order;
  order.learn({"a"}, {.oldest = true});
  order.learn({"d", "c"});
  order.learn({"b"});
  EXPECT_THAT(orderOf(order), ElementsAre("d", "c", "b", "a"));
}

TEST(ListOrder, PutsTheObjectsOfAnotherPageBeforeTheWholeListWithoutThem) {
  ListOrder order;
  order.learn({"b", "a"}, {.newest = true, .oldest = true});
  order.learn({"d", "c"});
  EXPECT_THAT(orderOf(order), ElementsAre("d", "c", "b", "a"));
}

TEST(ListOrder, MovesKnownObjectsToTheStartWhenAPageShowsThemThere) {
  ListOrder order;
  order.learn({"b", "a"});
  order.learn({"d", "c"});
  order.learn({"d"}, {.newest = true});
  EXPECT_THAT(orderOf(order), ElementsAre("d", "c", "b", "a"));
}

TEST(ListOrder, CombinesLongRunsWithTheirNeighbors) {
  for (const bool firstIsLonger : {false, true}) {
    ListOrder order;
    order.learn({"h", "g", "d", "c"});
    firstIsLonger ? order.learn({"f", "b"}) : order.learn({"f", "b", "a2", "a1", "a0"});
    order.learn({"g", "f"});
    const auto ids = orderOf(order);
    EXPECT_EQ((std::vector<std::string>{ids.begin(), ids.begin() + 3}),
              (std::vector<std::string>{"h", "g", "f"}));
    EXPECT_EQ(ids.size(), firstIsLonger ? 6U : 9U);
  }
}

TEST(ListOrder, IncludesTheOrderLearnedByAnother) {
  ListOrder order;
  order.learn({"d", "c"});
  ListOrder other;
  other.learn({"e"}, {.newest = true});
  other.learn({"f"}, {.newest = true});
  other.learn({"a"}, {.oldest = true});
  other.learn({"c", "b"});
  order.learn(other);
  EXPECT_THAT(orderOf(order), ElementsAre("f", "e", "d", "c", "b", "a"));
}

TEST(ListOrder, PlacesNewObjectsBetweenKnownOnes) {
  ListOrder order;
  order.learn({"e", "a"});
  order.learn({"f", "e", "c", "a"});
  EXPECT_THAT(orderOf(order), ElementsAre("f", "e", "c", "a"));
}

}  // namespace

}  // namespace tally::fake::detail

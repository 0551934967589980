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
  order.forEach([&](const std::string& id) { ids.push_back(id); });
  return ids;
}

TEST(ListOrder, CombinesPagesThatFollowOneAnother) {
  ListOrder order;
  order.learn({"e", "d"});
  order.learn({"d", "c", "b"});
  order.learn({"b", "a"});
  EXPECT_THAT(orderOf(order), ElementsAre("e", "d", "c", "b", "a"));
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
  order.learn({"b", "a"}, true);
  order.learn({"d"}, true);
  order.learn({"d", "c", "b"}, true);
  EXPECT_THAT(orderOf(order), ElementsAre("d", "c", "b", "a"));
}

TEST(ListOrder, PlacesNewObjectsBetweenKnownOnes) {
  ListOrder order;
  order.learn({"e", "a"});
  order.learn({"f", "e", "c", "a"});
  EXPECT_THAT(orderOf(order), ElementsAre("f", "e", "c", "a"));
}

}  // namespace

}  // namespace tally::fake::detail

#include "store/field_index.h"

#include <vector>

#include <gtest/gtest.h>

#include "fake/support/gadget.h"

namespace tally::test {

namespace {

using namespace fake::detail;

IndexKey keyOfNumber(std::int64_t number) {
  return *indexKeyOf(number);
}

class FieldIndexes : public testing::Test {
 protected:
  static Gadget weighing(std::optional<std::int64_t> weight) {
    Gadget gadget;
    gadget.main.weight = weight;
    return gadget;
  }
  void add(std::optional<std::int64_t> weight, Position position) {
    const Gadget gadget = weighing(weight);
    index.add(refTo(gadget), position);
  }
  void move(std::optional<std::int64_t> before, std::optional<std::int64_t> after, Position position) {
    const Gadget old = weighing(before);
    const Gadget present = weighing(after);
    index.move(refTo(old), refTo(present), position);
  }
  [[nodiscard]] std::vector<Position> with(std::int64_t weight, std::optional<Position> after = {}) const {
    std::vector<Position> positions;
    for (auto it = index.find(keyOfNumber(weight), after);
         it != index.end() && it->key == keyOfNumber(weight); ++it)
      positions.push_back(it->position);
    return positions;
  }

  FieldIndex index{{FieldPath{tally::detail::Schema<Gadget>::value, "main.weight"}}};
};

using Positions = std::vector<Position>;

TEST_F(FieldIndexes, FindTheNewestObjectsFirst) {
  add(5, {1, 0});
  add(5, {3, 1});
  add(4, {2, 2});
  add(5, {1, 3});
  EXPECT_EQ(with(5), (Positions{{3, 1}, {1, 3}, {1, 0}}));
  EXPECT_EQ(with(4), (Positions{{2, 2}}));
  EXPECT_EQ(with(3), Positions{});
}

TEST_F(FieldIndexes, FindObjectsAfterAnyPosition) {
  add(5, {1, 0});
  add(5, {3, 1});
  add(4, {2, 2});
  EXPECT_EQ(with(5, Position{3, 1}), (Positions{{1, 0}}));
  EXPECT_EQ(with(5, Position{2, 2}), (Positions{{1, 0}}));
  EXPECT_EQ(with(5, Position{1, 0}), Positions{});
}

TEST_F(FieldIndexes, CountObjectsWithinARange) {
  for (std::uint64_t n = 0; n < 10; ++n)
    add(static_cast<std::int64_t>(n / 2), {0, n});
  add(std::nullopt, {0, 10});
  EXPECT_EQ(index.count({keyOfNumber(1), keyOfNumber(3)}), 6U);
  EXPECT_EQ(index.count({keyOfNumber(4), keyOfNumber(9)}), 2U);
  EXPECT_EQ(index.count({keyOfNumber(-9), keyOfNumber(9)}), 10U);
  EXPECT_EQ(index.count({keyOfNumber(3), keyOfNumber(1)}), 0U);
}

TEST_F(FieldIndexes, ReflectAChangedValue) {
  add(5, {1, 0});
  move(5, 6, {1, 0});
  EXPECT_EQ(with(5), Positions{});
  EXPECT_EQ(with(6), (Positions{{1, 0}}));
  move(6, std::nullopt, {1, 0});
  EXPECT_EQ(with(6), Positions{});
  move(std::nullopt, 7, {1, 0});
  move(7, 7, {1, 0});
  EXPECT_EQ(with(7), (Positions{{1, 0}}));
}

}  // namespace

}  // namespace tally::test

#include "store/search_indexes.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "fake/support/gadget.h"

namespace tally::test {

namespace {

using namespace fake::detail;

const Struct& model = tally::detail::Schema<Gadget>::value;

std::string json(int size) {
  return R"({"id":"gad_1","object":"test_gadget","livemode":false,"created":1,"name":"a","note":null,"size":)" +
         std::to_string(size) +
         R"(,"active":false,"main":{"name":"b"},"spare":null,"parts":[],"extra":null,"serial":"ser_1",)" +
         R"("metadata":{"order":"42"}})";
}

class SearchIndex : public testing::Test {
 protected:
  static std::size_t count(const FieldIndex& index, std::int64_t value) {
    return index.count({*indexKeyOf(value), *indexKeyOf(value)});
  }
  const FieldIndex& ofSizes(SearchIndexes& indexes) { return indexes.get(size, model, records); }
  const FieldIndex& ofKey(SearchIndexes& indexes, int number) {
    return indexes.get({FieldPath{model, "metadata"}, std::to_string(number)}, model, records);
  }

  SearchedField size{FieldPath{model, "size"}};
  std::vector<Record> records{Record{SharedText::none(), "gad_1", json(5), {1, 0}, {}, 0},
                              Record{SharedText::none(), "gad_2", json(6), {1, 1}, {}, 0}};
  SearchIndexes all{};
};

TEST_F(SearchIndex, IsBuiltOnDemandAndKept) {
  EXPECT_TRUE(all.empty());
  const FieldIndex& index = ofSizes(all);
  EXPECT_FALSE(all.empty());
  EXPECT_EQ(count(index, 5), 1U);
  EXPECT_EQ(count(index, 6), 1U);
  records.clear();
  EXPECT_EQ(&ofSizes(all), &index);
  EXPECT_EQ(count(index, 5), 1U);
}

TEST_F(SearchIndex, ReflectsAddedAndChangedObjects) {
  const FieldIndex& index = ofSizes(all);
  all.add(json(5), {1, 2});
  ASSERT_EQ(&ofSizes(all), &index) << "nothing shares it";
  EXPECT_EQ(count(index, 5), 2U);
  all.move(json(5), json(6), {1, 0});
  ASSERT_EQ(&ofSizes(all), &index);
  EXPECT_EQ(count(index, 5), 1U);
  EXPECT_EQ(count(index, 6), 2U);
}

TEST_F(SearchIndex, InACopyIgnoresChangesToTheOriginal) {
  (void)ofSizes(all);
  SearchIndexes copy{all};
  all.add(json(5), {1, 2});
  EXPECT_EQ(count(ofSizes(copy), 5), 1U);
}

TEST_F(SearchIndex, IsEvictedWhenItIsTheLeastRecentlyUsed) {
  const FieldIndex& sizes = ofSizes(all);
  const FieldIndex& first = ofKey(all, 0);
  for (int key = 1; key + 1 < static_cast<int>(SearchIndexes::most); ++key)
    (void)ofKey(all, key);
  EXPECT_EQ(&ofKey(all, 0), &first);
  EXPECT_EQ(&ofSizes(all), &sizes);
  records.clear();
  (void)ofKey(all, 1'000);
  EXPECT_EQ(count(ofSizes(all), 5), 1U);
  for (int key = 1; key < static_cast<int>(SearchIndexes::most) + 1; ++key)
    (void)ofKey(all, key);
  EXPECT_EQ(count(ofSizes(all), 5), 0U) << "rebuilt without records";
}

}  // namespace

}  // namespace tally::test

#include "store/collection.h"

#include <iterator>
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

TEST(Collection, FindsRecordsByIdentifier) {
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

/// More identifiers than hash values.
TEST(Collection, FindsNoRecordForAnIdentifierWithTheSameHash) {
  Collection collection;
  const auto id = [](int n) { return "pr_" + std::to_string(n); };
  for (int n = 0; n < 30'000; ++n)
    collection.add(id(n), "", n, {}, 0);
  for (int n = 30'000; n < 1'000'000; ++n)
    ASSERT_EQ(collection.find(id(n)), nullptr) << n;
}

TEST(Collection, OrdersRecordsByTimeAndInsertionWithTheNewestFirst) {
  Collection collection;
  collection.add("a", "", 5, {}, 0);
  collection.add("b", "", 7, {}, 0);
  collection.add("c", "", 5, {}, 0);
  collection.add("d", "", -1, {}, 0);
  EXPECT_EQ(order(collection), (std::vector<std::string>{"b", "c", "a", "d"}));
  EXPECT_EQ(collection.size(), 4U);
}

TEST(Collection, KeepsThePositionOfAReplacedRecord) {
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

TEST(Collection, FindsRecordsByPosition) {
  Collection collection;
  collection.add("a", "{1}", 5, {}, 0);
  collection.add("b", "{2}", -3, {}, 0);
  for (const char* id : {"a", "b"})
    EXPECT_EQ(collection.at(collection.find(id)->position()).id(), id);
}

TEST(Collection, IsIndependentOfItsCopies) {
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

TEST(Collection, StoresOnlyOnceWhatItsTextsRepeat) {
  const std::string common(800, 'x');
  const SharedText shared{common};
  Collection collection;
  collection.add("a", common + "1", 5, {}, 0, shared);
  EXPECT_LT(collection.find("a")->packed().size(), 30U);
  collection.replace("a", common + "2", 0);
  EXPECT_LT(collection.find("a")->packed().size(), 30U);
}

TEST(Collection, SharesUnchangedRecordsWithCopies) {
  Collection collection;
  for (int n = 0; n < 1'000; ++n)
    collection.add(std::to_string(n), "{}", n, {}, 0);
  const Collection copy{collection};
  Collection another{copy};
  collection.replace("500", "{1}", 0);
  another.add("new", "{}", 5, {}, 0);
  for (int n = 0; n < 1'000; ++n) {
    const std::string id = std::to_string(n);
    const char* place = copy.find(id)->packed().data();
    EXPECT_EQ(another.find(id)->packed().data(), place) << id;
    EXPECT_EQ(collection.find(id)->packed().data() == place, n != 500) << id;
  }
  EXPECT_EQ(copy.find("500")->json(), "{}");
  EXPECT_EQ(copy.find("new"), nullptr);
}

/// Thousands of objects with times in random order, and copies taken in between.
TEST(Collection, KeepsItsOrderAndLeavesCopiesIntactWithThousandsOfRecords) {
  constexpr int many = 5'000;
  constexpr int step = 1'237;  // coprime to `many`, so each time occurs once
  Collection collection;
  std::vector<Collection> copies;
  for (int n = 0; n < many; ++n) {
    if (n % 1'000 == 0) copies.push_back(collection);
    const int time = n * step % many;
    collection.add("id" + std::to_string(time), std::to_string(n), time, {}, 0);
  }
  for (std::size_t i = 0; i < copies.size(); ++i) {
    EXPECT_EQ(copies[i].size(), i * 1'000);
    EXPECT_EQ(order(copies[i]).size(), i * 1'000);
  }
  const auto ordered = collection.newestFirst();
  int time = many;
  for (auto it = ordered.begin(); it != ordered.end(); ++it) {
    const std::string id = "id" + std::to_string(--time);
    ASSERT_EQ(it->id(), id);
    ASSERT_EQ(collection.find(id), &*it);
    ASSERT_EQ(ordered.at(it->position()), it);
    ASSERT_EQ(ordered.behind(it->position()), std::next(it));
    ASSERT_EQ(std::prev(std::next(it)), it);
  }
  EXPECT_EQ(time, 0);
  EXPECT_EQ(ordered.behind({2, 1'000'000})->id(), "id2") << "including an unused position";
}

TEST(Record, IsSharedByCopiesUntilReplaced) {
  Record record{SharedText::none(), "a", std::string(800, 'x'), {}, {}, 0};
  const Record copy{record};
  EXPECT_EQ(copy.packed().data(), record.packed().data());
  record.replace(std::string(820, 'y'), 1);
  EXPECT_EQ(copy.json(), std::string(800, 'x'));
  EXPECT_EQ(copy.state(), 0);
  EXPECT_EQ(record.json(), std::string(820, 'y'));
  EXPECT_EQ(record.id(), "a");
}

TEST(Record, StoresOnlyOnceWhatItsTextsRepeat) {
  const std::string common(800, 'x');
  const SharedText shared{common};
  Record record{shared, "a", common + "1", {}, {}, 0};
  const Record copy{record};
  record.replace(common + "22", 1);
  EXPECT_EQ(copy.json(), common + "1");
  EXPECT_EQ(copy.jsonSize(), 801U);
  EXPECT_EQ(record.json(), common + "22");
  EXPECT_EQ(record.jsonSize(), 802U);
  EXPECT_LT(record.packed().size(), 30U);
  std::string list = "[";
  record.appendJson(list);
  EXPECT_EQ(list, "[" + common + "22");
}

TEST(Record, CanGrowInPlace) {
  Record record{SharedText::none(), "a", std::string(800, 'x'), {}, {}, 0};
  const char* place = record.packed().data();
  record.replace(std::string(820, 'y'), 0);
  EXPECT_EQ(record.json(), std::string(820, 'y'));
  EXPECT_EQ(record.packed().data(), place);
}

TEST(Record, IsReallocatedWhenTooSmallOrMuchTooLarge) {
  Record record{SharedText::none(), "a", std::string(800, 'x'), {}, {}, 0};
  record.replace(std::string(8'000, 'y'), 1);
  EXPECT_EQ(record.json(), std::string(8'000, 'y'));
  const char* place = record.packed().data();
  record.replace(std::string(80, 'z'), 1);
  EXPECT_EQ(record.id(), "a");
  EXPECT_EQ(record.json(), std::string(80, 'z'));
  EXPECT_NE(record.packed().data(), place);
}

}  // namespace

}  // namespace tally::fake::detail

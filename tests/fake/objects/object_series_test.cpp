#include <algorithm>
#include <chrono>
#include <cstddef>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "fake/support/requests.h"
#include "tables/description.h"

// Many objects inserted at once: they equal those inserted one by one, byte for byte.

namespace tally::test {

namespace {

constexpr std::size_t manyObjects = 70;  // more than are inserted under one lock

class ObjectSeries : public testing::Test {
 protected:
  /// All objects, oldest first, and one that is inserted next, as JSON and in their states.
  static std::vector<std::string> contents(OneAccount& one, const std::string& resource) {
    (void)one.service.insert(one.key, resource);
    std::vector<std::string> lines;
    for (const fake::StoredObject& object :
         one.service.objects().list(one.key, {.resource = resource, .limit = 2 * manyObjects}).objects)
      lines.push_back(object.state + ' ' + object.json);
    return {lines.rbegin(), lines.rend()};
  }

  /// Inserts the objects one by one in one service, and at once in another.
  static void compare(const std::string& resource, const std::string& fields = "{}",
                      const std::string& state = {}) {
    SCOPED_TRACE(resource + ' ' + fields + ' ' + state);
    OneAccount slow;
    OneAccount fast;
    std::vector<std::string> ids;
    for (std::size_t n = 0; n < manyObjects; ++n)
      ids.push_back(
          text(boost::json::parse(slow.service.insert(slow.key, resource, fields, state)).at("id")));
    EXPECT_EQ(fast.service.insertMany(fast.key, resource, manyObjects, fields, state), ids);
    EXPECT_EQ(contents(fast, resource), contents(slow, resource));
    EXPECT_EQ(fast.service.accounts().list().size(), slow.service.accounts().list().size());
  }

  static std::string problem(const std::function<void()>& action) {
    try {
      action();
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "none";
  }
};

TEST_F(ObjectSeries, EqualsIndividualInsertionsForEveryResource) {
  for (const fake::detail::ResourceRules* rules : fake::detail::Description{}.resources)
    compare(std::string{rules->resource->name});
}

TEST_F(ObjectSeries, KeepsTheGivenFields) {
  const std::string record = "payment_record";
  compare(record, R"({"amount_requested":{"currency":"eur","value":5},"metadata":{"a":"b"}})");
  compare(record, R"({"created":7})");
  compare(record, R"({"latest_payment_attempt_record":"par_same"})");
  compare(record, R"({"latest_payment_attempt_record":"par_1"})");
  compare(record, R"({"latest_payment_attempt_record":"X"})");  // two new identifiers have it at one place
  compare(record,
          R"({"amount_refunded":{"currency":"usd","value":1},"amount_requested":{"currency":"eur"}})");
  compare(record, R"({"amount_failed":{"value":1000}})");
  compare("account", R"({"country":"DE"})");
}

TEST_F(ObjectSeries, HasTheGivenState) {
  for (const char* state : {"unreported", "canceled", "failed", "guaranteed"})
    compare("payment_record", R"({"amount_requested":{"value":70}})", state);
}

TEST_F(ObjectSeries, HasTheTimeOfItsInsertion) {
  OneAccount one;
  one.service.clock()->advance(std::chrono::hours{5});
  (void)one.service.insertMany(one.key, "payout", 2);
  const auto objects = one.service.objects().list(one.key, {.resource = "payout"}).objects;
  ASSERT_EQ(objects.size(), 2U);
  EXPECT_EQ(objects[0].created, objects[1].created);
  EXPECT_EQ(objects[0].created, std::chrono::floor<std::chrono::seconds>(one.service.clock()->now()));
}

TEST_F(ObjectSeries, StopsAtAUsedIdentifier) {
  OneAccount one;
  EXPECT_EQ(problem([&] { one.service.insertMany(one.key, "payout", 3, R"({"id":"po_same"})"); }),
            "the payout 'po_same' already exists");
  EXPECT_EQ(one.service.objects().list(one.key, {.resource = "payout"}).objects.size(), 1U);
}

TEST_F(ObjectSeries, SkipsUsedIdentifiers) {
  OneAccount one;
  fake::Service twin = one.service.fork();
  (void)twin.insertMany(one.key, "payout", 2);  // the first takes an identifier, like the seeding below
  const std::string next = twin.insertMany(one.key, "payout", 2).back();
  (void)one.service.insert(one.key, "payout", R"({"id":")" + next + R"("})");
  const std::vector<std::string> made = one.service.insertMany(one.key, "payout", 5);
  EXPECT_EQ(made.size(), 5U);
  EXPECT_EQ(std::ranges::count(made, next), 0);
}

TEST_F(ObjectSeries, MayBeEmpty) {
  OneAccount one;
  EXPECT_TRUE(one.service.insertMany(one.key, "payout", 0).empty());
  EXPECT_EQ(contents(one, "payout").size(), 1U);
}

}  // namespace

}  // namespace tally::test

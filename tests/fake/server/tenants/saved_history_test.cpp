#include <chrono>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <tally/fake/saved_service.h>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fake/support/limit_usage.h"
#include "fake/support/requests.h"
#include "time/rfc3339.h"

namespace tally::fake::detail {

namespace {

namespace json = boost::json;

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using std::chrono::seconds;
using test::errorOf;
using testing::HasSubstr;

LimitHistory historyOf(const Service& service, const std::string& key, std::string_view limit) {
  for (LimitHistory& history : service.usage().history(key))
    if (history.limit == limit) return std::move(history);
  return {};
}

void expectSavedAndLoaded(const Service& service, const Account& account) {
  const std::string saved = exportJson(service);
  const Service restored = importJson(saved);
  EXPECT_EQ(exportJson(restored), saved);
  EXPECT_EQ(restored.usage().history(account), service.usage().history(account));
}

/// Quantity updates of two subscriptions.
class WaitingUpdates : public testing::Test {
 protected:
  WaitingUpdates() {
    service.clock()->freeze();
    for (const char* id : {"sub_1", "sub_2"})
      (void)service.insert(key, "subscription", R"({"id":")" + std::string{id} + "\"}");
  }

  [[nodiscard]] HttpRequest update(const std::string& id) const {
    return test::post(key, "/v1/subscriptions/" + id, "quantity=5");
  }
  void updateSecond() { EXPECT_EQ(errorOf(service.handle(update("sub_2"))), "200"); }

  /// Two updates of the first subscription wait, an update of the other is made, then the two.
  void updateFirstThatWaited() {
    Hold lock = service.holds().lockObject(key, "sub_1");
    auto first = std::get<PendingRequest>(service.begin(update("sub_1")));
    auto second = std::get<PendingRequest>(service.begin(update("sub_1")));
    service.clock()->advance(seconds{2});
    updateSecond();
    lock.release();
    EXPECT_TRUE(first.proceed());
    service.clock()->advance(milliseconds{50});
    EXPECT_TRUE(second.proceed());
  }

  Service service{};
  Account account = service.addAccount();
  std::string key = account.sandboxKey;
};

TEST_F(WaitingUpdates, AreSavedIfALaterUpdateBeganThePeak) {
  updateFirstThatWaited();
  EXPECT_EQ(historyOf(service, key, "quantity_updates").highestUse, 2);
  expectSavedAndLoaded(service, account);
}

TEST_F(WaitingUpdates, AreSavedIfThePreviousPeakHasEnded) {
  updateSecond();
  service.clock()->advance(hours{1} - seconds{1});
  updateFirstThatWaited();
  expectSavedAndLoaded(service, account);
}

TEST_F(WaitingUpdates, AreNotSavedWhileTheyWait) {
  const Hold lock = service.holds().lockObject(key, "sub_1");
  const auto first = service.begin(update("sub_1"));
  const auto second = service.begin(update("sub_1"));
  const auto used = [&](const Service& of) {
    return test::usageOf(of.usage().list(account), "quantity_updates", "", "sub_1").used;
  };
  EXPECT_EQ(used(service), 2);
  EXPECT_EQ(used(importJson(exportJson(service))), 0);
}

/// The history of the quantity updates in the text of a service with one account.
json::object& savedHistory(json::value& saved, std::string_view limit) {
  for (json::value& history : saved.at("accounts").at(0).at("sandbox").at("history").as_array())
    if (test::text(history.at("limit")) == limit) return history.as_object();
  throw std::out_of_range{std::string{limit}};
}

std::string problemOf(const json::value& saved) {
  try {
    (void)importJson(json::serialize(saved));
  } catch (const std::invalid_argument& problem) {
    return problem.what();
  }
  return "";
}

TEST_F(WaitingUpdates, AreLoadedWithTheirArrivalTimesUnlessTheyWaitedTooLong) {
  updateFirstThatWaited();
  json::value saved = json::parse(exportJson(service));
  json::object& peak = savedHistory(saved, "quantity_updates").at("peaks").at(0).as_object();
  const Instant since = ServiceOptions{}.start + seconds{2};
  ASSERT_EQ(peak.at("since"), json::value(tally::detail::toText(since)));
  peak["time"] = tally::detail::toText(since - seconds{3});
  EXPECT_EQ(problemOf(saved), "");
  peak["time"] = tally::detail::toText(since - seconds{3} - nanoseconds{1});
  EXPECT_THAT(problemOf(saved), HasSubstr("peaks[0].since: later than the time"));
}

TEST(SavedHistory, LacksLimitsThatCountedNothing) {
  Service service{};
  const std::string key = service.addAccount().sandboxKey;
  EXPECT_THAT(exportJson(service), testing::Not(HasSubstr("\"peaks\"")));
  (void)service.handle(test::get(key, "/v1/payouts"));
  EXPECT_THAT(exportJson(service), HasSubstr("\"peaks\""));
  EXPECT_THAT(exportJson(service), testing::Not(HasSubstr("\"peaks\":[]")));
}

/// A service whose clock is before 1970.
class HistoryBefore1970 : public testing::Test {
 protected:
  void list(int times) {
    for (int n = 0; n < times; ++n)
      (void)service.handle(test::get(key, "/v1/payouts"));
  }

  Service service{{.start = Instant{std::chrono::sys_days{std::chrono::year{1960} / 1 / 1}} + seconds{30}}};
  Account account = service.addAccount();
  std::string key = account.sandboxKey;
};

TEST_F(HistoryBefore1970, IsSavedWithoutRefusals) {
  list(1);
  expectSavedAndLoaded(service, account);
}

TEST_F(HistoryBefore1970, IsSavedWithRefusals) {
  list(40);
  ASSERT_EQ(historyOf(service, key, "global_rate").refusals, 15);
  expectSavedAndLoaded(service, account);
}

TEST_F(HistoryBefore1970, IsLoadedIfAnEarlierVersionWroteTimesWithoutRefusals) {
  list(1);
  json::value saved = json::parse(exportJson(service));
  json::object& history = savedHistory(saved, "global_rate");
  ASSERT_FALSE(history.contains("first_refusal"));
  for (const char* name : {"first_refusal", "last_refusal"})
    history[name] = "1970-01-01T00:00:00.000000000Z";
  EXPECT_EQ(problemOf(saved), "");
}

TEST_F(HistoryBefore1970, IsRefusedIfATimeOfItsRefusalsIsMissingOrWrong) {
  list(40);
  const json::value saved = json::parse(exportJson(service));
  const auto problem = [&](const char* name, const json::value& value) {
    json::value changed = saved;
    savedHistory(changed, "global_rate")[name] = value;
    return problemOf(changed);
  };
  EXPECT_THAT(problem("first_refusal", nullptr), HasSubstr("first_refusal: missing"));
  EXPECT_THAT(problem("last_refusal", nullptr), HasSubstr("last_refusal: missing"));
  EXPECT_THAT(problem("last_refusal", "1970-01-01T00:00:00.000000000Z"),
              HasSubstr("last_refusal: later than the clock"));
  EXPECT_THAT(problem("last_refusal", "1950-01-01T00:00:00.000000000Z"),
              HasSubstr("first_refusal: later than last_refusal"));
}

}  // namespace

}  // namespace tally::fake::detail

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fake/server/support/control_fixture.h"

namespace tally::fake::detail {

namespace {

namespace json = boost::json;

using test::errorOf;
using test::messageOf;
using testing::HasSubstr;
using testing::StartsWith;

class AccountControl : public ControlTest {
 protected:
  /// The account with the identifier and keys in a response.
  static Account accountIn(const boost::json::value& response) {
    return {.id = test::text(response.at("id")),
            .liveKey = test::text(response.at("live_key")),
            .sandboxKey = test::text(response.at("sandbox_key"))};
  }
  Account addBeside(const std::string& options = "{}") {
    return accountIn(toldBy(key, "/_fake/service/accounts", options));
  }
  void connect(const Account& account) {
    toldBy(key, "/_fake/connections", R"({"account":")" + account.id + R"("})");
  }
  std::string tokenFor(const Account& account) {
    return test::text(toldBy(key, "/_fake/tokens", connectedTo(account)).at("token"));
  }
  static std::string connectedTo(const Account& account) {
    return R"({"connected_account":")" + account.id + R"("})";
  }
  void insertPayout(const std::string& by, const std::string& id) {
    toldBy(by, "/_fake/records", R"({"resource":"payout","fields":{"id":")" + id + R"("}})");
  }
  std::string timeOf(const std::string& by) { return test::text(toldBy(by, "/_fake/clock").at("now")); }
  std::string readBy(const std::string& by, const std::string& path) {
    return errorOf(send(test::get(by, path)));
  }
};

TEST_F(AccountControl, CreatesAServiceWithTheGivenOptions) {
  const Account made = accountIn(
      told(send({.method = Method::post,
                 .url = "/_fake/accounts",
                 .headers = {},
                 .body = R"({"no_limits":true,"lock_wait_ms":20,"duration_ms":5,"search_lag_ms":3000})"})));
  Service& service = host.find(made.liveKey)->service;
  for (int i = 0; i < 40; ++i)
    EXPECT_EQ(readBy(made.sandboxKey, records), "200");
  const LoggedRequest last = service.requests().list().back();
  EXPECT_EQ(last.respondedAt - last.time, std::chrono::milliseconds{5});
  const std::string id = service.insert<PaymentRecord>(made.sandboxKey).id.str();
  const auto found = [&] {
    return toldBy(made.sandboxKey, records + "/search?query=amount_requested.currency:%22usd%22")
        .at("data")
        .as_array()
        .size();
  };
  EXPECT_EQ(found(), 0U);
  service.clock()->advance(std::chrono::seconds{3});
  EXPECT_EQ(found(), 1U);
  const Hold lock = service.holds().lockObject(made.sandboxKey, id);
  const Instant before = service.clock()->now();
  EXPECT_EQ(errorOf(send(test::post(made.sandboxKey, records + '/' + id + "/report_payment_attempt_failed",
                                    "failed_at=1"))),
            "429 lock_timeout");
  EXPECT_EQ(service.clock()->now() - before, std::chrono::milliseconds{20});
}

TEST_F(AccountControl, CreatesAServiceWithAVirtualOrRealTimeClock) {
  const auto runs = [&](const std::string& body) {
    const HttpRequest create{.method = Method::post, .url = "/_fake/accounts", .headers = {}, .body = body};
    return toldBy(accountIn(told(send(create))).liveKey, "/_fake/clock").at("running") == true;
  };
  EXPECT_FALSE(runs("{}"));
  EXPECT_TRUE(runs(R"({"virtual_clock":false})"));
  Host ofTheMachine{{}};
  EXPECT_TRUE(ofTheMachine.add()->service.clock()->running());
  Tenant& standing = *ofTheMachine.add({.virtualClock = true});
  EXPECT_FALSE(standing.service.clock()->running());
  EXPECT_FALSE(ofTheMachine.fork(standing, standing.account.id)->service.clock()->running());
}

TEST_F(AccountControl, GivesAccountsOfAServiceOneClockButSeparateLimits) {
  const Account other = addBeside();
  EXPECT_EQ(host.find(other.sandboxKey).get(), &first);
  (void)told(post("/_fake/clock/advance", R"({"milliseconds":5000})"));
  EXPECT_EQ(timeOf(other.liveKey), "2026-01-01T00:00:05.000000000Z");
  EXPECT_EQ(readBy(other.sandboxKey, "/v1/payouts"), "200");
  const auto hasUsed = [&](const std::string& by) {
    const auto lines = toldBy(by, "/_fake/usage").at("usage").as_array();
    return std::ranges::any_of(lines, [](const auto& line) { return line.at("used") != 0; });
  };
  EXPECT_TRUE(hasUsed(other.sandboxKey));
  EXPECT_FALSE(hasUsed(key));
}

TEST_F(AccountControl, ConnectsAccountsToAPlatform) {
  const Account other = addBeside();
  insertPayout(other.sandboxKey, "po_theirs");
  HttpRequest read = test::get(key, "/v1/payouts/po_theirs");
  read.headers.push_back({"Service-Account", other.id});
  EXPECT_EQ(errorOf(send(read)), "403 account_not_connected");
  EXPECT_THAT(messageOf(post("/_fake/tokens", connectedTo(other))), HasSubstr("is not connected to"));
  connect(other);
  EXPECT_EQ(errorOf(send(read)), "200");
  EXPECT_THAT(messageOf(post("/_fake/connections", R"({"account":"acct_none"})")), HasSubstr("acct_none"));
  EXPECT_THAT(messageOf(post("/_fake/connections", "{}")), HasSubstr("account: missing"));
}

TEST_F(AccountControl, CreatesTokensForAccountsAndPlatforms) {
  const Account other = addBeside();
  insertPayout(other.sandboxKey, "po_theirs");
  connect(other);
  const std::string own = test::text(told(post("/_fake/tokens")).at("token"));
  EXPECT_THAT(own, StartsWith("oat_test_"));
  EXPECT_EQ(readBy(own, "/v1/payouts/po_theirs"), "404 resource_missing");
  EXPECT_EQ(readBy(tokenFor(other), "/v1/payouts/po_theirs"), "200");
  EXPECT_THAT(test::text(toldBy(first.account.liveKey, "/_fake/tokens", "").at("token")),
              StartsWith("oat_live_"));
}

TEST_F(AccountControl, CreatesTokensThatActLikeTheKeyOfTheirAccount) {
  const Account other = addBeside();
  connect(other);
  const std::string token = tokenFor(other);
  insertPayout(token, "po_1");
  EXPECT_EQ(readBy(other.sandboxKey, "/v1/payouts/po_1"), "200");
  EXPECT_EQ(host.ownerOf(token)->account, other.id);
}

TEST_F(AccountControl, ShowsTheUsageOfRequestsMadeWithAPlatformToken) {
  const Account other = addBeside();
  connect(other);
  const std::string token = tokenFor(other);
  EXPECT_EQ(readBy(token, records), "200");
  const auto used = [&](const std::string& by, const std::string& limit) {
    const json::value usage = toldBy(by, "/_fake/usage");
    std::int64_t sum = 0;
    for (const auto& line : usage.at("usage").as_array())
      if (test::text(line.at("limit")) == limit) sum += line.at("used").as_int64();
    return sum;
  };
  for (const char* limit : {"global_rate", "read_allocation_on_behalf"}) {
    EXPECT_EQ(used(token, limit), 1) << limit;
    EXPECT_EQ(used(key, limit), 1) << limit << ": the platform pays";
    EXPECT_EQ(used(other.sandboxKey, limit), 0) << limit;
  }
  EXPECT_EQ(errorOf(send(test::post(token, "/v1/issuing/cards", ""))), "200");
  EXPECT_EQ(used(token, "card_creation"), 1) << "counts against the connected account";
  EXPECT_EQ(used(other.sandboxKey, "card_creation"), 1);
  EXPECT_EQ(used(key, "card_creation"), 0);
  const auto forecast = toldBy(token, "/_fake/allocation").at("allocation");
  EXPECT_EQ(test::text(forecast.at(1).at("limit")), "read_allocation_on_behalf");
  EXPECT_EQ(forecast.at(1).at("points").at(0).at("used"), 1);
}

TEST_F(AccountControl, HoldsSlotsOfThePlatformWhenGivenAPlatformToken) {
  const Account other = addBeside();
  connect(other);
  const std::string token = tokenFor(other);
  (void)toldBy(token, "/_fake/concurrency", R"({"operation":"payouts.create"})");
  (void)toldBy(token, "/_fake/locks", R"({"object":"po_1"})");
  const auto held = [&] { return told(get("/_fake/holds")).at("holds").as_array(); };
  ASSERT_EQ(held().size(), 2U);
  EXPECT_EQ(test::text(held().at(0).at("account")), first.account.id);
  EXPECT_EQ(test::text(held().at(1).at("account")), other.id) << "which has the object";
  (void)told(send(test::get(key, "/_fake/accounts/" + other.id), "DELETE"));
  ASSERT_EQ(held().size(), 1U) << "the lock went with its account";
  EXPECT_EQ(test::text(held().at(0).at("account")), first.account.id);
}

TEST_F(AccountControl, ForksAServiceAsACopyWithDifferentKeys) {
  const std::string id = insertOne();
  (void)told(post("/_fake/clock/advance", R"({"milliseconds":5000})"));
  const Account forked = accountIn(told(post("/_fake/fork")));
  EXPECT_EQ(forked.id, first.account.id);
  EXPECT_NE(forked.sandboxKey, first.account.sandboxKey);
  EXPECT_NE(forked.liveKey, first.account.liveKey);
  EXPECT_EQ(report(id), "200");
  const auto stateBy = [&](const std::string& by) { return toldBy(by, "/_fake/states/" + id).at("state"); };
  EXPECT_EQ(stateBy(key), "failed");
  EXPECT_EQ(stateBy(forked.sandboxKey), "unreported");
  toldBy(forked.liveKey, "/_fake/clock/advance", R"({"milliseconds":1000})");
  EXPECT_EQ(timeOf(forked.liveKey), "2026-01-01T00:00:06.000000000Z");
  EXPECT_EQ(timeOf(key), "2026-01-01T00:00:05.000000000Z");
  toldBy(forked.liveKey, "/_fake/reset", "");
  EXPECT_EQ(timeOf(forked.liveKey), "2026-01-01T00:00:05.000000000Z");
  EXPECT_EQ(stateBy(forked.sandboxKey), "unreported");
}

TEST_F(AccountControl, CopiesAllAccountsButNoTokensToAFork) {
  const Account other = addBeside();
  connect(other);
  insertPayout(other.sandboxKey, "po_theirs");
  const std::string token = tokenFor(other);
  const Account forked = accountIn(toldBy(other.liveKey, "/_fake/fork", ""));
  EXPECT_EQ(forked.id, other.id);
  EXPECT_EQ(readBy(forked.sandboxKey, "/v1/payouts/po_theirs"), "200");
  Service& copy = host.find(forked.liveKey)->service;
  EXPECT_NE(&copy, &first.service);
  EXPECT_EQ(errorOf(copy.handle(test::get(token, records))), "401 key_unknown");
  EXPECT_EQ(errorOf(copy.handle(test::get(key, records))), "401 key_unknown");
  EXPECT_EQ(readBy(token, "/v1/payouts/po_theirs"), "200");
  const Account platform = accountIn(toldBy(forked.liveKey, "/_fake/accounts/" + first.account.id));
  EXPECT_EQ(readBy(platform.sandboxKey, records), "200");
  EXPECT_THAT(accountIn(told(post("/_fake/fork"))).liveKey,
              testing::AllOf(testing::Ne(forked.liveKey), testing::Ne(first.account.liveKey)));
}

/// Like a service that no longer has them.
TEST_F(AccountControl, DoesNotListAccountsRemovedByARestoreOrAReset) {
  const auto listed = [&] {
    std::vector<std::string> ids;
    const auto page = told(get("/_fake/accounts"));
    for (const auto& account : page.at("accounts").as_array())
      ids.push_back(test::text(account.at("id")));
    return ids;
  };
  const auto before = told(post("/_fake/snapshots")).at("snapshot").as_int64();
  const Account beside = addBeside();
  connect(beside);
  const std::string token = tokenFor(beside);
  const auto after = told(post("/_fake/snapshots")).at("snapshot").as_int64();
  const auto restore = [&](std::int64_t snapshot) {
    (void)told(post("/_fake/snapshots/" + std::to_string(snapshot) + "/restore"));
  };
  const std::vector<std::string> both{first.account.id, beside.id};
  const std::vector<std::string> one{first.account.id};
  EXPECT_EQ(listed(), both);
  (void)told(get("/_fake/accounts/" + beside.id));
  EXPECT_EQ(listed(), both) << "once, however often its keys are retrieved";
  restore(before);
  EXPECT_EQ(listed(), one);
  EXPECT_EQ(readBy(beside.liveKey, "/_fake/clock"), "401 key_unknown");
  EXPECT_EQ(readBy(token, "/_fake/clock"), "401 key_unknown");
  restore(after);
  EXPECT_EQ(listed(), both);
  EXPECT_EQ(readBy(token, "/_fake/clock"), "200");
  (void)told(post("/_fake/reset"));
  EXPECT_EQ(listed(), one);
  EXPECT_EQ(readBy(beside.sandboxKey, records), "401 key_unknown");
}

TEST_F(AccountControl, ReturnsTheStateOfAnObject) {
  EXPECT_EQ(told(get("/_fake/states/" + insertOne())).at("state"), "unreported");
  EXPECT_TRUE(told(get("/_fake/states/pr_none")).at("state").is_null());
}

TEST_F(AccountControl, SetsLimitsByAccountCountryAndIndustry) {
  const Account other = addBeside(R"({"country":"de","industry":"bakery"})");
  const auto setRate = [&](int number, const std::string& member, const std::string& value) {
    toldBy(key, "/_fake/limits",
           R"({"limit":"endpoint_rate","value":)" + std::to_string(number) + ",\"" + member + "\":\"" +
               value + "\"}");
  };
  const auto rateOf = [&](const std::string& by) {
    return first.service.usage().of(by, "endpoint_rate", "payouts.list").allowed;
  };
  setRate(7, "country", "de");
  EXPECT_EQ(rateOf(key), 25);
  EXPECT_EQ(rateOf(other.sandboxKey), 7);
  setRate(8, "industry", "bakery");
  EXPECT_EQ(rateOf(key), 25);
  EXPECT_EQ(rateOf(other.sandboxKey), 8);
  setRate(9, "account", first.account.id);
  EXPECT_EQ(rateOf(key), 9);
  EXPECT_EQ(rateOf(other.sandboxKey), 8);
}

}  // namespace

}  // namespace tally::fake::detail

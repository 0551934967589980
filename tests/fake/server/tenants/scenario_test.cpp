#include "tenants/scenario.h"

#include <fstream>
#include <iterator>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fake/support/requests.h"
#include "format/json_input.h"

namespace tally::fake::detail {

namespace {

TEST(Scenario, CreatesAccountsWithTheirRecordsAndSettings) {
  Host host{{.virtualClock = true}};
  load(R"({"accounts": [
    {"country": "de",
     "records": [{"resource": "payment_record", "count": 3, "state": "failed"},
                 {"resource": "payout", "livemode": true, "fields": {"id": "po_live"}}],
     "transactions": [{"count": 40}],
     "limits": [{"limit": "endpoint_rate", "value": 2}],
     "durations": [{"operation": "payouts.list", "milliseconds": 7}],
     "faults": [{"operation": "payouts.list", "error": "api_error"}]},
    {}]})",
       host);
  const std::vector<Account> accounts = host.accounts();
  ASSERT_EQ(accounts.size(), 2U);
  Tenant& first = *host.find(accounts[0].sandboxKey);
  const auto get = [&](const std::string& key, const std::string& path) {
    return first.service.handle(test::get(key, path));
  };
  const auto page = test::bodyOf(get(accounts[0].sandboxKey, "/v1/payment_records"));
  EXPECT_EQ(page.at("data").as_array().size(), 3U);
  for (const auto& record : page.at("data").as_array())
    EXPECT_EQ(first.service.objects().stateOf(accounts[0].sandboxKey, test::text(record.at("id"))), "failed");
  EXPECT_EQ(get(accounts[0].liveKey, "/v1/payouts/po_live").status, 200);
  EXPECT_EQ(first.service.usage().of(accounts[0].sandboxKey, "read_allocation").allowed, 20'000);
  EXPECT_EQ(first.service.usage().of(accounts[0].liveKey, "endpoint_rate", "payouts.list").allowed, 2);
  EXPECT_EQ(test::errorOf(get(accounts[0].sandboxKey, "/v1/payouts")), "500 api_error");
  EXPECT_TRUE(host.find(accounts[1].liveKey)->service.faults().pending().empty());
}

TEST(Scenario, ConnectsAccountsToTheirPlatform) {
  Host host{{.virtualClock = true}};
  load(R"({"accounts": [
    {"lock_wait_ms": 1, "connected_accounts": [
      {"records": [{"resource": "payout", "fields": {"id": "po_theirs"}}],
       "transactions": [{"count": 40}],
       "limits": [{"limit": "endpoint_rate", "value": 2}]}]},
    {}]})",
       host);
  const std::vector<Account> accounts = host.accounts();
  ASSERT_EQ(accounts.size(), 3U);
  const Account& platform = accounts[0];
  const Account& connected = accounts[1];
  Service& service = host.find(platform.sandboxKey)->service;
  HttpRequest request = test::get(platform.sandboxKey, "/v1/payouts/po_theirs");
  EXPECT_EQ(test::errorOf(service.handle(request)), "404 resource_missing");
  request.headers.push_back({"Service-Account", connected.id});
  EXPECT_EQ(service.handle(request).status, 200);
  EXPECT_EQ(test::idsOf(test::bodyOf(service.handle(test::get(platform.liveKey, "/v1/accounts")))),
            std::vector<std::string>{connected.id});
  EXPECT_EQ(host.find(connected.liveKey), host.find(platform.liveKey));
  EXPECT_EQ(service.usage().of(connected.sandboxKey, "read_allocation").allowed, 20'000);
  EXPECT_EQ(service.usage().of(connected.sandboxKey, "endpoint_rate", "payouts.list").allowed, 2);
  EXPECT_EQ(service.usage().of(platform.sandboxKey, "endpoint_rate", "payouts.list").allowed, 25);
  EXPECT_NE(host.find(accounts[2].liveKey), host.find(platform.liveKey));
}

TEST(Scenario, LimitsConnectedAccountsLikeTheirPlatformUnlessTheySetTheSameLimit) {
  Host host{{.virtualClock = true}};
  load(R"({"accounts": [
    {"limits": [{"limit": "endpoint_rate", "value": 2}, {"limit": "global_rate", "value": 9}],
     "connected_accounts": [{"limits": [{"limit": "endpoint_rate", "value": 3}]}]}]})",
       host);
  const std::vector<Account> accounts = host.accounts();
  Service& service = host.find(accounts.at(0).sandboxKey)->service;
  const auto allowed = [&](const Account& account, const std::string& limit, const std::string& each = "") {
    return service.usage().of(account.sandboxKey, limit, each).allowed;
  };
  EXPECT_EQ(allowed(accounts.at(0), "endpoint_rate", "payouts.list"), 2);
  EXPECT_EQ(allowed(accounts.at(1), "endpoint_rate", "payouts.list"), 3);
  EXPECT_EQ(allowed(accounts.at(1), "global_rate"), 9);
}

TEST(Scenario, IsLoadedAgainByAReset) {
  Host host{{.virtualClock = true}};
  load(R"({"accounts":[{"records":[{"resource":"payout"}],"faults":[{"error":"api_error"}]}]})", host);
  Tenant& tenant = *host.find(host.accounts()[0].sandboxKey);
  const auto list = [&] {
    return test::errorOf(tenant.service.handle(test::get(tenant.account.sandboxKey, "/v1/payouts")));
  };
  EXPECT_EQ(list(), "500 api_error");
  EXPECT_EQ(list(), "200");
  tenant.reset();
  EXPECT_EQ(list(), "500 api_error");
}

TEST(Scenario, CreatesNoMoreRecordsOnceItIsStopped) {
  Host host{{.virtualClock = true}};
  int asked = 0;
  const auto stopped = [&] { return ++asked > 2; };  // before each thousand
  load(R"({"accounts":[{"connected_accounts":[{"records":[{"resource":"payout","count":3000}]}],
                        "records":[{"resource":"payout","count":3}]}]})",
       host, stopped);
  const auto count = [&](const Account& account) {
    return host.find(account.liveKey)
        ->service.objects()
        .list(account.sandboxKey, {.resource = "payout", .limit = 5'000})
        .objects.size();
  };
  EXPECT_EQ(count(host.accounts().at(0)), 3U);
  EXPECT_EQ(count(host.accounts().at(1)), 1'000U);
}

TEST(Scenario, IsRefusedIfItCreatesMoreThanAMillionRecords) {
  const auto complaint = [](const std::string& last) {
    Host host{{.virtualClock = true}};
    const auto always = [] { return true; };
    try {
      load(R"({"accounts":[{"records":[{"resource":"payout","count":400000},{"resource":"payout"}]},
                           {"connected_accounts":[{"records":[{"resource":"payout","count":400000}]},
                                                  {"records":[{"resource":"payout","count":)" +
               last + "}]}]}]}",
           host, always);
    } catch (const BadInput& problem) {
      return problem.what() + std::string{host.accounts().empty() ? ", before anything is made" : ""};
    }
    return std::string{"loaded"};
  };
  EXPECT_EQ(complaint("199999"), "loaded");
  EXPECT_EQ(complaint("200000"),
            "accounts[1].connected_accounts[1].records[0].count: expected at most 1000000 records in total, "
            "before anything is made");
}

TEST(DocumentedScenario, IsValid) {
  std::ifstream file{TALLY_CONTROL_PAGE};
  const std::string page{std::istreambuf_iterator<char>{file}, {}};
  const std::string fence = "```json\n";
  const std::size_t begin = page.find(fence, page.find("\n## Scenarios\n")) + fence.size();
  Host host{{.virtualClock = true}};
  load(std::string_view{page}.substr(begin, page.find("```", begin) - begin), host);
  EXPECT_EQ(host.find(host.accounts().at(0).liveKey)->service.faults().pending().size(), 1U);
}

TEST(Scenario, IsRefusedWithThePositionOfTheError) {
  const auto complaint = [](const std::string& text) {
    Host host{{.virtualClock = true}};
    try {
      load(text, host);
    } catch (const BadInput& problem) {
      return std::string{problem.what()};
    }
    return std::string{"loaded"};
  };
  EXPECT_EQ(complaint("{\n  \"accounts\": [}]"), "line 2, column 16: this is not JSON (syntax error)");
  EXPECT_EQ(complaint("[]"), "expected an object");
  EXPECT_EQ(complaint("{}"), "accounts: expected at least one");
  EXPECT_EQ(complaint(R"({"account":[]})"), "account: unknown field; did you mean 'accounts'?");
  EXPECT_EQ(complaint(R"({"accounts":[{"records":{}}]})"), "accounts[0].records: expected an array");
  EXPECT_THAT(complaint(R"({"accounts":[{"colour":"red"}]})"),
              testing::StartsWith("accounts[0].colour: unknown field; expected one of "));
  EXPECT_EQ(complaint(R"({"accounts":[{},{"records":[{"resource":"payout"},{"resource":"payouts"}]}]})"),
            "accounts[1].records[1]: unknown resource 'payouts'; did you mean 'payout'?");
  EXPECT_EQ(complaint(R"({"accounts":[{"records":[{"resource":"payout","fields":{"weight":1}}]}]})"),
            "accounts[0].records[0]: a payout has no field 'weight'");
  EXPECT_EQ(complaint(R"({"accounts":[{"faults":[{"times":"one"}]}]})"),
            "accounts[0].faults[0].times: expected an integer or \"unlimited\"");
  EXPECT_EQ(complaint(R"({"accounts":[{"faults":[{"operation":"payouts.eat"}]}]})"),
            "accounts[0].faults[0]: a fault rule names an unknown operation 'payouts.eat'; did you mean "
            "'payouts.create'?");
  const auto ofAccount = [&](const std::string& members) {
    return complaint(R"({"accounts":[{},{)" + members + "}]}");
  };
  EXPECT_EQ(ofAccount(R"("durations":[{"operation":"payouts.list"}])"),
            "accounts[1].durations[0].milliseconds: missing");
  EXPECT_EQ(ofAccount(R"("durations":[{"operation":"payouts.eat","milliseconds":1}])"),
            "accounts[1].durations[0]: unknown operation 'payouts.eat'; did you mean 'payouts.create'?");
  EXPECT_EQ(
      ofAccount(R"("durations":[{"operation":"payouts.list","milliseconds":-1}])"),
      "accounts[1].durations[0].milliseconds: expected a number of milliseconds from 0 to 3155695200000");
  EXPECT_EQ(ofAccount(R"("country":49)"), "accounts[1].country: expected a string");
  EXPECT_EQ(ofAccount(R"("industry":[])"), "accounts[1].industry: expected a string");
  EXPECT_EQ(ofAccount(R"("no_limits":0)"), "accounts[1].no_limits: expected true or false");
  EXPECT_EQ(ofAccount(R"("lock_wait_ms":1.5)"), "accounts[1].lock_wait_ms: expected an integer");
  EXPECT_EQ(ofAccount(R"("search_lag_ms":1500)"), "accounts[1].search_lag_ms: expected whole seconds");
  EXPECT_EQ(ofAccount(R"("records":[{}])"), "accounts[1].records[0].resource: missing");
  EXPECT_EQ(ofAccount(R"("records":[{"resource":"payout","count":1000001}])"),
            "accounts[1].records[0].count: expected a number from 1 to 1000000");
  EXPECT_EQ(ofAccount(R"("records":[{"resource":"payout","livemode":"yes"}])"),
            "accounts[1].records[0].livemode: expected true or false");
  EXPECT_EQ(ofAccount(R"("records":[{"resource":"payout","fields":{"amount":"x"}}])"),
            "accounts[1].records[0]: invalid fields of a payout: amount: expected an integer");
  EXPECT_EQ(ofAccount(R"("records":[{"resource":"payout","count":2,"fields":{"id":"po_1"}}])"),
            "accounts[1].records[0]: the payout 'po_1' already exists");
  EXPECT_EQ(ofAccount(R"("records":[{"resource":"payment_record","state":"lost"}])"),
            "accounts[1].records[0]: a payment record has no state 'lost'; expected one of unreported, "
            "canceled, failed, "
            "guaranteed");
  EXPECT_EQ(ofAccount(R"("transactions":[{"count":0}])"),
            "accounts[1].transactions[0].count: expected a number of at least 1");
  EXPECT_THAT(ofAccount(R"("transactions":[{"number":5}])"),
              testing::StartsWith("accounts[1].transactions[0].number: unknown field"));
  EXPECT_EQ(ofAccount(R"("limits":[{"limit":"globalrate"}])"),
            "accounts[1].limits[0]: unknown limit 'globalrate'; did you mean 'global_rate'?");
  EXPECT_EQ(ofAccount(R"("limits":[{"value":1}])"), "accounts[1].limits[0].limit: missing");
  EXPECT_EQ(ofAccount(R"("limits":[{"limit":"global_rate","value":-1}])"),
            "accounts[1].limits[0]: the limit 'global_rate' must be at least 0");
  EXPECT_THAT(
      ofAccount(R"("faults":[{"fault":"fire"}])"),
      testing::StartsWith("accounts[1].faults[0].fault: unknown fault 'fire'; expected one of none, "));
  EXPECT_THAT(ofAccount(R"("connected_accounts":[{"records":[{"resource":"payout","weight":1}]}])"),
              testing::StartsWith("accounts[1].connected_accounts[0].records[0].weight: unknown field"));
  EXPECT_THAT(ofAccount(R"("connected_accounts":[{"faults":[]}])"),
              testing::StartsWith("accounts[1].connected_accounts[0].faults: unknown field"));
}

}  // namespace

}  // namespace tally::fake::detail

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fake/support/requests.h"
#include "files/file_input.h"
#include "temporary_folder.h"
#include "tenants/host.h"
#include "tenants/scenario.h"

namespace tally::fake::detail {

namespace {

using testing::ElementsAre;
using testing::SizeIs;

const std::string fixtures = std::string{TALLY_FIXTURES} + "/0.1.0";

/// The state that tally-fake 0.1.0 saved: the scenario, and what happened to it since.
class EarlierState : public testing::Test {
 protected:
  static std::string copied(const std::filesystem::path& folder) {
    std::filesystem::copy_file(fixtures + "/state.json", folder / "state.json");
    return (folder / "state.json").string();
  }

  test::TemporaryFolder folder{};
  Host host{{.virtualClock = true, .stateFile = copied(folder.path())}};
  const bool loaded = host.loadState();
  const std::string key = "sk_test_EsAviJUjvlJUUT29gtfilWJY";
  Service& service = host.find(key)->service;
};

TEST_F(EarlierState, IsReadWithItsObjectsAndTheirStates) {
  const ObjectList records = service.objects().list(key, {.resource = "payment_record"});
  EXPECT_THAT(records.objects, SizeIs(40));
  EXPECT_EQ(service.objects().stateOf(key, "pr_SkwTg5VEYukLq1x6iHFYmS9W"), "failed");
  EXPECT_EQ(service.objects().stateOf(key, "pr_lMD4YwemJk1WOHLXZkbZXFzY"), "guaranteed");
  EXPECT_EQ(service.objects().stateOf(key, "pr_7hBiVsccyzDbPy46WlIymscT"), "canceled");
  const HttpResponse record = service.handle(
      test::get("oat_test_FTjTgWB6v3JLqFNIFYvBw11K", "/v1/payment_records/pr_SkwTg5VEYukLq1x6iHFYmS9W"));
  EXPECT_EQ(test::bodyOf(record).at("metadata").at("order"), "42") << "the token still acts for the account";
  EXPECT_EQ(service.clock()->now(), Instant{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}} +
                                        std::chrono::milliseconds{22'500});
}

TEST_F(EarlierState, IsReadWithItsConnectedAccounts) {
  const std::vector<Account> accounts = service.accounts().list();
  ASSERT_THAT(accounts, SizeIs(2));
  HttpRequest request = test::get(key, "/v1/payouts");
  request.headers.push_back({"Service-Account", accounts[1].id});
  EXPECT_THAT(test::bodyOf(service.handle(request)).at("data").as_array(), SizeIs(5));
  EXPECT_EQ(service.handle(test::get(accounts[0].liveKey, "/v1/payouts/po_known")).status, 200);
}

TEST_F(EarlierState, IsReadWithItsFaultsLimitsAndUsage) {
  const std::vector<InjectedFault> faults = service.faults().list();
  ASSERT_THAT(faults, SizeIs(1));
  EXPECT_EQ(faults[0].id, 3U);
  EXPECT_EQ(faults[0].rule.error, "lock_timeout");
  EXPECT_EQ(faults[0].rule.times, 3);
  EXPECT_EQ(service.usage().of(key, "global_concurrency").allowed, 9);
  EXPECT_EQ(service.usage().of(key, "endpoint_rate", "payouts.list").allowed, 1'000);
  const LimitUsage reads = service.usage().of(key, "read_allocation");
  EXPECT_EQ(reads.used, 34);
  EXPECT_EQ(reads.allowed, 20'000);
}

TEST(EarlierScenario, CreatesItsAccountsRecordsLimitsAndFaults) {
  Host host{{.virtualClock = true}};
  load(contentsOf(fixtures + "/scenario.json"), host);
  const std::vector<Account> accounts = host.accounts();
  ASSERT_THAT(accounts, SizeIs(2));
  const std::string& key = accounts[0].sandboxKey;
  Service& service = host.find(key)->service;
  EXPECT_THAT(service.objects().list(key, {.resource = "payment_record"}).objects, SizeIs(40));
  EXPECT_EQ(service.objects().get(accounts[0].liveKey, "po_known")->resource, "payout");
  EXPECT_THAT(service.objects().list(accounts[1].sandboxKey, {.resource = "payout"}).objects, SizeIs(5));
  EXPECT_EQ(service.usage().of(key, "endpoint_rate", "payouts.list").allowed, 50);
  EXPECT_EQ(service.usage().of(key, "read_allocation").allowed, 20'000);
  ASSERT_THAT(service.faults().pending(), SizeIs(1));
  EXPECT_EQ(service.faults().pending()[0].times, 2);
}

}  // namespace

}  // namespace tally::fake::detail

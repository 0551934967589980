#include <algorithm>
#include <chrono>
#include <future>
#include <memory>
#include <string>
#include <vector>

#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <malloc.h>

#include "fake/server/support/control_fixture.h"
#include "fake/server/support/served.h"
#include "temporary_folder.h"

namespace tally::fake::detail {

namespace {

using test::errorOf;
using test::messageOf;
using testing::HasSubstr;

using std::chrono::hours;
using std::chrono::steady_clock;

Account accountOf(const boost::json::value& response) {
  return {.id = test::text(response.at("id")),
          .liveKey = test::text(response.at("live_key")),
          .sandboxKey = test::text(response.at("sandbox_key"))};
}

HttpRequest remove(const std::string& key, const std::string& path) {
  return {.method = Method::get, .url = path, .headers = {{"Authorization", "Bearer " + key}}, .body = {}};
}

class TenantControl : public ControlTest {
 protected:
  HttpResponse deleteBy(const std::string& by, const std::string& path) {
    return send(remove(by, path), "DELETE");
  }
  HttpResponse deleted(const std::string& path) { return deleteBy(key, path); }
  Account addOwn(const std::string& options = "{}") {
    return accountOf(
        told(send({.method = Method::post, .url = "/_fake/accounts", .headers = {}, .body = options})));
  }
  Account addBeside() { return accountOf(toldBy(key, "/_fake/service/accounts", "{}")); }
  std::string readBy(const std::string& by, const std::string& path = records) {
    return errorOf(send(test::get(by, path)));
  }
  std::size_t listed() { return told(get("/_fake/accounts")).at("accounts").as_array().size(); }
};

/// A request creates an account in the service of its caller.
class RequestCreatedAccounts : public TenantControl {
 protected:
  std::string createBy(const std::string& by) {
    return test::text(told(send(test::post(by, "/v1/accounts", ""))).at("id"));
  }
  boost::json::value exportedBy(const std::string& by) { return toldBy(by, "/_fake/export"); }
  HttpResponse import(const boost::json::value& saved) {
    return send({.method = Method::post,
                 .url = "/_fake/import",
                 .headers = {},
                 .body = boost::json::serialize(saved)});
  }
  void erase(const Account& account) {
    ASSERT_EQ(deleteBy(account.sandboxKey, "/_fake/accounts/" + account.id).status, 200);
  }
};

TEST_F(RequestCreatedAccounts, AreDeletedWithTheServiceOfTheirCreator) {
  constexpr int cycles = 3'000;
  std::vector<std::weak_ptr<Tenant>> services;
  for (int n = 0; n < cycles; ++n) {
    const Account platform = addOwn();
    (void)createBy(platform.sandboxKey);
    (void)createBy(platform.liveKey);
    services.emplace_back(host.find(platform.liveKey));
    erase(platform);
  }
  EXPECT_EQ(host.accountCount(), 1U);
  EXPECT_EQ(listed(), 1U);
  EXPECT_TRUE(std::ranges::all_of(services, [](const auto& service) { return service.expired(); }));
}

TEST_F(RequestCreatedAccounts, AreKeptIfAClientHasRetrievedTheirKeys) {
  const Account platform = addOwn();
  const Account connected =
      accountOf(toldBy(platform.sandboxKey, "/_fake/accounts/" + createBy(platform.sandboxKey)));
  const std::weak_ptr<Tenant> service = host.find(platform.liveKey);
  erase(platform);
  EXPECT_EQ(readBy(platform.sandboxKey), "401 key_unknown");
  EXPECT_EQ(readBy(connected.sandboxKey), "200");
  (void)told(send(test::post(connected.sandboxKey, "/_fake/reset", "")));
  EXPECT_EQ(readBy(platform.sandboxKey), "200") << "the reset brings the platform back";
  EXPECT_EQ(host.find(connected.liveKey), nullptr) << "and forgets the account that nothing has any more";
  erase(platform);
  EXPECT_TRUE(service.expired());
}

TEST_F(RequestCreatedAccounts, CanBeImportedRepeatedly) {
  const Account platform = addOwn();
  const std::string id = createBy(platform.sandboxKey);
  const boost::json::value saved = exportedBy(platform.sandboxKey);
  for (int n = 0; n < 3; ++n) {
    const std::string refusal = messageOf(import(saved));
    EXPECT_THAT(refusal, HasSubstr("is in use; first delete its account, '" + platform.id + "', with"));
    erase(platform);
    const auto accounts = told(import(saved)).at("accounts");
    EXPECT_EQ(accountOf(accounts.at(0)).liveKey, platform.liveKey);
    EXPECT_EQ(test::text(accounts.at(1).at("id")), id);
    EXPECT_EQ(exportedBy(platform.sandboxKey), saved);
  }
  EXPECT_EQ(host.accountCount(), 3U);
}

TEST_F(RequestCreatedAccounts, AreKeptIfAClientHasUsedAnImportedKey) {
  const Account platform = addOwn();
  (void)createBy(platform.sandboxKey);
  const boost::json::value saved = exportedBy(platform.sandboxKey);
  for (const bool byControl : {false, true}) {
    erase(platform);
    const Account connected = accountOf(told(import(saved)).at("accounts").at(1));
    if (byControl) {
      (void)toldBy(connected.liveKey, "/_fake/clock");
    } else {
      (void)host.handle({.request = test::get(connected.liveKey, records)}, {});
    }
    erase(platform);
    EXPECT_EQ(readBy(connected.sandboxKey), "200");
    EXPECT_THAT(messageOf(import(saved)),
                HasSubstr("may come back: its account, '" + platform.id + "', was deleted"));
    erase(connected);
    (void)told(import(saved));
  }
}

TEST_F(RequestCreatedAccounts, CanBeImportedOnceTheirServiceIsDeleted) {
  const Account platform = addOwn();
  const Account connected =
      accountOf(toldBy(platform.sandboxKey, "/_fake/accounts/" + createBy(platform.sandboxKey)));
  const Account other =
      accountOf(toldBy(platform.sandboxKey, "/_fake/accounts/" + createBy(platform.sandboxKey)));
  erase(platform);
  const boost::json::value saved = exportedBy(connected.sandboxKey);
  erase(connected);
  erase(other);
  (void)told(import(saved));
  erase(connected);
  EXPECT_EQ(readBy(other.sandboxKey), "200");
}

TEST_F(TenantControl, ForgetsUnusedKeys) {
  const std::string token = test::text(told(post("/_fake/tokens")).at("token"));
  const Account beside = addBeside();
  const auto snapshot = std::to_string(told(post("/_fake/snapshots")).at("snapshot").as_int64());
  EXPECT_EQ(deleted("/_fake/accounts/" + beside.id).status, 200);
  EXPECT_NE(host.find(beside.liveKey), nullptr) << "the snapshot has it";
  EXPECT_EQ(deleted("/_fake/snapshots/" + snapshot).status, 200);
  EXPECT_EQ(host.find(beside.liveKey), nullptr);
  EXPECT_NE(host.find(token), nullptr);
  for (int n = 0; n < 10; ++n) {
    (void)addBeside();
    (void)told(post("/_fake/reset"));
  }
  EXPECT_EQ(host.find(token), nullptr);
  EXPECT_EQ(host.accountCount(), 1U);
}

TEST_F(TenantControl, DeletesAForkTogetherWithItsOnlyKnownAccount) {
  const Account beside = addBeside();
  for (int n = 0; n < 3; ++n) {
    const Account forked = accountOf(toldBy(beside.sandboxKey, "/_fake/fork", ""));
    EXPECT_EQ(forked.id, beside.id);
    EXPECT_EQ(deleteBy(forked.sandboxKey, "/_fake/accounts/" + forked.id).status, 200);
  }
  EXPECT_EQ(host.accountCount(), 2U);
  EXPECT_EQ(deleted("/_fake/accounts/" + first.account.id).status, 200);
  const Account forked = accountOf(toldBy(beside.sandboxKey, "/_fake/fork", ""));
  EXPECT_EQ(readBy(forked.sandboxKey), "200") << "without the first account";
}

TEST_F(TenantControl, KeepsTheCountsOfDeletedAccountsInMetrics) {
  const auto requestsCounted = [this] {
    const std::string line = R"(tally_fake_requests_total{operation="payment_records.list",status="200"} )";
    const std::string text = send({.method = Method::get, .url = "/_fake/metrics"}).body;
    const std::size_t at = text.find(line);
    return at == std::string::npos ? "none" : text.substr(at + line.size(), 2);
  };
  const Account own = addOwn();
  (void)readBy(own.sandboxKey);
  EXPECT_EQ(requestsCounted(), "1\n");
  EXPECT_EQ(deleteBy(own.sandboxKey, "/_fake/accounts/" + own.id).status, 200);
  EXPECT_EQ(requestsCounted(), "1\n") << "a counter must not fall";
}

TEST_F(TenantControl, DeletesAServiceTogetherWithItsOnlyAccount) {
  const Account own = addOwn();
  const std::string token = test::text(toldBy(own.sandboxKey, "/_fake/tokens", "{}").at("token"));
  EXPECT_EQ(listed(), 2U);
  EXPECT_EQ(deleteBy(own.sandboxKey, "/_fake/accounts/" + own.id).status, 200);
  EXPECT_EQ(listed(), 1U);
  for (const std::string& gone : {own.liveKey, own.sandboxKey, token}) {
    EXPECT_EQ(host.find(gone), nullptr);
    EXPECT_EQ(readBy(gone), "401 key_unknown");
    EXPECT_EQ(readBy(gone, "/_fake/clock"), "401 key_unknown");
  }
  EXPECT_EQ(readBy(key), "200");
}

TEST_F(TenantControl, DeletesOnlyOneAccountOfAService) {
  const Account beside = addBeside();
  toldBy(key, "/_fake/connections", R"({"account":")" + beside.id + "\"}");
  const std::string token =
      test::text(toldBy(key, "/_fake/tokens", R"({"connected_account":")" + beside.id + "\"}").at("token"));
  EXPECT_EQ(deleted("/_fake/accounts/" + beside.id).status, 200);
  EXPECT_EQ(readBy(beside.sandboxKey), "401 key_unknown");
  EXPECT_EQ(readBy(token), "401 key_unknown");
  HttpRequest acting = test::get(key, records);
  acting.headers.push_back({"Service-Account", beside.id});
  EXPECT_EQ(errorOf(send(acting)), "403 account_not_connected");
  EXPECT_EQ(host.find(beside.liveKey), nullptr) << "no snapshot has it";
  EXPECT_EQ(readBy(key), "200");
  EXPECT_EQ(listed(), 1U);
}

TEST_F(TenantControl, RestoresADeletedAccountFromASnapshot) {
  const Account beside = addBeside();
  const auto snapshot = std::to_string(told(post("/_fake/snapshots")).at("snapshot").as_int64());
  EXPECT_EQ(deleted("/_fake/accounts/" + beside.id).status, 200);
  EXPECT_EQ(readBy(beside.sandboxKey), "401 key_unknown");
  EXPECT_EQ(listed(), 1U);
  (void)told(post("/_fake/snapshots/" + snapshot + "/restore"));
  EXPECT_EQ(readBy(beside.sandboxKey), "200");
  EXPECT_EQ(listed(), 2U);
}

/// After the restored snapshot, the same keys are generated for an account with another identifier.
TEST_F(RequestCreatedAccounts, CanBeControlledWithKeysThatAnotherAccountHasInASnapshot) {
  const auto snapshotOf = [&] {
    return std::to_string(told(post("/_fake/snapshots")).at("snapshot").as_int64());
  };
  const std::string begun = snapshotOf();
  const Account beside = addBeside();
  const std::string withBeside = snapshotOf();
  (void)told(post("/_fake/snapshots/" + begun + "/restore"));
  (void)told(post("/_fake/tokens"));
  const Account created = accountOf(toldBy(key, "/_fake/accounts/" + createBy(key)));
  ASSERT_EQ(created.sandboxKey, beside.sandboxKey);
  ASSERT_NE(created.id, beside.id);

  (void)toldBy(created.sandboxKey, "/_fake/tokens", "{}");
  (void)toldBy(created.sandboxKey, "/_fake/fork", "{}");
  EXPECT_EQ(accountOf(told(get("/_fake/accounts")).at("accounts").at(1)).id, created.id);

  (void)told(post("/_fake/snapshots/" + withBeside + "/restore"));
  (void)toldBy(beside.sandboxKey, "/_fake/tokens", "{}");
  EXPECT_EQ(accountOf(told(get("/_fake/accounts")).at("accounts").at(1)).id, beside.id);
}

TEST_F(TenantControl, RefusesTheKeysOfADeletedFirstAccount) {
  EXPECT_EQ(deleted("/_fake/accounts/" + first.account.id).status, 200);
  EXPECT_EQ(readBy(key), "401 key_unknown");
  EXPECT_EQ(deleted("/_fake/accounts/" + first.account.id).status, 401);
  EXPECT_EQ(readBy(addOwn().sandboxKey), "200");
}

TEST_F(TenantControl, DoesNotDeleteAnUnknownAccount) {
  const Account other = addOwn();
  EXPECT_THAT(messageOf(deleted("/_fake/accounts/" + other.id + "x")), HasSubstr("has no account 'acct_"));
  EXPECT_THAT(messageOf(deleted("/_fake/accounts/" + other.id)), HasSubstr("has no account"))
      << "another service";
  EXPECT_EQ(readBy(other.sandboxKey), "200");
  EXPECT_EQ(send(remove("sk_none", "/_fake/accounts/x"), "DELETE").status, 401);
}

/// Requests that wait for a lock end, since the holder is released. What they use stays valid.
TEST_F(TenantControl, LetsARequestInProgressFinishWhenItsAccountIsDeleted) {
  const Account own = addOwn();
  std::shared_ptr<Tenant> tenant = host.find(own.sandboxKey);
  (void)tenant->service.insert(own.sandboxKey, "payment_record", R"({"id":"pr_1"})");
  const auto clock = tenant->service.clock();
  clock->freeze();
  (void)toldBy(own.sandboxKey, "/_fake/locks", R"({"object":"pr_1"})");
  tenant.reset();
  auto change = std::async(std::launch::async, [&] {
    return errorOf(
        send(test::post(own.sandboxKey, records + "/pr_1/report_payment_attempt_failed", "failed_at=1")));
  });
  clock->waitForSleepers(1);
  EXPECT_EQ(deleteBy(own.sandboxKey, "/_fake/accounts/" + own.id).status, 200);
  EXPECT_EQ(change.get(), "200");
  EXPECT_EQ(readBy(own.sandboxKey), "401 key_unknown");
}

TEST_F(TenantControl, DeletesIdleAccounts) {
  Host idling{{.virtualClock = true, .dropIdle = hours{1}}};
  const Account kept = idling.add()->account;
  idling.keepAll();
  const Account idle = idling.add()->account;
  const Account used = idling.add()->account;
  const auto start = steady_clock::now();
  idling.dropIdle(start + std::chrono::minutes{59});
  EXPECT_NE(idling.find(idle.liveKey), nullptr);
  const std::shared_ptr<Tenant> inUse = idling.find(used.liveKey);
  idling.dropIdle(start + hours{2});
  EXPECT_EQ(idling.find(idle.liveKey), nullptr);
  EXPECT_EQ(idling.find(used.liveKey), inUse) << "a request is in progress";
  EXPECT_NE(idling.find(kept.liveKey), nullptr);
}

/// As a killed test would otherwise leave its account in the state forever.
TEST_F(TenantControl, DeletesIdleAccountsAlsoInTheNextRun) {
  const test::TemporaryFolder folder;
  const HostOptions options{
      .virtualClock = true, .dropIdle = hours{1}, .stateFile = (folder.path() / "state.json").string()};
  std::vector<std::string> initial;
  std::string later;
  {
    Host first{options};
    for (int i = 0; i < 2; ++i)
      initial.push_back(first.add()->account.liveKey);
    first.keepAll();
    later = first.add()->account.liveKey;
    first.saveState();
  }
  for (int run = 0; run < 2; ++run) {
    Host next{options};
    ASSERT_TRUE(next.loadState());
    next.saveState();
    next.dropIdle(steady_clock::now() + hours{2});
    for (const std::string& key : initial)
      EXPECT_NE(next.find(key), nullptr) << run;
    EXPECT_EQ(next.find(later), nullptr) << run;
  }
}

TEST_F(TenantControl, CountsRequestsToEitherApiAsUseOfAnAccount) {
  Host idling{{.virtualClock = true, .dropIdle = hours{1}}};
  (void)idling.add();
  const Account byKey = idling.add()->account;
  const Account byControl = idling.add()->account;
  const auto before = [&](const Account& account) { return idling.find(account.liveKey)->lastUsed(); };
  const auto keyUsed = before(byKey);
  const auto controlUsed = before(byControl);
  (void)idling.handle({.request = test::get(byKey.sandboxKey, records)}, {});
  (void)idling.ownerOf(byControl.liveKey);
  EXPECT_GT(before(byKey), keyUsed);
  EXPECT_GT(before(byControl), controlUsed);
}

TEST_F(TenantControl, DoesNotDeleteIdleAccountsByDefault) {
  const Account own = addOwn();
  host.dropIdle(steady_clock::now() + hours{1'000'000});
  EXPECT_NE(host.find(own.liveKey), nullptr);
}

/// The memory in use of this process, in bytes. 0 under a sanitizer, which replaces the allocator.
std::size_t allocated() {
  return mallinfo2().uordblks;
}

TEST(IdleAccount, UsesAtMost16KiB) {
  constexpr std::size_t accounts = 200;
  Host host{{}};
  (void)host.add();  // what all accounts share
  const std::size_t before = allocated();
  for (std::size_t i = 0; i < accounts; ++i)
    (void)host.add();
  EXPECT_LE((allocated() - before) / accounts, 16U * 1'024);
}

TEST(IdleAccount, UsesAtMost16KiBAfterARequest) {
  constexpr std::size_t accounts = 200;
  Host host{{.requestLog = 0}};
  (void)host.add();
  const std::size_t before = allocated();
  for (std::size_t i = 0; i < accounts; ++i)
    (void)host.handle({.request = test::get(host.add()->account.sandboxKey, records)}, {});
  EXPECT_LE((allocated() - before) / accounts, 16U * 1'024);
}

TEST(CreatedAndDroppedAccounts, DoNotLeakMemory) {
  Host host{{.virtualClock = true}};
  const std::shared_ptr<Tenant> first = host.add();
  const auto createAndDrop = [&] {
    const std::shared_ptr<Tenant> own = host.add();
    (void)host.addToken({own, own->account.id, false});
    (void)host.handle({.request = test::get(own->account.sandboxKey, records)}, {});
    host.remove(own, own->account.id);
    const Account beside = host.addBeside(first, {});
    host.remove(first, beside.id);
  };
  for (int i = 0; i < 100; ++i)
    createAndDrop();
  const std::size_t before = allocated();
  for (int i = 0; i < 2'000; ++i)
    createAndDrop();
  EXPECT_LE(allocated(), before + std::size_t{16} * 1'024);
}

TEST_F(TenantControl, ResetsLimitsToTheirDocumentedValues) {
  const Account beside = addBeside();
  const auto rateOf = [&](const std::string& by, const std::string& limit = "endpoint_rate") {
    return first.service.usage().of(by, limit, limit == "endpoint_rate" ? "payouts.list" : "").allowed;
  };
  const auto set = [&](const std::string& limit, int value, const std::string& more = "") {
    (void)told(post("/_fake/limits",
                    R"({"limit":")" + limit + R"(","value":)" + std::to_string(value) + more + "}"));
  };
  const std::string ofBeside = R"(,"account":")" + beside.id + "\"";
  const auto documented = rateOf(key);
  const auto setAll = [&] {
    set("endpoint_rate", 3);
    set("global_rate", 4);
    set("endpoint_rate", 5, ofBeside);
  };
  setAll();
  EXPECT_EQ(deleted("/_fake/limits?limit=endpoint_rate").status, 200);
  EXPECT_EQ(rateOf(key), documented);
  EXPECT_EQ(rateOf(beside.sandboxKey), documented);
  EXPECT_EQ(rateOf(key, "global_rate"), 4);
  setAll();
  EXPECT_EQ(deleted("/_fake/limits?account=" + beside.id).status, 200);
  EXPECT_EQ(rateOf(beside.sandboxKey), 3);
  EXPECT_EQ(deleted("/_fake/limits").status, 200);
  EXPECT_EQ(rateOf(key), documented);
  EXPECT_EQ(rateOf(key, "global_rate"), 25);
}

TEST_F(TenantControl, RefusesToResetLimitsWithInvalidParameters) {
  (void)told(post("/_fake/limits", R"({"limit":"global_rate","value":4})"));
  EXPECT_THAT(messageOf(deleted("/_fake/limits?limit=none")), HasSubstr("unknown limit 'none'"));
  EXPECT_THAT(messageOf(deleted("/_fake/limits?account=none")), HasSubstr("has no account 'none'"));
  EXPECT_THAT(messageOf(deleted("/_fake/limits?country=DE")), HasSubstr("country: unknown parameter"));
  EXPECT_EQ(first.service.usage().of(key, "global_rate").allowed, 4);
}

TEST_F(TenantControl, ResetsDurationsToTheDefault) {
  const auto durationOf = [&](const std::string& path) {
    (void)get(path);
    const LoggedRequest last = first.service.requests().list().back();
    return last.respondedAt - last.time;
  };
  const auto setAll = [&] {
    for (const std::string operation : {"payouts.list", "payment_records.list"})
      (void)told(post("/_fake/durations", R"({"operation":")" + operation + R"(","milliseconds":80})"));
  };
  constexpr std::chrono::milliseconds none{0};
  constexpr std::chrono::milliseconds set{80};
  setAll();
  EXPECT_EQ(deleted("/_fake/durations?operation=payouts.list").status, 200);
  EXPECT_EQ(durationOf("/v1/payouts"), none);
  EXPECT_EQ(durationOf(records), set);
  EXPECT_THAT(messageOf(deleted("/_fake/durations?operation=none")), HasSubstr("unknown operation 'none'"));
  EXPECT_EQ(durationOf(records), set);
  EXPECT_EQ(deleted("/_fake/durations").status, 200);
  EXPECT_EQ(durationOf(records), none);
}

TEST_F(TenantControl, DeletesASnapshot) {
  const auto snapshot = std::to_string(told(post("/_fake/snapshots")).at("snapshot").as_int64());
  EXPECT_EQ(deleted("/_fake/snapshots/" + snapshot).status, 200);
  EXPECT_THAT(messageOf(deleted("/_fake/snapshots/" + snapshot)), HasSubstr("unknown snapshot '" + snapshot));
  EXPECT_THAT(messageOf(deleted("/_fake/snapshots/x")), HasSubstr("unknown snapshot 'x'"));
  EXPECT_THAT(messageOf(post("/_fake/snapshots/" + snapshot + "/restore")), HasSubstr("unknown snapshot"));
}

TEST_F(TenantControl, SetsTheClockToALaterTime) {
  const auto set = [&](const std::string& now) { return post("/_fake/clock", R"({"now":)" + now + "}"); };
  const auto shown = [&](const std::string& now) { return test::text(told(set(now)).at("now")); };
  EXPECT_EQ(shown(R"("2026-02-01T10:00:00Z")"), "2026-02-01T10:00:00.000000000Z");
  EXPECT_EQ(shown(R"("2026-02-01t12:30:00.25+01:30")"), "2026-02-01T11:00:00.250000000Z");
  EXPECT_EQ(shown(R"("2026-02-01T10:00:00.2599999999-01:00")"), "2026-02-01T11:00:00.259999999Z");
  EXPECT_EQ(shown(R"("2026-02-01T11:00:00.259999999Z")"), "2026-02-01T11:00:00.259999999Z")
      << "the same time";
  EXPECT_EQ(shown("1800000000"), "2027-01-15T08:00:00.000000000Z");
}

TEST_F(TenantControl, DoesNotSetTheClockBackOrToAnInvalidTime) {
  const auto complaint = [&](const std::string& now) {
    return messageOf(post("/_fake/clock", R"({"now":)" + now + "}"));
  };
  EXPECT_THAT(complaint(R"("2025-12-31T23:59:59Z")"),
              HasSubstr("now: the clock can't be set back; it shows 2026-01-01T00:00:00.000000000Z"));
  EXPECT_THAT(complaint("0"), HasSubstr("can't be set back"));
  for (const std::string bad :
       {R"("")", R"("tomorrow")", R"("2026-02-01")", R"("2026-02-30T00:00:00Z")", R"("2026-13-01T00:00:00Z")",
        R"("2026-02-01T24:00:00Z")", R"("2026-02-01T00:60:00Z")", R"("2026-02-01T00:00:60Z")",
        R"("2026-02-01T00:00:00")", R"("2026-02-01T00:00:00.Z")", R"("2026-02-01T00:00:00+1:00")",
        R"("2026-02-01T00:00:00+24:00")", R"("2026-02-01T00:00:00Zx")", R"("-026-02-01T00:00:00Z")",
        R"("9999-01-01T00:00:00Z")", "9223372036854775807", "1.5", "true", "[]"})
    EXPECT_THAT(complaint(bad), HasSubstr("now: expected a time")) << bad;
  EXPECT_THAT(messageOf(post("/_fake/clock", "{}")), HasSubstr("now: missing"));
  EXPECT_EQ(test::text(told(get("/_fake/clock")).at("now")), "2026-01-01T00:00:00.000000000Z");
}

TEST_F(TenantControl, KeepsTheModeOfTheClockWhenSettingItsTime) {
  (void)told(post("/_fake/clock/freeze"));
  EXPECT_EQ(told(post("/_fake/clock", R"({"now":1800000000})")).at("frozen"), true);
  const Account running = addOwn(R"({"virtual_clock":false})");
  const auto clock = host.find(running.liveKey)->service.clock();
  const Instant later = clock->now() + hours{48};
  clock->advanceTo(later);
  EXPECT_TRUE(clock->running());
  EXPECT_GE(clock->now(), later);
  EXPECT_LT(clock->now(), later + hours{1});
}

}  // namespace

}  // namespace tally::fake::detail

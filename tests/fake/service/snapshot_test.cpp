#include <chrono>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <tally/client.h>
#include <tally/fake/service.h>
#include <tally/fake/snapshot.h>
#include <tally/payment_records.h>
#include <tally/subscriptions.h>

#include <gtest/gtest.h>

#include "fake/support/limit_usage.h"
#include "fake/support/naive_limits.h"
#include "fake/support/requests.h"
#include "support/random_runs.h"

namespace tally::test {

namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using std::chrono::seconds;

/// The complete visible state of a service, except its future responses.
std::string portrait(const fake::Service& service, const fake::Account& account) {
  std::string text = std::to_string(service.clock()->now().time_since_epoch().count()) + '\n';
  for (const fake::LimitUsage& line : service.usage().list(account))
    text += line.limit + ' ' + (line.livemode ? "live " : "sandbox ") + line.operation + ' ' + line.object +
            ' ' + std::to_string(line.used) + ' ' + std::to_string(line.allowed.value_or(-1)) + ' ' +
            std::to_string(line.remaining.value_or(-1)) + ' ' +
            std::to_string(line.availableAt.value_or(Instant{}).time_since_epoch().count()) + '\n';
  for (const fake::LoggedRequest& logged : service.requests().list())
    text += logged.operation + ' ' + logged.object + ' ' + std::to_string(logged.status) + ' ' +
            logged.requestId + ' ' + logged.limit + ' ' +
            std::to_string(logged.respondedAt.time_since_epoch().count()) + '\n';
  for (const fake::FaultRule& rule : service.faults().pending())
    text += ::testing::PrintToString(rule) + '\n';
  return text;
}

std::string bytesOf(const HttpResponse& response) {
  std::string bytes = std::to_string(response.status) + '\n';
  for (const Header& header : response.headers)
    bytes += header.name + ": " + header.value + '\n';
  return bytes + response.body + '\n';
}

TEST(Snapshots, KeepTheirContentsWhenMovedFrom) {
  fake::Service service;
  const std::string key = service.addAccount().sandboxKey;
  const auto record = service.insert<PaymentRecord>(key);
  fake::Snapshot snapshot = service.snapshots().take();
  const fake::Snapshot other = std::move(snapshot);
  const auto later = service.insert<PaymentRecord>(key);
  service.snapshots().restore(snapshot);  // NOLINT(bugprone-use-after-move): to move one is to copy it
  EXPECT_EQ(snapshot.time(), other.time());
  const Client client{service.clientOptions(key)};
  EXPECT_TRUE(client.paymentRecords().retrieve(record.id));
  EXPECT_FALSE(client.paymentRecords().retrieve(later.id));
}

class SnapshotTest : public testing::Test {
 protected:
  [[nodiscard]] std::string report(fake::Service& to, const std::string& outcome) const {
    return bytesOf(to.handle(
        post(key, "/v1/payment_records/" + id + "/report_payment_attempt_" + outcome, outcome + "_at=1")));
  }
  /// Makes every kind of change to a service, and returns its responses.
  [[nodiscard]] std::string live(fake::Service& of) const {
    std::string said = report(of, "failed");
    const auto more = of.addAccount();
    said += more.id + more.liveKey + of.tokens().add(more, true);
    said += of.insert<PaymentRecord>(key).id.str();
    of.connections().connect(account, more);
    of.limits().set({.limit = "global_rate", .value = 30});
    of.limits().set(account, {.limit = "endpoint_rate", .value = 20, .operation = "payouts.list"});
    of.durations().set("payouts.list", seconds{2});
    of.transactions().record(key, 100);
    of.faults().inject({.operation = "payouts.create", .error = "lock_timeout"});
    for (const char* url : {"/v1/payouts", "/v1/payment_records", "/v1/files", "/v1/data/exports"})
      said += bytesOf(of.handle(get(key, url)));
    of.clock()->advance(milliseconds{10});
    said += bytesOf(of.handle(post(key, "/v1/accounts", "country=de")));
    said += bytesOf(of.handle(post(key, "/v1/payment_intents", "amount=1&currency=eur")));
    said += std::to_string(*of.clientOptions(key).jitterSeed);
    said += report(of, "guaranteed");
    return said + of.objects().stateOf(key, id).value_or("none") + portrait(of, account);
  }

  fake::Service service{};
  fake::Account account = service.addAccount();
  std::string key = account.sandboxKey;
  std::string id = service.insert<PaymentRecord>(key).id.str();
};

using ForkedService = SnapshotTest;
using NewIdentifiers = SnapshotTest;

TEST_F(SnapshotTest, RestoresTheWholeStateOfItsService) {
  service.faults().inject({.times = 1, .latency = seconds{1}});
  (void)report(service, "failed");
  const std::string before = portrait(service, account);
  const HttpRequest retrieval = get(key, "/v1/payment_records/" + id);
  const std::string record = service.fork().handle(retrieval).body;
  const fake::Snapshot snapshot = service.snapshots().take();
  const std::string first = live(service);
  EXPECT_NE(portrait(service, account), before);
  service.snapshots().restore(snapshot);
  EXPECT_EQ(portrait(service, account), before);
  EXPECT_EQ(service.objects().stateOf(key, id), "failed");
  EXPECT_EQ(service.fork().handle(retrieval).body, record);
  EXPECT_EQ(live(service), first) << "identical, including identifiers";
}

TEST_F(SnapshotTest, CanBeRestoredRepeatedly) {
  const fake::Snapshot snapshot = service.snapshots().take();
  const std::string first = live(service);
  for (int n = 0; n < 3; ++n) {
    service.snapshots().restore(snapshot);
    EXPECT_EQ(live(service), first);
  }
}

TEST_F(SnapshotTest, RemovesLaterAccountsWhenRestored) {
  const fake::Snapshot snapshot = service.snapshots().take();
  const auto late = service.addAccount();
  service.snapshots().restore(snapshot);
  EXPECT_EQ(wrongWith([&] { (void)service.accounts().get(late.id); }),
            "this service has no account '" + late.id + "'");
  EXPECT_EQ(errorOf(service.handle(get(late.sandboxKey, "/v1/payouts"))), "401 key_unknown");
}

TEST_F(ForkedService, RespondsLikeTheOriginal) {
  (void)report(service, "failed");
  fake::Service fork = service.fork();
  EXPECT_EQ(portrait(fork, account), portrait(service, account));
  EXPECT_EQ(live(fork), live(service));
}

TEST_F(ForkedService, IsIndependentOfTheOriginal) {
  fake::Service fork = service.fork();
  const std::string before = portrait(service, account);
  const std::string said = live(fork);
  EXPECT_EQ(portrait(service, account), before);
  EXPECT_EQ(fork.objects().stateOf(key, id), "guaranteed");
  EXPECT_NE(service.objects().stateOf(key, id), "guaranteed");
  const std::string after = portrait(fork, account);
  EXPECT_EQ(live(service), said);
  service.clock()->advance(hours{1});
  EXPECT_EQ(portrait(fork, account), after);
}

TEST_F(ForkedService, HasDifferentKeysIfGivenASeed) {
  const fake::Account other = service.addAccount();
  const std::string token = service.tokens().add(account, false);
  fake::Service fork = service.fork(7);
  EXPECT_EQ(portrait(fork, account), portrait(service, account));
  for (const fake::Account& each : {account, other}) {
    const fake::Account there = fork.accounts().get(each.id);
    EXPECT_EQ(errorOf(fork.handle(get(there.liveKey, "/v1/payouts"))), "200");
    EXPECT_EQ(errorOf(fork.handle(get(each.liveKey, "/v1/payouts"))), "401 key_unknown");
    EXPECT_EQ(errorOf(service.handle(get(there.liveKey, "/v1/payouts"))), "401 key_unknown");
  }
  EXPECT_EQ(fork.objects().stateOf(fork.accounts().get(account.id).sandboxKey, id),
            service.objects().stateOf(key, id));
  EXPECT_EQ(errorOf(fork.handle(get(token, "/v1/payouts"))), "401 key_unknown");
  EXPECT_EQ(errorOf(service.handle(get(token, "/v1/payouts"))), "200");
  EXPECT_NE(service.fork(8).accounts().get(account.id).liveKey, fork.accounts().get(account.id).liveKey);
}

TEST_F(ForkedService, SharesNoKeysOrNewIdentifiersWithOtherServices) {
  std::set<std::string> seen{account.id};
  const auto isNew = [&](fake::Service& of) {
    const fake::Account inherited = of.accounts().get(account.id);
    const fake::Account added = of.addAccount();
    const HttpResponse file = of.handle(post(added.sandboxKey, "/v1/files", "purpose=a&filename=b"));
    for (const std::string& each :
         {inherited.liveKey, inherited.sandboxKey, added.id, added.liveKey, added.sandboxKey,
          of.tokens().add(added, true), text(bodyOf(file).at("id")), *file.header("Request-Id")})
      EXPECT_TRUE(seen.insert(each).second) << each;
  };
  isNew(service);
  for (const std::uint64_t seed : {fake::ServiceOptions{}.seed, std::uint64_t{0}, std::uint64_t{8}}) {
    fake::Service fork = service.fork(seed);
    fake::Service same = service.fork(seed);
    fake::Service forkOfFork = fork.fork(seed);
    fake::Service forkOfCopy = service.fork().fork(seed);
    for (fake::Service* each : {&fork, &same, &forkOfFork, &forkOfCopy})
      isNew(*each);
    fake::Service stranger{{.seed = seed + 100}};
    const fake::Account strangers = stranger.addAccount();
    fake::Service forkOfStranger = stranger.fork(seed);
    EXPECT_TRUE(seen.insert(strangers.liveKey).second);
    EXPECT_TRUE(seen.insert(forkOfStranger.accounts().get(strangers.id).liveKey).second);
  }
}

TEST_F(NewIdentifiers, SkipIdentifiersInUse) {
  const auto create = [](fake::Service& of, const std::string& by) {
    return text(bodyOf(of.handle(post(by, "/v1/files", "purpose=a&filename=b"))).at("id"));
  };
  fake::Service twin = service.fork();
  (void)twin.insert(key, "file");  // takes an identifier, like the seeding below
  const std::string next = create(twin, key);
  (void)service.insert(key, "file", R"({"id":")" + next + R"("})");
  const std::string made = create(service, key);
  EXPECT_NE(made, next);
  EXPECT_EQ(idsOf(bodyOf(service.handle(get(key, "/v1/files")))), (std::vector<std::string>{made, next}));
}

TEST_F(SnapshotTest, KeepsTheModeOfTheClock) {
  const auto clock = service.clock();
  const fake::Snapshot leaping = service.snapshots().take();
  clock->freeze();
  const fake::Snapshot frozen = service.snapshots().take();
  EXPECT_TRUE(service.fork().clock()->frozen());
  EXPECT_TRUE(service.fork(7).clock()->frozen());
  service.snapshots().restore(leaping);
  EXPECT_FALSE(clock->frozen());
  service.snapshots().restore(frozen);
  EXPECT_TRUE(clock->frozen());
  clock->run();
  EXPECT_EQ(service.fork().clock()->reading(), clock->reading());
  service.snapshots().restore(leaping);
  EXPECT_FALSE(clock->running());
  EXPECT_EQ(clock->now(), leaping.time());
}

TEST_F(SnapshotTest, RestoresARunningClockToTheTimeOfTheSnapshot) {
  const auto clock = service.clock();
  clock->run();
  const fake::Snapshot snapshot = service.snapshots().take();
  const auto enough = std::chrono::steady_clock::now() + milliseconds{5};
  while (std::chrono::steady_clock::now() < enough) {
  }
  const auto begun = std::chrono::steady_clock::now();
  service.snapshots().restore(snapshot);
  const Instant restored = clock->now();
  EXPECT_GE(restored, snapshot.time());
  EXPECT_LE(restored - snapshot.time(), std::chrono::steady_clock::now() - begun);
  EXPECT_TRUE(clock->running());
}

TEST_F(SnapshotTest, ExcludesHolds) {
  service.limits().set({.limit = "global_concurrency", .value = 10});
  const fake::Hold units = service.holds().takeConcurrency(key, "", 3);
  const fake::Hold lock = service.holds().lockObject(key, id);
  const fake::Snapshot snapshot = service.snapshots().take();
  fake::Service fork = service.fork();
  EXPECT_EQ(usageOf(service.usage().list(account), "global_concurrency").used, 3);
  EXPECT_EQ(usageOf(fork.usage().list(account), "global_concurrency").used, 0);
  EXPECT_TRUE(report(fork, "failed").starts_with("200"));
  EXPECT_EQ(fork.requests().list().back().time, fork.requests().list().back().respondedAt - milliseconds{50})
      << "expected no wait";
  service.snapshots().restore(snapshot);
  EXPECT_EQ(usageOf(service.usage().list(account), "global_concurrency").used, 0);
  EXPECT_TRUE(report(service, "failed").starts_with("200"));
}

TEST_F(SnapshotTest, InvalidatesLaterHoldsWhenRestored) {
  service.limits().set({.limit = "global_concurrency", .value = 10});
  const fake::Snapshot snapshot = service.snapshots().take();
  fake::Hold old = service.holds().takeConcurrency(key, "", 3);
  fake::Hold oldLock = service.holds().lockObject(key, id);
  service.snapshots().restore(snapshot);
  const fake::Hold units = service.holds().takeConcurrency(key, "", 2);
  const fake::Hold lock = service.holds().lockObject(key, id);
  old.release();
  oldLock.release();
  EXPECT_EQ(usageOf(service.usage().list(account), "global_concurrency").used, 2);
  EXPECT_TRUE(report(service, "failed").starts_with("429")) << "the new lock still holds";
}

TEST_F(SnapshotTest, CanBeRestoredFromACopyAfterTheOriginalIsDestroyed) {
  std::optional<fake::Snapshot> snapshot = service.snapshots().take();
  const fake::Snapshot copy = *snapshot;
  const std::string first = live(service);
  snapshot.reset();
  service.snapshots().restore(copy);
  EXPECT_EQ(live(service), first);
}

/// An event in the life of a service.
struct Happening {
  nanoseconds step{};
  int what = 0;
  std::size_t request = 0;
};

std::vector<Happening> someHappenings(std::size_t requests) {
  std::vector<Happening> happenings(*rc::gen::inRange<std::size_t>(1, 40));
  for (Happening& happening : happenings)
    happening = {anyStep(), *rc::gen::inRange(0, 40), *rc::gen::inRange<std::size_t>(0, requests)};
  return happenings;
}

std::string run(fake::Service& service, const fake::Account& account,
                const std::vector<LimitedRequest>& requests, const std::vector<Happening>& happenings) {
  std::string said;
  for (const Happening& happening : happenings) {
    service.clock()->advance(happening.step);
    const LimitedRequest& request = requests[happening.request];
    if (happening.what == 0) said += service.addAccount().id;
    if (happening.what == 1) service.transactions().record(account.sandboxKey, 5);
    if (happening.what == 2) service.faults().inject({.times = 2, .latency = seconds{1}});
    if (happening.what == 3)
      service.faults().inject({.operation = request.operation, .error = "lock_timeout"});
    if (happening.what == 4)
      service.limits().set({.limit = "global_rate", .value = static_cast<std::int64_t>(happening.request)});
    if (happening.what == 5) service.durations().set(request.operation, seconds{2});
    if (happening.what == 6) said += service.insert<PaymentRecord>(account.sandboxKey).id.str();
    said += bytesOf(service.handle(request.http));
  }
  return said + portrait(service, account);
}

TEST(Snapshots, ProduceTheSameResponsesWhenRestored) {
  holdsInRuns(1'000, [] {
    fake::Service service{{.seed = *rc::gen::inRange<std::uint64_t>(0, 100)}};
    const auto account = service.addAccount();
    const auto requests = someRequests(service, account.sandboxKey);
    (void)run(service, account, requests, someHappenings(requests.size()));
    const auto then = someHappenings(requests.size());
    const fake::Snapshot snapshot = service.snapshots().take();
    fake::Service fork = service.fork();
    const std::string first = run(service, account, requests, then);
    service.snapshots().restore(snapshot);
    RC_ASSERT(run(service, account, requests, then) == first);
    RC_ASSERT(run(fork, account, requests, then) == first);
  });
}

}  // namespace

}  // namespace tally::test

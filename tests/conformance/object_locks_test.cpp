// Spec: "Errors", "Object lock could not be acquired in time": who holds an object's lock, who waits for it
// and for how long, and what a lock timeout is.

#include <random>
#include <sstream>
#include <thread>

#include "conformance/support/limit_conformance.h"

namespace tally::conformance {
namespace {

using namespace std::chrono_literals;

/// Requests take 50 ms, and wait up to 3 s for a lock.
class ObjectLocks : public LimitConformance {
 protected:
  ObjectLocks() : LimitConformance(fake::ServiceOptions{}) {}

  const std::string& key = account.sandboxKey;
  PaymentIntent intent = service.insert<PaymentIntent>(key);
  std::string id = intent.id.str();
  HttpRequest update = updateIntent(key, intent.id);
  Client client{service.clientOptions(key)};
  PaymentIntents intents = client.paymentIntents();

  Instant now() { return service.clock()->now(); }
  int status(const HttpRequest& request) { return service.handle(request).status; }
  std::string description() { return intents.retrieve(intent.id).value().description; }
};

TEST_F(ObjectLocks, AreHeldWhileAMutationRuns) {
  EXPECT_EQ(status(update), 200);
  EXPECT_EQ(now(), start);
  EXPECT_EQ(status(update), 200);
  EXPECT_EQ(now(), start + 50ms) << "after the first has ended";
  EXPECT_EQ(status(update), 200);
  EXPECT_EQ(now(), start + 100ms);
  EXPECT_EQ(service.requests().list()[1].time, start);
  EXPECT_EQ(service.requests().list()[1].respondedAt, start + 100ms);
}

TEST_F(ObjectLocks, AreAlsoHeldByReports) {
  const auto record = service.insert<PaymentRecord>(key);
  const auto report = test::post(
      key, "/v1/payment_records/" + record.id.str() + "/report_payment_attempt_failed", "failed_at=1");
  EXPECT_EQ(status(report), 200);
  EXPECT_EQ(status(report), 200);
  EXPECT_EQ(now(), start + 50ms);
}

TEST_F(ObjectLocks, DoNotDelayInvoicesOfALockedSubscription) {
  const auto subscription = service.insert<Subscription>(key);
  const auto lock = service.holds().lockObject(key, subscription.id.str());
  EXPECT_EQ(status(test::post(key, "/v1/invoices", "subscription=" + subscription.id.str())), 200);
  EXPECT_EQ(now(), start);
  EXPECT_EQ(test::errorOf(
                service.handle(test::post(key, "/v1/subscriptions/" + subscription.id.str(), "quantity=2"))),
            "429 lock_timeout");
}

TEST_F(ObjectLocks, AreHeldForTheConfiguredDurationOfAMutation) {
  service.durations().set("payment_intents.update", 2s);
  EXPECT_EQ(status(update), 200);
  EXPECT_EQ(status(update), 200);
  EXPECT_EQ(now(), start + 2s);
}

TEST_F(ObjectLocks, AreHeldByAMutationWhoseResponseIsLost) {
  service.faults().inject({.fault = fake::Fault::responseLost});
  EXPECT_EQ(status(update), throughAFront() ? 502 : 0);
  EXPECT_EQ(status(update), 200);
  EXPECT_EQ(now(), start + 50ms);
}

TEST_F(ObjectLocks, EndExactlyAtTheirDeadline) {
  const auto lock = service.holds().lockObject(key, id, 1s);
  goTo(start + 1s - 1ns);
  EXPECT_EQ(status(update), 200);
  EXPECT_EQ(now(), start + 1s) << "the wait includes the last nanosecond";
}

TEST_F(ObjectLocks, DelayARequestUntilTheyEnd) {
  const auto lock = service.holds().lockObject(key, id, 1s);
  EXPECT_EQ(intents.update(intent.id, {.description = "Tea"}).value().description, "Tea");
  EXPECT_EQ(now(), start + 1s + 50ms);
  EXPECT_EQ(service.requests().list().back().time, start);
}

TEST_F(ObjectLocks, DelayARequestByAtMostTheLockWait) {
  const auto inTime = service.holds().lockObject(key, id, 3s);
  EXPECT_EQ(status(update), 200);
  EXPECT_EQ(now(), start + 3s);
  goTo(start + 4s);
  const auto tooLong = service.holds().lockObject(key, id, 3s + 1ns);
  EXPECT_EQ(test::errorOf(service.handle(update)), "429 lock_timeout");
  EXPECT_EQ(now(), start + 7s);
}

TEST_F(ObjectLocks, CauseTimeoutsWithoutARequestIdOrAReason) {
  const auto lock = service.holds().lockObject(key, id);
  const HttpResponse response = service.handle(update);
  EXPECT_EQ(test::errorOf(response), "429 lock_timeout");
  EXPECT_EQ(test::text(test::bodyOf(response).at("error").at("type")), "invalid_request_error");
  EXPECT_EQ(response.header("Request-Id"), nullptr);
  EXPECT_EQ(response.header("Service-Rate-Limited-Reason"), nullptr);
  EXPECT_EQ(service.requests().list().back().limit, "");
  EXPECT_EQ(service.requests().list().back().requestId, "");
}

TEST_F(ObjectLocks, LeaveARequestThatTimesOutUnprocessed) {
  const auto lock = service.holds().lockObject(key, id);
  const Error error = intents.update(intent.id, {.description = "Tea"}).error();
  EXPECT_EQ(error.kind(), ErrorKind::lockTimeout);
  EXPECT_EQ(error.effect(), Effect::none);
  EXPECT_EQ(error.requestId(), "");
  EXPECT_EQ(error.attemptCount(), 1);
  EXPECT_EQ(description(), intent.description);
}

TEST_F(ObjectLocks, CauseRetriesIfTheClientIsConfiguredToRetry) {
  const auto lock = service.holds().lockObject(key, id, 8s);
  const auto updated = intents.update(intent.id, {.description = "Tea"}, {.maxNetworkRetries = 2});
  ASSERT_TRUE(updated) << updated.error();
  std::vector<int> statuses;
  for (const auto& request : service.requests().list())
    statuses.push_back(request.status);
  EXPECT_EQ(statuses, (std::vector<int>{429, 429, 200}));
  EXPECT_EQ(now(), start + 8s + 50ms);
}

TEST_F(ObjectLocks, DoNotDelayACallBeyondItsTimeout) {
  const auto lock = service.holds().lockObject(key, id);
  const Error error = intents.update(intent.id, {.description = "Tea"}, {.timeout = 200ms}).error();
  EXPECT_EQ(error.kind(), ErrorKind::timeout);
  EXPECT_EQ(error.effect(), Effect::unknown);
  if (!overAWire()) {
    EXPECT_EQ(now(), start + 200ms);
  }
  EXPECT_EQ(description(), intent.description);
}

TEST_F(ObjectLocks, DoNotDelayReads) {
  const auto lock = service.holds().lockObject(key, id);
  EXPECT_EQ(status(test::get(key, "/v1/payment_intents/" + id)), 200);
  EXPECT_EQ(status(test::get(key, "/v1/payment_intents")), 200);
  EXPECT_EQ(status(test::get(key, "/v1/payment_intents/search?query=created%3E0")), 200);
  EXPECT_EQ(now(), start);
}

TEST_F(ObjectLocks, DoNotDelayRequestsOnOtherObjects) {
  const auto lock = service.holds().lockObject(key, id);
  EXPECT_EQ(status(updateIntent(key, service.insert<PaymentIntent>(key).id)), 200);
  EXPECT_EQ(status(createIntent(key)), 200);
  EXPECT_EQ(now(), start);
}

TEST_F(ObjectLocks, DoNotDelayRequestsInTheOtherMode) {
  service.insert<PaymentIntent>(account.liveKey, [&](PaymentIntent& twin) { twin.id = intent.id; });
  const auto lock = service.holds().lockObject(key, id);
  EXPECT_EQ(status(updateIntent(account.liveKey, intent.id)), 200);
  EXPECT_EQ(now(), start);
}

TEST_F(ObjectLocks, AreSharedByAnAccountAndItsPlatform) {
  const auto platform = service.addAccount();
  service.connections().connect(platform, account);
  EXPECT_EQ(status(onBehalfOf(account, updateIntent(platform.sandboxKey, intent.id))), 200);
  EXPECT_EQ(status(update), 200);
  EXPECT_EQ(now(), start + 50ms);
}

TEST_F(ObjectLocks, LastUntilReleasedWhenHeldByATest) {
  auto lock = service.holds().lockObject(key, id);
  goTo(start + 24h);
  EXPECT_EQ(test::errorOf(service.handle(update)), "429 lock_timeout");
  lock.release();
  const Instant released = now();
  EXPECT_EQ(status(update), 200);
  EXPECT_EQ(now(), released);
}

TEST_F(ObjectLocks, EndEarlyWhenATestReleasesThem) {
  {
    const auto lock = service.holds().lockObject(key, id, 1s);
  }
  EXPECT_EQ(status(update), 200);
  EXPECT_EQ(now(), start);
}

TEST_F(ObjectLocks, PassToAWaitingThreadWhenReleased) {
  service.clock()->freeze();
  auto lock = service.holds().lockObject(key, id);
  int responded = 0;
  {
    const std::jthread waiting{[&] { responded = status(update); }};
    service.clock()->waitForSleepers(1);
    goTo(start + 1s);
    EXPECT_TRUE(service.requests().list().empty());
    lock.release();
  }
  EXPECT_EQ(responded, 200);
  EXPECT_EQ(service.requests().list().back().time, start);
  EXPECT_EQ(service.requests().list().back().respondedAt, start + 1s);
}

TEST_F(ObjectLocks, DelayAWaitingThreadForExactlyTheLockWait) {
  service.clock()->freeze();
  const auto lock = service.holds().lockObject(key, id);
  std::string responded;
  {
    const std::jthread waiting{[&] { responded = test::errorOf(service.handle(update)); }};
    service.clock()->waitForSleepers(1);
    service.clock()->advance(3s - 1ns);
    EXPECT_TRUE(service.requests().list().empty());
    service.clock()->advance(1ns);
  }
  EXPECT_EQ(responded, "429 lock_timeout");
}

TEST(ObjectLocksWithoutAWait, CauseTimeoutsImmediately) {
  Service service{{.lockWait = nanoseconds{0}}};
  const std::string key = service.addAccount().sandboxKey;
  const auto intent = service.insert<PaymentIntent>(key);
  const Instant start = service.clock()->now();
  EXPECT_EQ(service.handle(updateIntent(key, intent.id)).status, 200);
  EXPECT_EQ(test::errorOf(service.handle(updateIntent(key, intent.id))), "429 lock_timeout");
  EXPECT_EQ(service.clock()->now(), start);
}

/// Conflicting updates of three objects, with locks and faults in between. Returns the log.
std::string interleaving(std::uint64_t seed) {
  Service service{{.seed = seed, .lockWait = 1s}};
  const auto account = service.addAccount();
  const std::string& key = account.sandboxKey;
  std::vector<Id<PaymentIntent>> ids;
  for (int i = 0; i < 3; ++i)
    ids.push_back(service.insert<PaymentIntent>(key).id);
  std::mt19937_64 random{seed};
  std::vector<fake::Hold> held;
  for (int i = 0; i < 300; ++i) {
    const auto& id = ids[static_cast<std::size_t>(random() % ids.size())];
    if (random() % 4 == 0) service.clock()->advance(nanoseconds{random() % 100'000'000});
    if (random() % 8 == 0) held.push_back(service.holds().lockObject(key, id.str(), random() % 4 * 1s));
    if (random() % 16 == 0) held.clear();
    if (random() % 16 == 0) service.faults().inject({.fault = fake::Fault::responseLost});
    (void)service.handle(random() % 3 == 0 ? test::get(key, "/v1/payment_intents/" + id.str())
                                           : updateIntent(key, id, "description=" + std::to_string(i)));
  }
  std::ostringstream log;
  for (const auto& request : service.requests().list())
    log << request.time.time_since_epoch().count() << ' ' << request.respondedAt.time_since_epoch().count()
        << ' ' << request.operation << ' ' << request.object << ' ' << request.status << ' '
        << request.requestId << ' ' << request.errorCode << ' ' << request.limit << '\n';
  return log.str();
}

TEST(RandomInterleavings, AreReproducibleFromTheSeed) {
  const std::string log = interleaving(7);
  EXPECT_EQ(log, interleaving(7));
  EXPECT_NE(log, interleaving(8));
  for (const char* outcome : {"lock_timeout", " 200 ", " 0 "})
    EXPECT_NE(log.find(outcome), std::string::npos) << outcome;
}

}  // namespace
}  // namespace tally::conformance

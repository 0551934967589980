#include "worker/domain_run.h"

#include <atomic>
#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tally/fake/sent_request.h>
#include <tally/fake/service.h>
#include <tally/memory_share.h>
#include <tally/observer.h>
#include <tally/tally.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "outbox/worker/domain_of_worker.h"
#include "sockets.h"
#include "worker/marker.h"

namespace tally::test {
namespace {

using Kind = OutboxEvent::Kind;
using testing::AnyOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

class DomainRunTest : public DomainOfWorker {
 protected:
  /// Of a report that was applied, but whose outcome was no longer the worker's to decide.
  void expectLateFinding(std::uint64_t report) const {
    const auto state = database_->backup();
    ASSERT_EQ(state->late().size(), 1U);
    EXPECT_EQ(state->late()[0].report, report);
    EXPECT_EQ(state->late()[0].finding, "applied");
    EXPECT_EQ(outcomeOf(report), "");
  }
};
class DomainWorkTest : public DomainOfWorker {};

TEST_F(DomainRunTest, SendsReportsOnAnObjectInTheOrderEnqueued) {
  const std::string id = record();
  for (const char* sequence : {"1", "2", "3", "4"})
    enqueue(id, sequence);
  EXPECT_EQ(work(), std::nullopt);
  EXPECT_THAT(effects(), ElementsAre("1", "2", "3", "4"));
}

TEST_F(DomainRunTest, SendsNormalReportsBeforeLowPriorityOnes) {
  options_.maxInFlight = 1;
  for (const char* sequence : {"1", "2"})
    enqueueLow(record(), sequence);
  for (const char* sequence : {"3", "4"})
    enqueue(record(), sequence);
  EXPECT_EQ(work(), std::nullopt);
  ASSERT_EQ(effects().size(), 4U);
  EXPECT_THAT((std::vector{effects()[0], effects()[1]}), testing::UnorderedElementsAre("3", "4"));
}

TEST_F(DomainRunTest, SendsLowPriorityReportsWithTheSmallestWindow) {
  options_.window = 1;
  (void)enqueueLow(record(), "1");
  (void)enqueue(record(), "2");
  (void)enqueueLow(record(), "3");
  (void)enqueue(record(), "4");
  EXPECT_EQ(work(), std::nullopt);
  EXPECT_THAT(effects(), UnorderedElementsAre("1", "2", "3", "4"));
}

TEST_F(DomainRunTest, SendsNothingWhenTheStoreRefusesTheIntent) {
  enqueue(record(), "1");
  fail("write", {MemoryFault::unavailable});
  EXPECT_EQ(work(), DomainRun::End::inTrouble);
  EXPECT_THAT(effects(), IsEmpty());
  EXPECT_EQ(work(), std::nullopt);
  EXPECT_THAT(effects(), IsEmpty());  // until the store returns the heads again
  shop_->restart();
  EXPECT_EQ(work(), std::nullopt);
  EXPECT_THAT(effects(), ElementsAre("1"));
}

TEST_F(DomainRunTest, StartsNoRequestAfterTheLeaseEnds) {
  enqueue(record(), "1");
  lease_->end();
  EXPECT_EQ(work(), DomainRun::End::lost);
  EXPECT_THAT(service_.requests().list(), IsEmpty());
}

TEST_F(DomainRunTest, DoesNotStartARequestThatCouldOutlastTheLease) {
  enqueue(record(), "1");
  lease_ = std::make_shared<detail::Lease>([clock = service_.clock()] { return clock->now(); });
  lease_->extend(service_.clock()->now() + 4s);
  client_.emplace(detail::clientOf(domain_, options_, detail::pacerOf(domain_), lease_));
  EXPECT_EQ(work(3s), DomainRun::End::inTrouble);
  EXPECT_THAT(run_->problem(), HasSubstr("no heartbeat"));
  EXPECT_THAT(service_.requests().list(), IsEmpty());
}

TEST_F(DomainRunTest, RecordsALateFindingWhenAnotherWorkerOwnsTheDomain) {
  const auto report = enqueue(record(), "1");
  begin();
  while (effects().empty())
    ASSERT_EQ(turn(1ms), std::nullopt);
  const auto old = std::move(shop_);  // the run continues with it
  const auto oldWorker = std::move(worker_);
  claim();
  EXPECT_EQ(turnFor(10s), DomainRun::End::lost);
  expectLateFinding(report);
  run_.reset();
}

TEST_F(DomainRunTest, RecordsALateFindingWhenItsLastWriteIsFenced) {
  const auto report = enqueue(record(), "1");
  begin();
  while (effects().empty())
    ASSERT_EQ(turn(1ms), std::nullopt);
  const detail::DomainStore* const old = shop_.get();
  std::unique_ptr<detail::DomainStore> kept;
  failing_ = "write";
  before_ = [&] {
    failing_.clear();
    kept = std::move(shop_);
    claim();
  };
  EXPECT_EQ(turnFor(10s), DomainRun::End::lost);
  EXPECT_EQ(kept.get(), old);
  expectLateFinding(report);
  run_.reset();
}

/// The process is frozen once the response has arrived.
TEST_F(DomainRunTest, RecordsALateFindingAboutReportsThatEndedBeforeTheLossWasNoticed) {
  const auto report = enqueue(record(), "1");
  begin();
  while (effects().empty())
    ASSERT_EQ(turn(1ms), std::nullopt);
  while (!run_->due())
    ASSERT_EQ(turn(1ms), std::nullopt);
  lease_->end();
  EXPECT_EQ(turnFor(10s), DomainRun::End::lost);
  expectLateFinding(report);
  run_.reset();
}

TEST_F(DomainRunTest, ResolvesReportsThatItsPredecessorMayHaveSent) {
  const auto report = enqueue(record(), "1");
  begin();
  while (effects().empty())
    ASSERT_EQ(turn(1ms), std::nullopt);
  run_.reset();
  claim();
  EXPECT_EQ(work(), std::nullopt);
  EXPECT_THAT(effects(), ElementsAre("1"));
  EXPECT_EQ(outcomeOf(report), "applied");
}

TEST_F(DomainRunTest, ParksAReportAfterThreeWorkersHaveDiedWhileSendingIt) {
  const auto report = enqueue(record(), "1");
  for (int death = 0; death < 3; ++death) {
    ASSERT_TRUE(shop_->write({.intents = {{.report = report}}}).empty());
    claim();
  }
  EXPECT_EQ(work(), std::nullopt);
  EXPECT_THAT(service_.requests().list(), IsEmpty());
  EXPECT_EQ(eventsOf(Kind::reportParked), 1U);
  store_.ask("release", report, {});
  EXPECT_EQ(turnFor(10s), std::nullopt);
  EXPECT_THAT(effects(), ElementsAre("1"));
}

TEST_F(DomainRunTest, DoesNotRepeatAReportWhoseOutcomeWasForgotten) {
  const std::string id = record();
  const auto report = enqueue(id, "1");
  const auto backup = database_->backup();
  EXPECT_EQ(work(), std::nullopt);
  run_.reset();
  const auto unsent = [&] {
    database_->failOverTo(*backup);
    return store_.enqueueAll("shop", std::vector{failedReport(record(), "other")}, {}).value().front();
  }();
  claim();
  EXPECT_EQ(work(), std::nullopt);
  EXPECT_THAT(effects(), ElementsAre("1"));  // not again
  EXPECT_EQ(outcomeOf(report), "applied");
  EXPECT_EQ(outcomeOf(unsent), "applied");
}

TEST_F(DomainRunTest, SendsADoubtfulReportWhenItsObjectShowsThePreviousReport) {
  const std::string id = record();
  enqueue(id, "1");
  EXPECT_EQ(work(), std::nullopt);
  run_.reset();
  const auto unsent = enqueue(id, "2");
  database_->failOverTo(*database_->backup());
  claim();
  EXPECT_EQ(work(), std::nullopt);
  EXPECT_THAT(effects(), ElementsAre("1", "2"));
  EXPECT_EQ(outcomeOf(unsent), "applied");
}

TEST_F(DomainRunTest, DoesNotSendADoubtfulReportWhenItsObjectShowsAForgottenReport) {
  const std::string id = record();
  enqueue(id, "1");
  EXPECT_EQ(work(), std::nullopt);
  run_.reset();
  const auto sent = enqueue(id, "2");
  const auto backup = database_->backup();
  enqueue(id, "3");
  shop_->restart();
  EXPECT_EQ(work(), std::nullopt);
  run_.reset();
  database_->failOverTo(*backup);
  claim();
  EXPECT_EQ(work(), std::nullopt);
  EXPECT_THAT(effects(), ElementsAre("1", "2", "3"));
  EXPECT_EQ(outcomeOf(sent), "unknown");
}

TEST_F(DomainRunTest, SendsADoubtfulReportWhenItsObjectDoesNotShowIt) {
  const auto report = enqueue(record(), "1");
  ASSERT_TRUE(shop_->write({.intents = {{.report = report}}}).empty());
  claim();
  EXPECT_EQ(work(), std::nullopt);
  EXPECT_THAT(effects(), ElementsAre("1"));
  const auto log = service_.requests().list();
  EXPECT_EQ(log.at(0).request.method, Method::get);
}

TEST_F(DomainRunTest, SendsAReportWithAnAttemptWhenItsObjectShowsThePreviousReport) {
  const PaymentRecord record = service_.insert<PaymentRecord>(key_);
  enqueueWithAttempt(record, "1");
  EXPECT_EQ(work(), std::nullopt);
  run_.reset();
  const auto unsent = enqueueWithAttempt(record, "2");
  ASSERT_TRUE(shop_->write({.intents = {{.report = unsent}}}).empty());
  claim();
  EXPECT_EQ(work(), std::nullopt);
  EXPECT_THAT(effects(), ElementsAre("1", "2"));
  EXPECT_EQ(outcomeOf(unsent), "applied");
}

TEST_F(DomainRunTest, StoresTheEarlierStateOfTheObjectOnlyIfTheAttemptIsUnknown) {
  for (const bool isAttemptKnown : {false, true}) {
    const PaymentRecord record = service_.insert<PaymentRecord>(key_);
    enqueueWithAttempt(record, "1");
    const auto sent = isAttemptKnown ? enqueueWithAttempt(record, "2") : enqueue(record.id.str(), "2");
    begin();
    const std::size_t earlier = effects().size();
    while (effects().size() < earlier + 2)
      ASSERT_EQ(turn(1ms), std::nullopt);
    run_.reset();
    EXPECT_EQ(database_->backup()->reports().at(sent).intents.front().before.empty(), isAttemptKnown);
    claim();
    EXPECT_EQ(work(), std::nullopt);
    EXPECT_EQ(effects().size(), earlier + 2);
    EXPECT_EQ(outcomeOf(sent), "applied");
    run_.reset();
  }
}

TEST_F(DomainRunTest, DefersAReportThatKeepsFailingWhileOthersSucceed) {
  options_.retryTimeout = 5s;
  const std::string bad = record();
  const auto failing = enqueue(bad, "1");
  service_.faults().inject({.object = bad,
                            .times = fake::FaultRule::unlimited,
                            .response = HttpResponse{.status = 500},
                            .period = 8s});
  begin();
  for (int second = 2; second < 40; ++second) {
    enqueue(record(), std::to_string(second));
    ASSERT_EQ(turnFor(1s), std::nullopt) << run_->problem();
  }
  EXPECT_GE(eventsOf(Kind::reportDeferred), 1U);
  EXPECT_EQ(outcomeOf(failing), "applied");
}

/// Reports that this version does not know, as after the migration of a newer one.
class NewerReports final : public detail::DomainStore {
 public:
  explicit NewerReports(std::unique_ptr<detail::DomainStore> store) : store_(std::move(store)) {}

  bool areKnown = false;

  void restart() override { store_->restart(); }
  detail::DomainNews read(std::size_t normal, std::size_t low) override {
    detail::DomainNews news = store_->read(normal, low);
    news.heads = renewed(std::move(news.heads));
    return news;
  }
  std::vector<detail::Head> write(const detail::Batch& batch) override {
    return renewed(store_->write(batch));
  }
  std::vector<detail::Head> carryOut(std::span<const std::uint64_t> requests) override {
    return renewed(store_->carryOut(requests));
  }
  void answer(std::uint64_t request, const std::string& text) override { store_->answer(request, text); }
  void pause(const std::string& reason) override { store_->pause(reason); }
  void maintain() override { store_->maintain(); }
  std::size_t removeDecided(std::chrono::seconds age, std::size_t limit) override {
    return store_->removeDecided(age, limit);
  }
  void writeLate(std::span<const detail::LateFinding> findings) noexcept override {
    store_->writeLate(findings);
  }

 private:
  std::vector<detail::Head> renewed(std::vector<detail::Head> heads) const {
    constexpr std::string_view outcome = "\"failed\"";
    for (detail::Head& head : heads)
      if (const auto at = head.contents.find(outcome); !areKnown && at != std::string::npos)
        head.contents.replace(at, outcome.size(), "\"disputed\"");
    return heads;
  }

  std::unique_ptr<detail::DomainStore> store_;
};

TEST_F(DomainRunTest, DefersAReportThatOnlyANewerVersionCanSend) {
  options_.retryTimeout = 5s;
  const std::string id = record();
  const auto report = enqueue(id, "1");
  enqueue(id, "2");
  (void)shop_->write({.intents = {{.report = report}}});  // which may have sent it
  auto newer = std::make_unique<NewerReports>(std::move(shop_));
  NewerReports& reports = *newer;
  shop_ = std::move(newer);
  EXPECT_EQ(work(), std::nullopt);
  EXPECT_EQ(outcomeOf(report), "");
  EXPECT_THAT(service_.requests().list(), IsEmpty());
  EXPECT_EQ(eventsOf(Kind::reportDeferred), 1U);
  EXPECT_THAT(events_.back().reason, HasSubstr("not 'disputed'"));
  reports.areKnown = true;
  EXPECT_EQ(turnFor(20s), std::nullopt);
  EXPECT_THAT(effects(), ElementsAre("1", "2"));
}

TEST_F(DomainRunTest, RechecksAReportOfANewerVersionOnceItIsKnown) {
  const std::string id = record();
  enqueue(id, "1");
  options_.retryTimeout = 5s;
  EXPECT_EQ(work(), std::nullopt);
  run_.reset();
  (void)shop_->write({.suspicions = {{.object = id}}});
  auto newer = std::make_unique<NewerReports>(std::move(shop_));
  NewerReports& reports = *newer;
  shop_ = std::move(newer);
  const std::size_t before = service_.requests().size();
  EXPECT_EQ(work(), std::nullopt);
  EXPECT_EQ(service_.requests().size(), before);
  reports.areKnown = true;
  EXPECT_EQ(turnFor(20s), std::nullopt);
  EXPECT_EQ(service_.requests().size(), before + 1);
}

TEST_F(DomainRunTest, EndsAsPausedWhenTheServiceRefusesTheKey) {
  domain_.client.apiKey = ApiKey{"sk_test_unknown"};
  client_.emplace(detail::clientOf(domain_, options_, detail::pacerOf(domain_), lease_));
  const auto report = enqueue(record(), "1");
  EXPECT_EQ(work(), DomainRun::End::paused);
  EXPECT_TRUE(run_->isUnauthorized());
  EXPECT_EQ(outcomeOf(report), "");
}

TEST_F(DomainRunTest, EndsWithAnErrorWhenAProxyDemandsCredentials) {
  service_.faults().inject(
      {.response = HttpResponse{407, {{"Content-Type", "text/html"}}, "<html>proxy</html>"}});
  const auto report = enqueue(record(), "1");
  EXPECT_EQ(work(), DomainRun::End::inTrouble);
  EXPECT_FALSE(run_->isUnauthorized());
  EXPECT_EQ(outcomeOf(report), "");
}

/// As a firewall does that takes the metadata of one report for an attack.
TEST_F(DomainRunTest, DefersAReportThatAFirewallBlocksWithoutDelayingOthers) {
  options_.retryTimeout = 5s;
  const std::string bad = record();
  const auto blocked = enqueue(bad, "1");
  service_.faults().inject(
      {.operation = "payment_records.report_failed",
       .object = bad,
       .times = fake::FaultRule::unlimited,
       .response = HttpResponse{403, {{"Content-Type", "text/html"}}, "<html>blocked</html>"}});
  begin();
  for (int second = 2; second < 20; ++second) {
    enqueue(record(), std::to_string(second));
    ASSERT_EQ(turnFor(1s), std::nullopt) << run_->problem();
  }
  EXPECT_GE(eventsOf(Kind::reportDeferred), 1U);
  EXPECT_EQ(outcomeOf(blocked), "");
  EXPECT_EQ(effects().size(), 18U);
}

TEST_F(DomainRunTest, CancelsAReportThatWaitsForItsTurn) {
  options_.maxInFlight = 1;
  const auto first = enqueueLow(record(), "1");
  const auto waiting = enqueueLow(record(), "2");
  begin();
  ASSERT_EQ(turn(1ms), std::nullopt);
  const auto request = store_.ask("cancel", waiting, {});
  EXPECT_EQ(turnFor(5s), std::nullopt);
  EXPECT_EQ(answerTo(request), "canceled");
  EXPECT_EQ(outcomeOf(waiting), "canceled");
  EXPECT_EQ(outcomeOf(first), "applied");
  EXPECT_THAT(effects(), ElementsAre("1"));
}

TEST_F(DomainRunTest, CancelsAReportBeforeItIsRead) {
  const auto report = enqueue(record(), "1");
  const auto request = store_.ask("cancel", report, {});
  EXPECT_EQ(work(), std::nullopt);
  EXPECT_EQ(answerTo(request), "canceled");
  EXPECT_THAT(effects(), IsEmpty());
}

TEST_F(DomainRunTest, CancelsAReportThatWaitsForASlot) {
  options_.maxInFlight = 1;
  std::vector<std::uint64_t> all;
  for (int i = 1; i <= 12; ++i)
    all.push_back(enqueue(record(), std::to_string(i)));
  begin();
  ASSERT_EQ(turn(1ms), std::nullopt);
  const auto request = store_.ask("cancel", all[9], {});
  EXPECT_EQ(turnFor(20s), std::nullopt);
  EXPECT_EQ(answerTo(request), "canceled");
  EXPECT_EQ(outcomeOf(all[9]), "canceled");
  EXPECT_EQ(effects().size(), 11U);
}

TEST_F(DomainRunTest, ContinuesAndEndsAfterAReportIsCanceledBeforeItIsRead) {
  const auto canceled = enqueue(record(), "1");
  (void)store_.ask("cancel", canceled, {});
  (void)store_.ask("cancel", canceled, {});
  EXPECT_EQ(work(5s), std::nullopt);
  const auto low = enqueueLow(record(), "2");
  EXPECT_EQ(turnFor(10s), std::nullopt);
  EXPECT_EQ(outcomeOf(low), "applied");
  stop_.request_stop();
  EXPECT_EQ(turnFor(10s), DomainRun::End::stopped);
}

TEST_F(DomainRunTest, DefersAReportForAnAccountThatIsNotConnectedWithoutDelayingOthers) {
  OutboxReport bad = failedReport(record(), "bad");
  bad.connectedAccount = "acct_nobody";
  const auto deferred = store_.enqueueAll("shop", std::vector{bad}, {}).value().front();
  const auto other = enqueue(record(), "1");
  EXPECT_EQ(work(), std::nullopt);
  EXPECT_EQ(outcomeOf(deferred), "");
  EXPECT_EQ(outcomeOf(other), "applied");
  EXPECT_EQ(eventsOf(Kind::reportDeferred), 1U);
}

/// The release arrives before the deferral is durable.
TEST_F(DomainRunTest, ReleasesAReportThatIsBeingDeferred) {
  OutboxReport bad = failedReport(record(), "bad");
  bad.connectedAccount = "acct_nobody";
  const auto deferred = store_.enqueueAll("shop", std::vector{bad}, {}).value().front();
  std::uint64_t request = 0;
  options_.onEvent = [&](const OutboxEvent& event) {
    if (event.kind != Kind::reportDeferred || request != 0) return;
    request = store_.ask("release", deferred, {});
    waker_.wake();
  };
  EXPECT_EQ(work(), std::nullopt);
  ASSERT_NE(request, 0U);
  EXPECT_EQ(answerTo(request), "released");
}

TEST_F(DomainRunTest, DefersAReportForALongTimeIfTheRetryTimeoutIsUnlimited) {
  options_.retryTimeout = std::chrono::milliseconds::max();
  service_.faults().inject({.operation = "payment_records.report_failed",
                            .times = fake::FaultRule::unlimited,
                            .response = HttpResponse{409, {{"Request-Id", "req_1"}}, "{}"}});
  (void)enqueue(record(), "1");
  EXPECT_EQ(work(), std::nullopt);
  EXPECT_LE(eventsOf(Kind::reportDeferred), 1U);
}

TEST_F(DomainRunTest, DoesNotCancelAReportThatMayHaveBeenSent) {
  service_.faults().inject({.operation = "payment_records.report_failed", .latency = 2s});
  const auto report = enqueue(record(), "1");
  begin();
  ASSERT_EQ(turn(1ms), std::nullopt);
  const auto request = store_.ask("cancel", report, {});
  while (effects().empty())
    ASSERT_EQ(turn(1ms), std::nullopt);
  EXPECT_EQ(turnFor(5s), std::nullopt);
  EXPECT_THAT(answerTo(request), HasSubstr("may have been sent"));
  EXPECT_EQ(outcomeOf(report), "applied");
}

TEST_F(DomainRunTest, DecidesAReportInFlightWhenStopped) {
  const auto report = enqueue(record(), "1");
  begin();
  while (effects().empty())
    ASSERT_EQ(turn(1ms), std::nullopt);
  stop_.request_stop();
  EXPECT_EQ(turnFor(10s), DomainRun::End::stopped);
  EXPECT_EQ(outcomeOf(report), "applied");
}

class MaintenanceOfDomain : public DomainOfWorker, public testing::WithParamInterface<const char*> {};
INSTANTIATE_TEST_SUITE_P(Parts, MaintenanceOfDomain, testing::Values("maintain", "removeDecided"),
                         [](const auto& part) { return std::string{part.param}; });

TEST_P(MaintenanceOfDomain, DoesNotStopSendingIfItFails) {
  options_.retention = 0s;
  fail(GetParam(), std::vector(3, MemoryFault::unavailable));
  begin();
  for (int i = 0; i < 20; ++i) {
    const auto report = enqueue(record(), std::to_string(i));
    EXPECT_EQ(turnFor(10s), std::nullopt);
    EXPECT_TRUE(!database_->backup()->reports().contains(report) || outcomeOf(report) == "applied") << i;
  }
  EXPECT_EQ(eventsOf(Kind::trouble), 3U);
  EXPECT_TRUE(faults_.empty());
}

// ---- DomainWork

/// The times at which it was in trouble, on the clock.
std::vector<Instant> troublesOf(detail::DomainWork& work, fake::VirtualClock& clock,
                                std::chrono::seconds time, const std::vector<OutboxEvent>& events) {
  std::vector<Instant> found;
  const Instant until = clock.now() + time;
  while (clock.now() < until && work.step({})) {
    while (found.size() <
           static_cast<std::size_t>(std::ranges::count(events, Kind::trouble, &OutboxEvent::kind)))
      found.push_back(clock.now());
    work.wait(until);
  }
  return found;
}

TEST_F(DomainRunTest, ReportsOnceAMinuteThatTheServiceCannotBeReached) {
  service_.faults().inject({.times = fake::FaultRule::unlimited, .fault = fake::Fault::connectionRefused});
  (void)enqueue(record(), "1");
  const auto troubleFor = [&](std::chrono::nanoseconds time) {
    events_.clear();
    EXPECT_EQ(turnFor(time), std::nullopt);
    return eventsOf(Kind::trouble);
  };
  begin();
  EXPECT_EQ(troubleFor(20s), 1U);
  EXPECT_EQ(troubleFor(60s), 1U);
  ASSERT_FALSE(events_.empty());
  EXPECT_THAT(events_.front().reason, HasSubstr("connection"));
  EXPECT_EQ(events_.front().domain, "shop");
  service_.faults().clear();
  EXPECT_EQ(troubleFor(120s), 0U);
  EXPECT_EQ(eventsOf(Kind::reportApplied), 1U);
}

TEST_F(DomainRunTest, ReportsNoTroubleForASingleFailedCall) {
  service_.faults().inject({.fault = fake::Fault::connectionRefused});
  (void)enqueue(record(), "1");
  EXPECT_EQ(work(), std::nullopt);
  EXPECT_EQ(eventsOf(Kind::trouble), 0U);
  EXPECT_EQ(eventsOf(Kind::reportApplied), 1U);
}

TEST_F(DomainWorkTest, WaitsLongerAfterEachConsecutiveError) {
  fail("read", std::vector(100, MemoryFault::unavailable));
  detail::DomainWork work{std::move(shop_), lease_, domain_, options_};
  const auto troubles = troublesOf(work, *service_.clock(), 20s, events_);
  ASSERT_GE(troubles.size(), 4U);
  EXPECT_EQ(troubles[1] - troubles[0], 1s);
  EXPECT_EQ(troubles[2] - troubles[1], 2s);
  EXPECT_EQ(troubles[3] - troubles[2], 4s);
}

TEST_F(DomainWorkTest, WaitsOnlyBrieflyIfTheLastErrorWasLongAgo) {
  fail("read", std::vector(5, MemoryFault::unavailable));
  detail::DomainWork work{std::move(shop_), lease_, domain_, options_};
  (void)troublesOf(work, *service_.clock(), 60s, events_);
  (void)troublesOf(work, *service_.clock(), 300s, events_);
  events_.clear();
  fail("read", {MemoryFault::unavailable, MemoryFault::unavailable});
  const auto troubles = troublesOf(work, *service_.clock(), 90s, events_);
  ASSERT_EQ(troubles.size(), 2U);
  EXPECT_EQ(troubles[1] - troubles[0], 1s);
}

TEST_F(DomainWorkTest, ReportsWhyARunCannotBegin) {
  detail::DomainWork work{std::move(shop_), lease_, domain_, options_};
  store_.pause("shop", "maintenance");
  (void)troublesOf(work, *service_.clock(), 2s, events_);
  fail("read", {MemoryFault::unavailable});
  (void)troublesOf(work, *service_.clock(), 3s, events_);
  ASSERT_EQ(eventsOf(Kind::trouble), 1U);
  EXPECT_THAT(events_.back().reason, HasSubstr("is not available"));
}

TEST_F(DomainWorkTest, ExecutesRequestsWhileTheDomainIsPaused) {
  const std::string id = record();
  const auto canceled = enqueue(id, "1");
  const auto next = enqueue(id, "2");
  detail::DomainWork work{std::move(shop_), lease_, domain_, options_};
  store_.pause("shop", "maintenance");
  (void)troublesOf(work, *service_.clock(), 2s, events_);
  const auto request = store_.ask("cancel", canceled, {});
  (void)troublesOf(work, *service_.clock(), 5s, events_);
  EXPECT_EQ(answerTo(request), "canceled");
  EXPECT_EQ(outcomeOf(canceled), "canceled");
  EXPECT_THAT(effects(), IsEmpty());
  store_.resume("shop", {});
  (void)troublesOf(work, *service_.clock(), 5s, events_);
  EXPECT_EQ(outcomeOf(next), "applied");
  EXPECT_THAT(effects(), ElementsAre("2"));
}

TEST_P(MaintenanceOfDomain, DoesNotDelayRequestsWhileTheDomainIsPausedIfItFails) {
  options_.retention = 1h;
  fail(GetParam(), std::vector(100, MemoryFault::unavailable));
  detail::DomainWork work{std::move(shop_), lease_, domain_, options_};
  store_.pause("shop", "maintenance");
  (void)troublesOf(work, *service_.clock(), 30s, events_);
  for (int i = 0; i < 3; ++i) {
    const auto request = store_.ask("cancel", enqueue(record(), std::to_string(i)), {});
    (void)troublesOf(work, *service_.clock(), 5s, events_);
    EXPECT_EQ(answerTo(request), "canceled");
  }
  EXPECT_LE(eventsOf(Kind::trouble), 5U);
}

TEST_F(DomainWorkTest, RemovesAllExpiredReportsInBatches) {
  options_.retention = 0s;
  constexpr std::size_t reports = 1'200;  // more than are removed at once
  detail::DomainWork work{std::move(shop_), lease_, domain_, options_};
  store_.pause("shop", "maintenance");
  for (std::size_t i = 0; i < reports; ++i)
    (void)store_.ask("cancel", enqueue("pr_" + std::to_string(i), std::to_string(i)), {});
  (void)troublesOf(work, *service_.clock(), 60s, events_);
  store_.resume("shop", {});
  (void)troublesOf(work, *service_.clock(), 12s, events_);
  EXPECT_THAT(database_->backup()->reports(), IsEmpty());
}

/// The key is given, and then the lease ends before the request is sent.
TEST_F(DomainWorkTest, SendsNothingIfTheLeaseEndsBeforeTheRequestIsSent) {
  std::atomic<int> requests = 0;
  MisbehavingServer server{[&requests](int connection) {
    if (!receiveRequest(connection).empty()) ++requests;
    close(connection);
  }};
  domain_.client = {.apiKeyProvider =
                        [this] {
                          lease_->end();
                          return ApiKey{key_};
                        },
                    .baseUrl = server.url()};
  options_.clock = nullptr;
  const Client client = detail::clientOf(domain_, options_, detail::pacerOf(domain_), lease_);
  const auto result = client.paymentRecords().reportFailed("pr_1", {.failedAt = std::chrono::sys_seconds{}});
  ASSERT_TRUE(result.has_error());
  EXPECT_EQ(result.error().kind(), ErrorKind::canceled);
  EXPECT_EQ(result.error().effect(), Effect::none);
  EXPECT_EQ(requests, 0);
}

TEST_F(DomainWorkTest, PausesUntilResumedWhenTheKeyIsRefused) {
  std::string given = "sk_test_unknown";
  domain_.client.apiKey = {};
  domain_.client.apiKeyProvider = [&given] { return ApiKey{given}; };
  const auto report = enqueue(record(), "1");
  detail::DomainWork work{std::move(shop_), lease_, domain_, options_};
  (void)troublesOf(work, *service_.clock(), 5s, events_);
  EXPECT_THAT(store_.status().at(0).paused, HasSubstr("refuses the key"));
  given = key_;
  store_.resume("shop", {});
  (void)troublesOf(work, *service_.clock(), 5s, events_);
  EXPECT_EQ(outcomeOf(report), "applied");
}

/// Counts the exchanges of a share.
class CountedShare final : public PacerShare {
 public:
  std::string newProcess() override { return share_.newProcess(); }
  ShareReply exchange(const ShareRequest& request) override {
    ++exchanges;
    return share_.exchange(request);
  }

  std::atomic<int> exchanges{0};

 private:
  MemoryShare share_{};
};

TEST_F(DomainWorkTest, ExchangesItsLimitsThroughTheConfiguredShare) {
  const auto share = std::make_shared<CountedShare>();
  domain_.pacing.share = share;
  detail::DomainWork{std::move(shop_), lease_, domain_, options_};  // says at least that it leaves
  EXPECT_GE(share->exchanges, 1);
}

class TimesOfEvents final : public Observer {
 public:
  void on(const Event& event) noexcept override { times.push_back(event.time); }

  std::vector<Instant> times{};
};

TEST_F(DomainWorkTest, SendsOnTheClockOfTheOutboxIfTheClientHasNone) {
  const auto observer = std::make_shared<TimesOfEvents>();
  domain_.client.observer = observer;
  domain_.client.clock = nullptr;
  const Client client = detail::clientOf(domain_, options_, detail::pacerOf(domain_), lease_);
  EXPECT_TRUE(client.paymentRecords().retrieve(record()));
  ASSERT_THAT(observer->times, testing::Not(IsEmpty()));
  EXPECT_EQ(observer->times.back(), service_.clock()->now());
}

TEST_F(DomainWorkTest, EndsWhenTheLeaseEnds) {
  detail::DomainWork work{std::move(shop_), lease_, domain_, options_};
  lease_->end();
  EXPECT_FALSE(work.step({}));
  EXPECT_THAT(work.reason(), HasSubstr("another worker"));
}

// ---- The marker

TEST(ReportMarker, DiffersByDomainKeyAndRetry) {
  const std::string marker = detail::markerOf("shop", "order-1", 0);
  EXPECT_EQ(detail::markerOf("shop", "order-1", 0), marker);
  EXPECT_NE(detail::markerOf("shop", "order-1", 1), marker);
  EXPECT_NE(detail::markerOf("shop", "order-2", 0), marker);
  EXPECT_NE(detail::markerOf("shop2", "order-1", 0), marker);
  EXPECT_NE(detail::markerOf("a\nb", "c", 0), detail::markerOf("a", "c", 0));
}

TEST(ReportMarker, IsAddedUnlessTheMarkerKeyIsEmpty) {
  const OutboxDomain domain{.name = "shop"};
  const detail::Head head{.key = "order-1"};
  Report report = failedReport("pr_1").report;
  detail::mark(report, domain, head);
  EXPECT_THAT(report.toText(), HasSubstr(detail::markerOf("shop", "order-1", 0)));
  Report unmarked = failedReport("pr_1").report;
  detail::mark(unmarked, {.name = "shop", .markerKey = ""}, head);
  EXPECT_EQ(unmarked.toText(), failedReport("pr_1").report.toText());
}

TEST(ReportMarker, IsNotAddedToAReportThatSetsTheMarkerKey) {
  Report report = failedReport("pr_1").report;
  report.metadata.set("tally_report", "mine");
  const Report before = report;
  detail::mark(report, {.name = "shop"}, {.key = "order-1"});
  EXPECT_EQ(report, before);
  EXPECT_FALSE(report.check());
}

}  // namespace
}  // namespace tally::test

// Each rule of a worker has a variant that breaks it, with a schedule in which the history shows it. With the
// right code, the same schedule shows nothing.

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <tally/fake/service.h>
#include <tally/outbox.h>
#include <tally/tally.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "memory/memory_store.h"
#include "outbox/chaos/history.h"
#include "outbox/failed_report.h"
#include "outbox/simulation/broken_store.h"
#include "worker/domain_work.h"

namespace tally::test {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

/// A worker that owns `shop` and has one run. It takes part until another one takes over.
class RuleFollower {
 public:
  RuleFollower(detail::OutboxStore& store, const OutboxDomain& domain, const OutboxOptions& options,
               std::function<Instant()> leaseClock)
      : lease_(std::make_shared<detail::Lease>(std::move(leaseClock))),
        worker_(store.enroll({.host = "host", .domains = {"shop"}, .lease = options.lease})),
        clock_(*options.clock) {
    lease_->extend(lease_->now() + options.lease);
    const detail::Heartbeat heartbeat = worker_->beat().value();
    for (const detail::Peer& peer : heartbeat.peers)
      (void)worker_->declareDead(peer);
    shop_ = worker_->claim("shop");
    client_.emplace(detail::clientOf(domain, options, detail::pacerOf(domain), lease_));
    run_.emplace(*client_, *shop_, *lease_, waker_, domain, options);
  }

  void work(std::chrono::nanoseconds time) {
    const Instant until = clock_.now() + time;
    while (clock_.now() < until && !run_->round({}))
      run_->wait(until);
  }

 private:
  std::shared_ptr<detail::Lease> lease_;
  std::unique_ptr<detail::WorkerStore> worker_;
  std::unique_ptr<detail::DomainStore> shop_{};
  std::optional<Client> client_{};
  detail::Waker waker_{};
  std::optional<detail::DomainRun> run_{};
  Clock& clock_;
};

class HistoryCheck : public testing::Test {
 protected:
  HistoryCheck() {
    domain_.client.timeout = 5s;
    options_.clock = service_.clock();
    options_.lease = 15s;
  }

  void enqueue(const std::string& sequence, std::optional<Timestamp> notBefore = std::nullopt) {
    OutboxReport one = failedReport(object_, "k" + sequence);
    one.report.metadata.set("sequence", sequence);
    ASSERT_TRUE(store_.enqueueAll("shop", std::vector{one}, {.notBefore = notBefore}));
  }

  [[nodiscard]] Timestamp inTwoSeconds() const {
    return std::chrono::ceil<std::chrono::seconds>(service_.clock()->now()) + 2s;
  }
  /// The first worker is frozen for longer than its lease when a rule calls this first, and another one works
  /// meanwhile.
  void freeze() {
    if (std::exchange(wasFrozen_, true)) return;
    service_.clock()->advance(20s);
    other_ = std::make_unique<RuleFollower>(store_, domain_, options_, rightClock());
    other_->work(10s);
  }
  [[nodiscard]] std::function<Instant()> rightClock() const {
    return [clock = service_.clock()] { return clock->now(); };
  }
  /// Does not count the time in which its machine is suspended.
  [[nodiscard]] std::function<Instant()> clockThatStops() const {
    return [start = service_.clock()->now()] { return start; };
  }

  [[nodiscard]] History work(std::function<Instant()> leaseClock) {
    BrokenStore broken{database_, rules_};
    RuleFollower{broken, domain_, options_, std::move(leaseClock)}.work(30s);
    return History{service_.requests().list()};
  }

  fake::Service service_{{.limits = false}};
  std::string key_ = service_.addAccount().sandboxKey;
  std::string object_ = service_.insert<PaymentRecord>(key_).id.str();
  std::shared_ptr<detail::MemoryDatabase> database_ =
      std::make_shared<detail::MemoryDatabase>(service_.clock());
  detail::MemoryStore store_{database_};
  OutboxDomain domain_{.name = "shop", .client = service_.clientOptions(key_)};
  OutboxOptions options_{};
  BrokenRules rules_{};
  bool wasFrozen_ = false;
  std::unique_ptr<RuleFollower> other_{};
};

TEST_F(HistoryCheck, DetectsThatTheLeaseIsNotChecked) {
  enqueue("1");
  rules_.afterWrite = [this] { freeze(); };
  EXPECT_THAT(work(clockThatStops()).appliedRepeatedly(), ElementsAre(1U));
}

TEST_F(HistoryCheck, FindsNoFaultIfTheLeaseEndsBetweenTheIntentAndTheRequest) {
  enqueue("1");
  rules_.afterWrite = [this] { freeze(); };
  const History history = work(rightClock());
  EXPECT_THAT(history.appliedRepeatedly(), IsEmpty());
  EXPECT_EQ(history.effects(1), 1);
}

TEST_F(HistoryCheck, DetectsThatTheWritesOfADeadWorkerAreNotFenced) {
  enqueue("1");
  rules_.beforeWrite = [this] { freeze(); };
  rules_.isFenced = false;
  EXPECT_THAT(work(clockThatStops()).appliedRepeatedly(), ElementsAre(1U));
}

TEST_F(HistoryCheck, FindsNoFaultIfTheFenceStopsTheWrite) {
  enqueue("1");
  rules_.beforeWrite = [this] { freeze(); };
  const History history = work(clockThatStops());
  EXPECT_THAT(history.appliedRepeatedly(), IsEmpty());
  EXPECT_EQ(history.effects(1), 1);
}

/// Returns a report that is none as a head, once.
void addLastReport(const detail::MemoryDatabase& database, detail::DomainNews& news, bool& isAdded) {
  if (std::exchange(isAdded, true)) return;
  database.look([&](const detail::MemoryState& state) {
    const auto& [id, report] = *state.reports().rbegin();
    news.heads.push_back({.id = id, .object = report.object, .key = report.key, .contents = report.contents});
  });
}

TEST_F(HistoryCheck, DetectsThatAReportIsAHeadBeforeThePreviousOneIsDecided) {
  enqueue("1", inTwoSeconds());
  enqueue("2");
  rules_.news = [this, isAdded = false](detail::DomainNews& news) mutable {
    addLastReport(*database_, news, isAdded);
  };
  EXPECT_THAT(work(rightClock()).outOfOrder(), ElementsAre("1 after 2"));
}

TEST_F(HistoryCheck, FindsNoFaultIfThePreviousReportHasALaterTime) {
  enqueue("1", inTwoSeconds());
  enqueue("2");
  const History history = work(rightClock());
  EXPECT_THAT(history.outOfOrder(), IsEmpty());
  EXPECT_EQ(history.effects(2), 1);
}

}  // namespace
}  // namespace tally::test

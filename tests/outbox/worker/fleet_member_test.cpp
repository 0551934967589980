#include <algorithm>
#include <deque>
#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <tally/fake/service.h>
#include <tally/outbox.h>
#include <tally/tally.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "memory/memory_store.h"
#include "outbox/failed_report.h"
#include "support/failing_allocations.h"
#include "worker/worker.h"

namespace tally::test {
namespace {

using namespace std::chrono_literals;
using detail::MemoryFault;
using testing::HasSubstr;
using Kind = OutboxEvent::Kind;

/// A worker in the thread of the test, on the clock of the service.
class FleetMemberTest : public testing::Test {
 protected:
  FleetMemberTest() {
    domain_.client.timeout = 5s;
    options_.onEvent = [this](const OutboxEvent& event) {
      events_.push_back(event);
      if (onEvent_) onEvent_(event);
    };
  }

  std::uint64_t enqueue() {
    const std::string id = service_.insert<PaymentRecord>(key_).id.str();
    return store_.enqueueAll("shop", std::vector{failedReport(id)}, {}).value().front();
  }
  void stopAt(Kind kind) {
    onEvent_ = [this, kind](const OutboxEvent& event) {
      if (event.kind == kind) stop_.request_stop();
    };
  }
  void run() {
    options_.domains = {domain_};
    detail::Worker{store_, options_}.run(stop_.get_token());
  }
  [[nodiscard]] std::vector<std::string> reasonsOf(Kind kind) const {
    std::vector<std::string> reasons;
    for (const OutboxEvent& event : events_)
      if (event.kind == kind) reasons.push_back(event.reason);
    return reasons;
  }

  fake::Service service_{{.limits = false}};
  std::string key_ = service_.addAccount().sandboxKey;
  std::function<MemoryFault(std::string_view operation)> fault_ = [](auto) { return MemoryFault::none; };
  std::function<void(const detail::MemoryOperation&)> operation_;
  std::shared_ptr<detail::MemoryDatabase> database_ = std::make_shared<detail::MemoryDatabase>(
      service_.clock(), [this](const detail::MemoryOperation& operation) {
        if (operation_) operation_(operation);
        return fault_(operation.name);
      });
  detail::MemoryStore store_{database_};
  OutboxDomain domain_{.name = "shop", .client = service_.clientOptions(key_)};
  OutboxOptions options_;
  StopSource stop_;
  std::vector<OutboxEvent> events_;
  std::function<void(const OutboxEvent&)> onEvent_;
};

TEST_F(FleetMemberTest, ThrowsIfItCannotEnroll) {
  fault_ = [](std::string_view operation) {
    return operation == "enroll" ? MemoryFault::unavailable : MemoryFault::none;
  };
  EXPECT_THROW(run(), OutboxError);
}

TEST_F(FleetMemberTest, StopsWithoutThrowingIfItCannotDepart) {
  enqueue();
  stopAt(Kind::reportApplied);
  fault_ = [this](std::string_view operation) {
    return operation == "depart" && stop_.stop_requested() ? MemoryFault::unavailable : MemoryFault::none;
  };
  run();
  EXPECT_EQ(reasonsOf(Kind::trouble).size(), 1U);
  EXPECT_EQ(events_.back().kind, Kind::stopped);
}

TEST_F(FleetMemberTest, ContinuesIfItCannotGiveUpALostDomain) {
  const auto report = enqueue();
  bool isLost = false;
  bool isRefused = false;
  fault_ = [&](std::string_view operation) {
    if (operation == "giveUp" && !std::exchange(isRefused, true)) return MemoryFault::unavailable;
    if (operation == "read" && !std::exchange(isLost, true)) {
      const auto other = store_.enroll({.host = "other", .domains = {"shop"}, .lease = 15s});
      const detail::Heartbeat heartbeat = other->beat().value();
      for (const detail::Peer& peer : heartbeat.peers)
        (void)other->declareDead(peer);
      other->depart();
    }
    return MemoryFault::none;
  };
  stopAt(Kind::reportApplied);
  run();
  EXPECT_TRUE(isRefused);
  EXPECT_EQ(database_->backup()->reports().at(report).end.value().outcome, "applied");
}

/// Otherwise, a worker with many domains and a slow database would lose all of them again and again.
TEST_F(FleetMemberTest, SendsHeartbeatsWhileItClaimsManyDomains) {
  constexpr std::size_t domains = 20;
  for (std::size_t i = 0; i < domains; ++i) {
    options_.domains.push_back(domain_);
    options_.domains.back().name += std::to_string(i);
  }
  fake::VirtualClock& clock = *service_.clock();
  Instant last = clock.now();
  std::size_t claims = 0;
  fault_ = [&](std::string_view operation) {
    if (operation == "claim") clock.advance(2s);
    if (operation == "claim" && ++claims == domains) stop_.request_stop();
    if (operation == "beat") last = clock.now();
    EXPECT_LE(clock.now() - last, options_.lease / 2) << claims;
    return MemoryFault::none;
  };
  detail::Worker{store_, options_}.run(stop_.get_token());
  EXPECT_EQ(claims, domains);
}

/// Otherwise, each report would cost a statement for each domain.
TEST_F(FleetMemberTest, ReadsOnlyTheDomainThatHasNews) {
  options_.domains = {domain_, domain_};
  options_.domains.back().name = "blog";
  std::size_t readsOfBlog = 0;
  operation_ = [&](const detail::MemoryOperation& operation) {
    if (operation.name == "read" && operation.domain == "blog") ++readsOfBlog;
  };
  std::size_t applied = 0;
  onEvent_ = [&](const OutboxEvent& event) {
    if (event.kind == Kind::domainClaimed && event.domain == "shop") enqueue();
    if (event.kind != Kind::reportApplied) return;
    if (++applied == 200) return (void)stop_.request_stop();
    service_.clock()->advance(1ms);
    enqueue();
  };
  detail::Worker{store_, options_}.run(stop_.get_token());
  EXPECT_EQ(applied, 200U);
  EXPECT_LT(readsOfBlog, 50U);
}

/// What leaves run() may be a lack of memory, which lasts while the worker is destroyed.
TEST_F(FleetMemberTest, PassesAnExceptionOnIfItsLastEventsThrowToo) {
  fault_ = [this](std::string_view operation) {
    if (operation == "beat" && !reasonsOf(Kind::domainClaimed).empty()) throw std::bad_alloc{};
    return MemoryFault::none;
  };
  onEvent_ = [](const OutboxEvent& event) {
    if (event.kind == Kind::domainReleased) throw std::bad_alloc{};
  };
  EXPECT_THROW(run(), std::bad_alloc);
  EXPECT_EQ(reasonsOf(Kind::domainReleased), std::vector<std::string>{"stopped"});
}

/// What it has not finished may be in no consistent state.
TEST_F(FleetMemberTest, DoesNotGoOnWithADomainThatHasThrown) {
  enqueue();
  onEvent_ = [](const OutboxEvent& event) {
    if (event.kind == Kind::reportApplied) throw std::runtime_error{"the application is full"};
  };
  EXPECT_THROW(run(), std::runtime_error);
  EXPECT_EQ(reasonsOf(Kind::reportApplied).size(), 1U);
  EXPECT_EQ(reasonsOf(Kind::domainReleased), std::vector<std::string>{"the application is full"});
}

TEST_F(FleetMemberTest, ReleasesADomainWhoseExceptionTakesMoreMemoryThanThereIs) {
  enqueue();
  const std::runtime_error problem{"a problem whose description takes memory"};
  std::optional<FailingAllocations> without;
  fault_ = [&](std::string_view operation) {
    if (operation != "write") return MemoryFault::none;
    if (stop_.stop_requested()) {
      without.emplace(1U);
      throw problem;
    }
    stop_.request_stop();  // the report has an intent, and is then sent
    return MemoryFault::none;
  };
  EXPECT_THROW(run(), std::bad_alloc);
  EXPECT_TRUE(without && without->failed());
  EXPECT_EQ(reasonsOf(Kind::domainReleased), std::vector<std::string>{problem.what()});
}

/// A service beside this process, which is never called.
class UnusedTransport final : public Transport {
 public:
  TransportResult send(const HttpRequest&, const SendLimits&) override {
    return TransportFailure{TransportFailure::Kind::couldNotConnect, false, "it is not used"};
  }
};

/// A clock that stands still, and tells when somebody waits for a time.
class StoppedClock final : public Clock {
 public:
  StoppedClock(Instant time, std::function<void()> onSleep) : onSleep_(std::move(onSleep)), clock_(time) {
    clock_.freeze();
  }

  [[nodiscard]] Instant now() const override { return clock_.now(); }
  bool sleepUntil(Instant time, StopToken stop) override {
    onSleep_();
    return clock_.sleepUntil(time, std::move(stop));
  }
  bool waitUntil(Instant time, StopToken stop) override { return clock_.waitUntil(time, std::move(stop)); }

 private:
  std::function<void()> onSleep_;
  fake::VirtualClock clock_;
};

TEST_F(FleetMemberTest, WakesAPausedDomainInItsThreadWhenItIsStopped) {
  const Instant now = service_.clock()->now();
  domain_.client.transport = std::make_shared<UnusedTransport>();
  domain_.client.clock = std::make_shared<StoppedClock>(now, [this] { stop_.request_stop(); });
  options_.clock = std::make_shared<StoppedClock>(now, [] {});
  onEvent_ = [this](const OutboxEvent& event) {
    if (event.kind == Kind::domainClaimed) store_.pause("shop", "audit");
  };
  run();
  EXPECT_EQ(reasonsOf(Kind::domainReleased), std::vector<std::string>{"stopped"});
}

TEST(OutboxDomainOptions, AreCheckedByTheConstructorOfTheOutbox) {
  const auto problemOf = [](const ClientOptions& client) {
    OutboxOptions options;
    options.domains = {{.name = "shop", .client = client}};
    try {
      (void)Outbox{"sqlite:unused.db", options};
    } catch (const std::invalid_argument& wrong) {
      return std::string{wrong.what()};
    }
    return std::string{};
  };
  ClientOptions client{.apiKey = "sk_test_1", .baseUrl = "http://127.0.0.1:1", .timeout = 5s};
  EXPECT_EQ(problemOf(client), "");
  client.headers = {{"authorization", "Bearer sk_test_2"}};
  EXPECT_THAT(problemOf(client), HasSubstr("Authorization"));
  client.headers.clear();
  client.maxNetworkRetries = -1;
  EXPECT_THAT(problemOf(client), HasSubstr("shop"));
  EXPECT_THAT(problemOf(client), HasSubstr("maxNetworkRetries"));
}

}  // namespace
}  // namespace tally::test

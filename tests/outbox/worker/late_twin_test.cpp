// A request of a worker that has been declared dead reaches the service after another one has sent more.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <tally/fake/sent_request.h>
#include <tally/fake/service.h>
#include <tally/outbox.h>
#include <tally/tally.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "memory/memory_store.h"
#include "outbox/failed_report.h"
#include "worker/domain_work.h"

namespace tally::test {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using Kind = OutboxEvent::Kind;

/// Keeps the first report in the network until its worker is dead.
class SlowNetwork final : public Transport {
 public:
  SlowNetwork(std::shared_ptr<Transport> inner, std::function<void(const HttpRequest&)> onReport)
      : inner_(std::move(inner)), onReport_(std::move(onReport)) {}

  TransportResult send(const HttpRequest& request, const SendLimits& limits) override {
    if (request.method != Method::post || !onReport_) return inner_->send(request, limits);
    std::exchange(onReport_, nullptr)(request);
    return TransportFailure{TransportFailure::Kind::connection, true, "the process is dead"};
  }
  [[nodiscard]] bool inProcess() const noexcept override { return true; }

 private:
  std::shared_ptr<Transport> inner_;
  std::function<void(const HttpRequest&)> onReport_;
};

/// Shows a newer attempt on every object from some time on.
class RenewedAttempts final : public Transport {
 public:
  explicit RenewedAttempts(std::shared_ptr<Transport> inner) : inner_(std::move(inner)) {}

  TransportResult send(const HttpRequest& request, const SendLimits& limits) override {
    TransportResult result = inner_->send(request, limits);
    auto* const response = std::get_if<HttpResponse>(&result);
    constexpr std::string_view field = R"("latest_payment_attempt_record":")";
    if (const auto at = response == nullptr ? std::string::npos : response->body.find(field);
        areRenewed && at != std::string::npos)
      response->body.insert(at + field.size() + 4, "next");
    return result;
  }
  [[nodiscard]] bool inProcess() const noexcept override { return true; }

  bool areRenewed = false;

 private:
  std::shared_ptr<Transport> inner_;
};

/// Does something before the first report is sent.
class InterruptedNetwork final : public Transport {
 public:
  InterruptedNetwork(std::shared_ptr<Transport> inner, std::function<void()> beforeReport)
      : inner_(std::move(inner)), beforeReport_(std::move(beforeReport)) {}

  TransportResult send(const HttpRequest& request, const SendLimits& limits) override {
    if (request.method == Method::post && beforeReport_) std::exchange(beforeReport_, nullptr)();
    return inner_->send(request, limits);
  }
  [[nodiscard]] bool inProcess() const noexcept override { return true; }

 private:
  std::shared_ptr<Transport> inner_;
  std::function<void()> beforeReport_;
};

class LateTwin : public testing::Test {
 protected:
  LateTwin() {
    domain_.client.timeout = 5s;
    options_.clock = service_.clock();
    options_.lease = 15s;
    options_.onEvent = [this](const OutboxEvent& event) { events_.push_back(event); };
    lease_->extend(service_.clock()->now() + 100h);
  }

  std::uint64_t enqueue(const std::string& sequence, const std::string& outcome = "failed") {
    OutboxReport one = failedReport(object_, "k" + sequence);
    one.report.outcome = outcome;
    one.report.metadata.set("sequence", sequence);
    if (sequence == "2") one.report.metadata.set("only_in_2", "yes");
    return store_.enqueueAll("shop", std::vector{one}, {}).value().front();
  }

  /// A worker that owns the domain, since the others are dead.
  struct Owner {
    std::unique_ptr<detail::WorkerStore> worker{};
    std::unique_ptr<detail::DomainStore> shop{};
    std::optional<Client> client{};
    std::optional<detail::DomainRun> run{};
  };
  std::unique_ptr<Owner> takeOver(const OutboxDomain& domain) {
    auto owner = std::make_unique<Owner>();
    owner->worker = store_.enroll({.host = "host", .domains = {"shop"}, .lease = 15s});
    const detail::Heartbeat heartbeat = owner->worker->beat().value();
    for (const detail::Peer& peer : heartbeat.peers)
      EXPECT_TRUE(owner->worker->declareDead(peer));
    owner->shop = owner->worker->claim("shop");
    owner->client.emplace(detail::clientOf(domain, options_, detail::pacerOf(domain), lease_));
    owner->run.emplace(*owner->client, *owner->shop, *lease_, waker_, domain, options_);
    return owner;
  }
  void work(Owner& owner, std::chrono::nanoseconds time) {
    const Instant until = service_.clock()->now() + time;
    while (service_.clock()->now() < until && !owner.run->round(stop_.get_token()))
      owner.run->wait(until);
  }

  /// The first worker dies while its report is in the network; the next one takes over and works for this
  /// long.
  void dieWhileSending(std::chrono::nanoseconds next) {
    OutboxDomain slow = domain_;
    slow.client.transport =
        std::make_shared<SlowNetwork>(domain_.client.transport, [&](const HttpRequest& request) {
          late_ = request;
          service_.clock()->advance(20s);
          next_ = takeOver(domain_);
          work(*next_, next);
        });
    first_ = takeOver(slow);
    work(*first_, 3s);
    ASSERT_NE(next_, nullptr);
  }
  void arriveLate() { EXPECT_EQ(service_.handle(late_).status, 200); }

  /// The sequence numbers of the reports that took effect.
  [[nodiscard]] std::vector<std::string> effects() const {
    std::vector<std::string> found;
    for (const fake::LoggedRequest& one : service_.requests().list())
      if (one.processed && one.request.method == Method::post)
        for (const fake::SentParam& param : fake::sentParams(one.request))
          if (param.name == "metadata[sequence]") found.push_back(param.value);
    return found;
  }
  [[nodiscard]] std::string outcomeOf(std::uint64_t report) const {
    std::string outcome;
    database_->look([&](const detail::MemoryState& state) {
      if (const auto& end = state.reports().at(report).end) outcome = end->outcome;
    });
    return outcome;
  }
  [[nodiscard]] std::size_t reads() const {
    const auto log = service_.requests().list();
    return static_cast<std::size_t>(std::ranges::count(
        log, Method::get, [](const fake::LoggedRequest& one) { return one.request.method; }));
  }
  [[nodiscard]] std::vector<std::string> findings() const {
    std::vector<std::string> found;
    database_->look([&](const detail::MemoryState& state) {
      for (const detail::LateFinding& one : state.late())
        found.push_back(std::to_string(one.report) + ": " + one.finding);
    });
    return found;
  }
  [[nodiscard]] std::size_t eventsOf(Kind kind) const {
    return static_cast<std::size_t>(std::ranges::count(events_, kind, &OutboxEvent::kind));
  }

  fake::Service service_{{.limits = false}};
  std::string key_ = service_.addAccount().sandboxKey;
  std::string object_ = service_.insert<PaymentRecord>(key_).id.str();
  std::shared_ptr<detail::MemoryDatabase> database_ =
      std::make_shared<detail::MemoryDatabase>(service_.clock());
  detail::MemoryStore store_{database_};
  OutboxDomain domain_{.name = "shop", .client = service_.clientOptions(key_)};
  OutboxOptions options_{};
  std::shared_ptr<detail::Lease> lease_ =
      std::make_shared<detail::Lease>([clock = service_.clock()] { return clock->now(); });
  detail::Waker waker_{};
  std::vector<OutboxEvent> events_{};
  StopSource stop_{};
  HttpRequest late_{};
  std::unique_ptr<Owner> first_{};
  std::unique_ptr<Owner> next_{};
};

TEST_F(LateTwin, IsFollowedByARepairWhenItUndoesALaterReport) {
  enqueue("1");
  const auto last = enqueue("2", "canceled");
  dieWhileSending(5s);
  arriveLate();
  work(*next_, 30s);
  EXPECT_THAT(effects(), ElementsAre("1", "2", "1", "2"));
  EXPECT_EQ(eventsOf(Kind::reportRepaired), 1U);
  EXPECT_THAT(findings(),
              testing::Contains(HasSubstr(std::to_string(last) +
                                          ": a late request undid it, so the report was sent again")));
}

TEST_F(LateTwin, IsFollowedByOneRepairWhenItUndoesSeveralLaterReports) {
  enqueue("1");
  enqueue("2", "canceled");
  enqueue("3");
  const auto last = enqueue("4", "canceled");
  dieWhileSending(5s);
  arriveLate();
  work(*next_, 30s);
  EXPECT_THAT(effects(), ElementsAre("1", "2", "3", "4", "1", "4"));
  EXPECT_EQ(eventsOf(Kind::reportRepaired), 1U);
  EXPECT_THAT(findings(),
              testing::Contains(HasSubstr(std::to_string(last) +
                                          ": a late request undid it, so the report was sent again")));
}

TEST_F(LateTwin, IsFollowedByARepairBeforeTheNextReportOnTheObject) {
  enqueue("1");
  enqueue("2", "canceled");
  dieWhileSending(5s);
  arriveLate();
  enqueue("3");
  work(*next_, 3s);
  EXPECT_THAT(effects(), ElementsAre("1", "2", "1", "2", "3"));
}

/// It is not known which attempt the later report was about.
TEST_F(LateTwin, CausesAnAlarmIfTheObjectWasNotReadBeforeTheLaterReport) {
  options_.readBefore = ReadBefore::never;
  enqueue("1");
  enqueue("2", "canceled");
  dieWhileSending(5s);
  arriveLate();
  work(*next_, 30s);
  EXPECT_EQ(eventsOf(Kind::reportOverwritten), 1U);
  EXPECT_THAT(effects(), ElementsAre("1", "2", "1"));
}

TEST_F(LateTwin, CausesAnAlarmIfItWasAppliedToANewerAttempt) {
  const auto attempts = std::make_shared<RenewedAttempts>(domain_.client.transport);
  domain_.client.transport = attempts;
  enqueue("1");
  dieWhileSending(5s);
  attempts->areRenewed = true;
  arriveLate();
  work(*next_, 30s);
  EXPECT_EQ(eventsOf(Kind::reportOverwritten), 1U);
  EXPECT_THAT(effects(), ElementsAre("1", "1"));  // nothing more is sent
  work(*next_, 60s);
  EXPECT_EQ(eventsOf(Kind::reportOverwritten), 1U);
}

TEST_F(LateTwin, CausesOneExtraReadIfItNeverArrives) {
  enqueue("1");
  enqueue("2", "canceled");
  dieWhileSending(5s);
  const auto before = reads();
  work(*next_, 60s);
  EXPECT_EQ(reads(), before + 1);
  EXPECT_THAT(findings(), IsEmpty());
  enqueue("3");
  work(*next_, 5s);
  EXPECT_EQ(reads(), before + 2);
}

TEST_F(LateTwin, IsFollowedByARepairFromTheSuccessorOfTheNextWorker) {
  enqueue("1");
  enqueue("2", "canceled");
  dieWhileSending(5s);
  next_->run.reset();
  next_ = takeOver(domain_);
  arriveLate();
  work(*next_, 30s);
  EXPECT_THAT(effects(), ElementsAre("1", "2", "1", "2"));
}

TEST_F(LateTwin, IsFollowedByAnImmediateRepairIfItsWorkerReportsIt) {
  const auto first = enqueue("1");
  enqueue("2", "canceled");
  dieWhileSending(60s);  // the object is no longer suspected
  arriveLate();
  first_->shop->writeLate(std::vector{detail::LateFinding{.report = first, .finding = "applied"}});
  work(*next_, 2s);
  EXPECT_THAT(effects(), ElementsAre("1", "2", "1", "2"));
}

TEST_F(LateTwin, CausesNoAlarmIfAnotherClientHasReported) {
  enqueue("1");
  dieWhileSending(5s);
  const Client client{domain_.client};
  ASSERT_TRUE(client.paymentRecords().reportCanceled(Id<PaymentRecord>{object_},
                                                     {.canceledAt = Timestamp{1'767'225'600s}}));
  work(*next_, 30s);
  EXPECT_EQ(eventsOf(Kind::reportOverwritten) + eventsOf(Kind::reportRepaired), 0U);
}

/// The service then refuses the same report, since the attempt is guaranteed.
TEST_F(LateTwin, IsRecognizedIfItArrivesJustBeforeTheReportIsSentAgain) {
  options_.readBefore = ReadBefore::never;
  const auto report = enqueue("1", "guaranteed");
  domain_.client.transport =
      std::make_shared<InterruptedNetwork>(domain_.client.transport, [this] { arriveLate(); });
  dieWhileSending(5s);
  EXPECT_EQ(outcomeOf(report), "applied");
  EXPECT_THAT(effects(), ElementsAre("1"));
}

TEST_F(LateTwin, IsRecognizedByTheNextRunIfTheWorkerIsStopped) {
  options_.readBefore = ReadBefore::never;
  const auto report = enqueue("1", "guaranteed");
  domain_.client.transport = std::make_shared<InterruptedNetwork>(domain_.client.transport, [this] {
    arriveLate();
    stop_.request_stop();
  });
  dieWhileSending(5s);
  EXPECT_EQ(outcomeOf(report), "");
  stop_ = StopSource{};
  next_->run.reset();
  next_ = takeOver(domain_);
  work(*next_, 5s);
  EXPECT_EQ(outcomeOf(report), "applied");
  EXPECT_THAT(effects(), ElementsAre("1"));
}

TEST_F(LateTwin, DoesNotHideThatTheReportIsRefused) {
  options_.readBefore = ReadBefore::never;
  const auto report = enqueue("1");
  const Client other{domain_.client};
  domain_.client.transport = std::make_shared<InterruptedNetwork>(domain_.client.transport, [&] {
    ASSERT_TRUE(other.paymentRecords().reportGuaranteed(Id<PaymentRecord>{object_},
                                                        {.guaranteedAt = Timestamp{1'767'225'600s}}));
  });
  dieWhileSending(5s);
  EXPECT_EQ(outcomeOf(report), "refused");
  EXPECT_THAT(effects(), IsEmpty());
}

}  // namespace
}  // namespace tally::test

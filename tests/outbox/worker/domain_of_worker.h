#pragma once

#include <algorithm>
#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <tally/fake/sent_request.h>
#include <tally/fake/service.h>
#include <tally/tally.h>

#include <gtest/gtest.h>

#include "memory/memory_store.h"
#include "outbox/failed_report.h"
#include "worker/domain_run.h"
#include "worker/domain_work.h"

namespace tally::test {

using namespace std::chrono_literals;
using detail::DomainRun;
using detail::MemoryFault;

/// A worker that owns `shop`, on the clock of the service.
class DomainOfWorker : public testing::Test {
 protected:
  DomainOfWorker() {
    domain_.client.timeout = 5s;
    options_.clock = service_.clock();
    options_.lease = 15s;
    options_.onEvent = [this](const OutboxEvent& event) { events_.push_back(event); };
    lease_->extend(service_.clock()->now() + 1h);
    claim();
  }

  void claim() {
    worker_ = store_.enroll({.host = "host", .domains = {"shop"}, .lease = 15s});
    const detail::Heartbeat heartbeat = worker_->beat().value();
    for (const detail::Peer& peer : heartbeat.peers)
      ASSERT_TRUE(worker_->declareDead(peer));
    shop_ = worker_->claim("shop");
    ASSERT_NE(shop_, nullptr);
    client_.emplace(detail::clientOf(domain_, options_, detail::pacerOf(domain_), lease_));
  }

  std::string record() { return service_.insert<PaymentRecord>(key_).id.str(); }
  std::uint64_t enqueue(const std::string& id, const std::string& sequence, const EnqueueOptions& how = {}) {
    OutboxReport one = failedReport(id, "k" + sequence);
    one.report.metadata.set("sequence", sequence);
    return store_.enqueueAll("shop", std::vector{one}, how).value().front();
  }
  std::uint64_t enqueueWithAttempt(const PaymentRecord& record, const std::string& sequence) {
    OutboxReport one = failedReport(record.id.str(), "k" + record.id.str() + sequence);
    one.report.metadata.set("sequence", sequence);
    one.report.attempt = record.latestPaymentAttemptRecord.str();
    return store_.enqueueAll("shop", std::vector{one}, {}).value().front();
  }
  std::uint64_t enqueueLow(const std::string& id, const std::string& sequence) {
    return enqueue(id, sequence, {.priority = ReportPriority::low});
  }

  void begin() { run_.emplace(*client_, *shop_, *lease_, waker_, domain_, options_); }
  /// Makes one round of a run, then waits for at most `most`.
  std::optional<DomainRun::End> turn(std::chrono::nanoseconds most = 1s) {
    const auto end = run_->round(stop_.get_token());
    if (!end) run_->wait(service_.clock()->now() + most);
    return end;
  }
  std::optional<DomainRun::End> turnFor(std::chrono::nanoseconds time) {
    const Instant until = service_.clock()->now() + time;
    while (service_.clock()->now() < until)
      if (const auto end = turn()) return end;
    return std::nullopt;
  }
  std::optional<DomainRun::End> work(std::chrono::nanoseconds time = 10s) {
    begin();
    return turnFor(time);
  }

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
    const auto state = database_->backup();
    const auto& end = state->reports().at(report).end;
    return end ? end->outcome : std::string{};
  }
  [[nodiscard]] std::string answerTo(std::uint64_t request) const {
    return database_->backup()->requests().at(request).answer.value_or("");
  }
  [[nodiscard]] std::size_t eventsOf(OutboxEvent::Kind kind) const {
    return static_cast<std::size_t>(std::ranges::count(events_, kind, &OutboxEvent::kind));
  }
  void fail(std::string operation, std::vector<MemoryFault> faults) {
    failing_ = std::move(operation);
    faults_ = {faults.begin(), faults.end()};
  }

  fake::Service service_{{.limits = false, .requestLog = 10'000}};
  std::string key_ = service_.addAccount().sandboxKey;
  std::size_t writes_ = 0;
  std::string failing_;
  std::function<void()> before_;  // is called before the next `failing_`
  std::deque<MemoryFault> faults_;
  std::shared_ptr<detail::MemoryDatabase> database_ = std::make_shared<detail::MemoryDatabase>(
      service_.clock(), [this](const detail::MemoryOperation& operation) {
        if (operation.name == "write") ++writes_;
        if (operation.name != failing_) return MemoryFault::none;
        if (before_) std::exchange(before_, nullptr)();
        if (faults_.empty()) return MemoryFault::none;
        const MemoryFault fault = faults_.front();
        faults_.pop_front();
        return fault;
      });
  detail::MemoryStore store_{database_};
  OutboxDomain domain_{.name = "shop", .client = service_.clientOptions(key_)};
  OutboxOptions options_;
  std::shared_ptr<detail::Lease> lease_ =
      std::make_shared<detail::Lease>([clock = service_.clock()] { return clock->now(); });
  detail::Waker waker_;
  StopSource stop_;
  std::vector<OutboxEvent> events_;
  std::unique_ptr<detail::WorkerStore> worker_;
  std::unique_ptr<detail::DomainStore> shop_;
  std::optional<Client> client_;
  std::optional<DomainRun> run_;
};

}  // namespace tally::test

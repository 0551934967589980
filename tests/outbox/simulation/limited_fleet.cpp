#include "outbox/simulation/limited_fleet.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <iterator>
#include <memory>
#include <numeric>
#include <sstream>
#include <utility>
#include <vector>

#include <tally/fake/service.h>
#include <tally/outbox.h>
#include <tally/report_all.h>
#include <tally/tally.h>

#include "memory/memory_store.h"
#include "outbox/simulation/machine.h"
#include "outbox/simulation/parked.h"
#include "worker/worker.h"

namespace tally::test {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t objectsOfDomain = 100;
constexpr std::size_t mostWaiting = 1'000;  // in each domain

/// Without a duration, since a worker in one thread sends one request at a time for all its domains.
fake::ServiceOptions serviceOptions() {
  return {.duration = 0ms, .requestLog = 0};
}

/// What an account has seen of the requests for it.
struct AccountTraffic {
  std::size_t requests = 0;
  std::map<std::string, std::size_t> refusals{};
  std::vector<Instant> effects{};

  void count(const HttpRequest& request, const TransportResult& result, Instant now) {
    ++requests;
    const auto* const response = std::get_if<HttpResponse>(&result);
    if (response == nullptr) return;
    if (response->status == 429) {
      const std::string* const reason = response->header("Service-Rate-Limited-Reason");
      ++refusals[reason != nullptr ? *reason : "lock_timeout"];
    } else if (request.method == Method::post) {
      effects.push_back(now);
    }
  }

  /// Of the second half, when domains no longer move.
  [[nodiscard]] double effectsPerSecond() const {
    const std::size_t first = effects.size() / 2;
    const std::chrono::duration<double> took = effects.back() - effects[first];
    return static_cast<double>(effects.size() - first - 1) / took.count();
  }
};

/// The way of a machine to the service. `machine`: null if it never fails.
class CountingTransport final : public Transport {
 public:
  CountingTransport(fake::Service& service, AccountTraffic& traffic, Machine* machine)
      : service_(service), traffic_(traffic), machine_(machine) {}

  TransportResult send(const HttpRequest& request, const SendLimits& /*limits*/) override {
    if (machine_ != nullptr && (machine_->isDead || machine_->isOver()))
      return TransportFailure{TransportFailure::Kind::couldNotConnect, false, "the process is dead"};
    fake::ScheduledResult result = service_.exchange(request);
    (void)service_.clock()->passUntil(result.due, {});
    traffic_.count(request, result.result, service_.clock()->now());
    if (machine_ != nullptr) machine_->pass();
    return std::move(result.result);
  }
  [[nodiscard]] bool inProcess() const noexcept override { return true; }

 private:
  fake::Service& service_;
  AccountTraffic& traffic_;
  Machine* machine_;
};

/// The reports on a domain's objects, in the order in which they are enqueued.
class ReportSequence {
 public:
  ReportSequence(fake::Service& service, const std::string& key)
      : objects_(service.insertMany(key, "payment_record", objectsOfDomain)) {}

  Report operator[](std::size_t number) const {
    return {.id = objects_[number % objects_.size()],
            .outcome = number % 2 == 0 ? "failed" : "canceled",
            .time = Timestamp{1'767'225'600s}};
  }

 private:
  std::vector<std::string> objects_;
};

LimitOverride endpointRate(std::int64_t value) {
  return {.limit = "endpoint_rate", .value = value};
}

double effectsPerSecondOfJob(std::size_t reports, std::int64_t rate) {
  fake::Service service{serviceOptions()};
  service.limits().set(endpointRate(rate));
  const std::string key = service.addAccount().liveKey;
  const ReportSequence sequence{service, key};
  std::vector<Report> all;
  for (std::size_t number = 0; number < reports; ++number)
    all.push_back(sequence[number]);
  AccountTraffic traffic;
  ClientOptions options = service.clientOptions(key);
  options.transport = std::make_shared<CountingTransport>(service, traffic, nullptr);
  options.pacer = std::make_shared<Pacer>(PacerOptions{.limits = {endpointRate(rate)}});
  (void)reportAll(Client{options}, all, {}, [](const ReportResult&) {});
  return traffic.effectsPerSecond();
}

/// A dead machine reaches no database.
detail::MemoryFault faultOfMachine(const detail::MemoryOperation& /*operation*/) {
  Machine* const machine = Machine::current();
  if (machine == nullptr) return detail::MemoryFault::none;
  machine->pass();
  return machine->isDead ? detail::MemoryFault::unavailable : detail::MemoryFault::none;
}

class LimitedFleet {
 public:
  explicit LimitedFleet(const LimitedFleetPlan& plan) : plan_(plan) {
    service_.limits().set(endpointRate(plan_.rate));
    for (std::size_t number = 0; number < plan_.domains; ++number) {
      const std::string key = service_.addAccount().liveKey;
      domains_.push_back(std::make_unique<Domain>(
          Domain{.name = "shop" + std::to_string(number), .key = key, .reports = {service_, key}}));
    }
    for (std::size_t number = 0; number < plan_.workers + plan_.kills; ++number) {
      members_.push_back(std::make_unique<Member>(Member{.machine = {service_.clock(), over_.get_token()}}));
      members_.back()->options = optionsOf(*members_.back());
      if (number < plan_.workers) members_.back()->start.request_stop();
    }
  }

  LimitedFleetResult run() {
    service_.clock()->runThreads(members_.size() + 1, [this](std::size_t thread) {
      if (thread == 0) return feed();
      work(*members_[thread - 1]);
    });
    return result();
  }

 private:
  struct Domain {
    std::string name{};
    std::string key{};
    ReportSequence reports;
    std::size_t enqueued = 0;
    AccountTraffic traffic{};
  };
  struct Member {
    Machine machine;
    StopSource start{};
    StopSource stop{};
    OutboxOptions options{};
    std::vector<std::string> owned{};
  };

  OutboxOptions optionsOf(Member& member) {
    OutboxOptions made;
    made.clock = member.machine.clock();
    made.lease = 5s;
    made.retention = 0s;
    made.onEvent = [this, &member](const OutboxEvent& event) {
      if (event.kind == OutboxEvent::Kind::domainReleased) std::erase(member.owned, event.domain);
      if (event.kind != OutboxEvent::Kind::domainClaimed) return;
      member.owned.push_back(event.domain);
      ++claims_;
    };
    for (const auto& domain : domains_) {
      OutboxDomain one{.name = domain->name, .client = service_.clientOptions(domain->key)};
      one.client.transport = std::make_shared<CountingTransport>(service_, domain->traffic, &member.machine);
      one.client.clock = made.clock;
      one.client.timeout = 2s;
      one.pacing.limits = {endpointRate(plan_.rate)};
      made.domains.push_back(std::move(one));
    }
    return made;
  }

  void work(Member& member) {
    (void)service_.clock()->waitUntil(Instant::max(), member.start.get_token());
    Machine::current() = &member.machine;
    if (!member.machine.isOver()) detail::Worker{store_, member.options}.run(member.stop.get_token());
    Machine::current() = nullptr;
  }

  void feed() {
    const Instant begin = service_.clock()->now();
    std::size_t killed = 0;
    while (!isDone()) {
      for (const auto& domain : domains_)
        enqueue(*domain);
      (void)service_.clock()->sleepUntil(service_.clock()->now() + 1s, {});
      if (killed < plan_.kills && service_.clock()->now() - begin > (killed + 1) * killInterval &&
          killOwner())
        members_[plan_.workers + killed++]->start.request_stop();
    }
    over_.request_stop();
    for (const auto& member : members_) {
      member->stop.request_stop();
      member->start.request_stop();
    }
  }

  bool isDone() {
    if (plan_.kills != 0) releaseParked(*database_, store_);
    const auto status = store_.status();
    for (std::size_t at = 0; at < status.size(); ++at)
      waiting_[status[at].domain] = status[at].waiting;
    return std::ranges::all_of(domains_, [&](const auto& domain) {
      return domain->enqueued == plan_.reports && waiting_[domain->name] == 0;
    });
  }

  void enqueue(Domain& domain) {
    std::vector<OutboxReport> reports;
    for (std::uint64_t waiting = waiting_[domain.name];
         waiting < mostWaiting && domain.enqueued < plan_.reports; ++waiting, ++domain.enqueued)
      reports.push_back({.report = domain.reports[domain.enqueued], .key = std::to_string(domain.enqueued)});
    if (!reports.empty()) (void)store_.enqueueAll(domain.name, reports, {});
  }

  bool killOwner() {
    const auto owner = std::ranges::find_if(
        members_, [](const auto& one) { return !one->machine.isDead && !one->owned.empty(); });
    if (owner == members_.end()) return false;
    (*owner)->machine.isDead = true;
    return true;
  }

  LimitedFleetResult result() {
    LimitedFleetResult made{.claims = claims_};
    double rates = 0;
    for (const auto& domain : domains_) {
      made.requests += domain->traffic.requests;
      rates += domain->traffic.effectsPerSecond();
      for (const auto& [limit, count] : domain->traffic.refusals) {
        made.refusals[limit] += count;
        made.mostRefusals = std::max(made.mostRefusals, count);
      }
    }
    made.use =
        rates / static_cast<double>(domains_.size()) / effectsPerSecondOfJob(plan_.reports, plan_.rate);
    return made;
  }

  static constexpr std::chrono::seconds killInterval{10};

  const LimitedFleetPlan plan_;
  StopSource over_{};
  fake::Service service_{serviceOptions()};
  std::vector<std::unique_ptr<Domain>> domains_{};
  std::vector<std::unique_ptr<Member>> members_{};
  std::shared_ptr<detail::MemoryDatabase> database_ =
      std::make_shared<detail::MemoryDatabase>(service_.clock(), faultOfMachine);
  detail::MemoryStore store_{database_};
  std::map<std::string, std::uint64_t> waiting_{};
  std::size_t claims_ = 0;
};

}  // namespace

std::string LimitedFleetResult::toText() const {
  std::ostringstream text;
  text << requests << " requests, use of the limit " << use << ", " << claims << " claims, refused:";
  for (const auto& [limit, count] : refusals)
    text << ' ' << limit << ' ' << count;
  text << (refusals.empty() ? " none" : "");
  return std::move(text).str();
}

LimitedFleetResult simulateLimitedFleet(const LimitedFleetPlan& plan) {
  return LimitedFleet{plan}.run();
}

}  // namespace tally::test

#include "outbox/simulation/fleet.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <sstream>
#include <utility>
#include <vector>

#include <tally/fake/sent_request.h>
#include <tally/fake/service.h>
#include <tally/outbox.h>
#include <tally/tally.h>

#include "memory/memory_store.h"
#include "outbox/simulation/machine.h"
#include "outbox/simulation/parked.h"
#include "stress/random_source.h"
#include "worker/worker.h"

namespace tally::test {
namespace {

using namespace std::chrono_literals;
using detail::MemoryFault;
using detail::MemoryOperation;

class Fleet;

/// A worker's process.
struct FleetProcess {
  Machine machine;
  StopSource start{};
  StopSource stop{};
};

/// The way to the service. A dead process sends nothing.
class FleetTransport final : public Transport {
 public:
  FleetTransport(Fleet& fleet, FleetProcess& process) : fleet_(fleet), process_(process) {}

  TransportResult send(const HttpRequest& request, const SendLimits& limits) override;
  [[nodiscard]] bool inProcess() const noexcept override { return true; }

 private:
  Fleet& fleet_;
  FleetProcess& process_;
};

/// Low enough to delay what a few workers have to send.
const LimitOverride globalRate{.limit = "global_rate", .value = 4};

class Fleet {
 public:
  explicit Fleet(const FleetPlan& plan) : plan_(plan), random_(plan.seed) {
    clock().shuffle(random_.number());
    service_.limits().set(globalRate);
    for (std::size_t domain = 0; domain < plan_.domains; ++domain) {
      domains_.push_back({.name = "shop" + std::to_string(domain), .key = service_.addAccount().sandboxKey});
      for (std::size_t object = 0; object < plan_.objects; ++object)
        domains_.back().objects.push_back(service_.insert<PaymentRecord>(domains_.back().key).id.str());
    }
    for (std::size_t one = 0; one < plan_.workers + plan_.kills; ++one) {
      processes_.push_back(
          std::make_unique<FleetProcess>(FleetProcess{{service_.clock(), over_.get_token()}}));
      Machine& machine = processes_.back()->machine;
      machine.skew = random_.oneIn(4) ? 1h : random_.upTo(100ms);
      machine.drift = static_cast<std::int64_t>(random_.below(2'000)) - 1'000;
      options_.push_back(optionsOf(*processes_.back()));
      if (one < plan_.workers) processes_.back()->start.request_stop();
    }
  }

  FleetResult run() {
    clock().runThreads(processes_.size() + 1, [this](std::size_t thread) {
      if (thread == 0) return disturbAndCheck();
      runProcess(thread - 1);
    });
    std::ostringstream history;
    for (const fake::LoggedRequest& one : log_)
      history << one << '\n';
    result_.history = std::move(history).str();
    return result_;
  }

  fake::VirtualClock& clock() { return *service_.clock(); }
  fake::Service& service() { return service_; }
  [[nodiscard]] bool isOver() const { return over_.stop_requested(); }

  /// What the network does to a request. Its report's intent must be durable, and those before it decided.
  std::optional<TransportFailure> disturb(const HttpRequest& request, bool& losesResponse) {
    if (isChaotic_ && random_.oneIn(30))
      return TransportFailure{TransportFailure::Kind::couldNotConnect, false, "no connection"};
    losesResponse = isChaotic_ && random_.oneIn(12);
    if (request.method == Method::post) checkSend(request);
    return std::nullopt;
  }

 private:
  struct Domain {
    std::string name{};
    std::string key{};
    std::vector<std::string> objects{};
  };

  OutboxOptions optionsOf(FleetProcess& process) {
    OutboxOptions made;
    made.clock = process.machine.clock();
    made.lease = 5s;
    made.gracePeriod = 1s;
    made.retryTimeout = 20s;
    made.onEvent = [this](const OutboxEvent& event) {
      if (event.kind == OutboxEvent::Kind::domainClaimed) ++claims_[event.domain];
    };
    for (const Domain& domain : domains_) {
      OutboxDomain one{.name = domain.name, .client = service_.clientOptions(domain.key)};
      one.client.transport = std::make_shared<FleetTransport>(*this, process);
      one.client.clock = made.clock;
      one.client.timeout = 2s;
      one.pacing.limits = {globalRate};
      made.domains.push_back(std::move(one));
    }
    return made;
  }

  void runProcess(std::size_t number) {
    FleetProcess& process = *processes_[number];
    (void)clock().waitUntil(Instant::max(), process.start.get_token());
    Machine::current() = &process.machine;
    while (!isOver()) {
      try {
        detail::Worker{workersStore_, options_[number]}.run(process.stop.get_token());
      } catch (const OutboxError&) {
        (void)clock().sleepUntil(clock().now() + 1s, over_.get_token());  // a supervisor starts it again
      }
    }
    Machine::current() = nullptr;
  }

  MemoryFault faultOf(const MemoryOperation& operation) {
    Machine* const machine = Machine::current();
    if (machine == nullptr) return MemoryFault::none;
    machine->pass();
    if (machine->isDead) return MemoryFault::unavailable;
    if (!isChaotic_) return MemoryFault::none;
    if (operation.writes && clock().now() < refusesWritesUntil_) return MemoryFault::unavailable;
    switch (random_.below(60)) {
      case 0:
        return MemoryFault::requestLost;
      case 1:
        return MemoryFault::replyLost;
      case 2:
        return MemoryFault::late;
      default:
        return MemoryFault::none;
    }
  }

  // ---- What happens

  void disturbAndCheck() {
    const Instant end = clock().now() + plan_.chaos;
    while (clock().now() < end) {
      (void)clock().sleepUntil(clock().now() + random_.upTo(400ms), {});
      if (random_.oneIn(2)) enqueueSome();
      if (random_.oneIn(5)) disturb();
    }
    if (backup_) failOver();
    isChaotic_ = false;
    for (int second = 0; second < 600 && !isDecided(*database_, store_); ++second)
      (void)clock().sleepUntil(clock().now() + 1s, {});
    check();
    over_.request_stop();
    for (const auto& process : processes_) {
      process->stop.request_stop();
      process->start.request_stop();
    }
  }

  void enqueueSome() {
    const Domain& domain = random_.oneOf(domains_);
    std::vector<OutboxReport> reports;
    const std::size_t count = 1 + random_.below(3);
    for (std::size_t at = 0; at < count; ++at) {
      const std::string sequence = std::to_string(++sequence_);
      OutboxReport one{.report = {.id = random_.oneOf(domain.objects),
                                  .outcome = random_.oneIn(2) ? "failed" : "canceled",
                                  .time = Timestamp{1'767'225'600s}},
                       .key = "k" + sequence};
      one.report.metadata.set("sequence", sequence);
      touched_.insert(one.report.id);
      reports.push_back(std::move(one));
    }
    if (random_.oneIn(6)) reports.push_back({});  // refused, so that the transaction is rolled back
    const auto priority = random_.oneIn(3) ? ReportPriority::low : ReportPriority::normal;
    for (int times = random_.oneIn(5) ? 2 : 1; times > 0; --times)  // repeated, as after a lost reply
      (void)store_.enqueueAll(domain.name, reports, {.priority = priority});
  }

  void disturb() {
    ++result_.disturbances;
    FleetProcess& process = *processes_[random_.below(started_)];
    switch (random_.below(8)) {
      case 0:
        if (started_ == processes_.size()) return;
        process.machine.isDead = true;
        processes_[started_++]->start.request_stop();
        return;
      case 1:
      case 2:
        process.machine.freeze = random_.upTo(12s);
        return;
      case 3:
        database_->deliver();
        return;
      case 4:
        database_->restart();
        return;
      case 5:
        refusesWritesUntil_ = clock().now() + random_.upTo(3s);
        return;
      case 6:
        lockAnObject();
        return;
      default:
        if (!plan_.failsOver) return;
        if (backup_) return failOver();
        backup_ = database_->backup();
        touched_.clear();
    }
  }

  /// As another program of the account does.
  void lockAnObject() {
    const Domain& domain = random_.oneOf(domains_);
    locks_.push_back(
        service_.holds().lockObject(domain.key, random_.oneOf(domain.objects), random_.upTo(2s)));
  }

  /// What reached the service since the backup, and is forgotten, is not known to any worker any more.
  void failOver() {
    excused_.insert(touched_.begin(), touched_.end());
    excuseForgottenIntents();
    database_->failOverTo(*std::exchange(backup_, nullptr));
  }

  /// What is about to be sent relies on an intent that was durable.
  void excuseForgottenIntents() {
    database_->look([this](const detail::MemoryState& state) {
      for (const auto& [id, report] : state.reports()) {
        const auto before = backup_->reports().find(id);
        if (before == backup_->reports().end() || before->second.intents.size() < report.intents.size())
          excused_.insert(report.object);
      }
    });
  }

  // ---- What must be true

  void violate(const std::string& object, const std::string& what) {
    if (!result_.violation.empty()) return;
    std::ostringstream text;
    text << "seed " << plan_.seed << ", " << object << ": " << what << '\n';
    for (const fake::LoggedRequest& one : service_.requests().list())
      if (one.object == object) text << one << sequenceOf(one.request) << '\n';
    database_->look([&](const detail::MemoryState& state) {
      for (const auto& [id, report] : state.reports())
        if (report.object == object)
          text << id << ' ' << report.key << ": " << report.intents.size() << " intents, "
               << (report.end ? report.end->outcome + ' ' + report.end->reason : "open") << '\n';
    });
    result_.violation = std::move(text).str();
  }

  static std::string sequenceOf(const HttpRequest& request) {
    for (const fake::SentParam& param : fake::sentParams(request))
      if (param.name == "metadata[sequence]") return 'k' + param.value;
    return {};
  }

  void checkSend(const HttpRequest& request) {
    const std::string key = sequenceOf(request);
    std::string object;
    std::string fault;
    database_->look([&](const detail::MemoryState& state) {
      const auto sent =
          std::ranges::find(state.reports(), key, [](const auto& one) { return one.second.key; });
      if (sent == state.reports().end()) return;  // a failover has forgotten it
      object = sent->second.object;
      if (sent->second.intents.empty()) fault = key + " is sent without a durable intent";
      for (const auto& [id, report] : state.reports())
        if (id < sent->first && report.object == object && !report.end)
          fault = key + " is sent while " + report.key + " is open";
    });
    touched_.insert(object);
    if (!fault.empty() && !backup_ && !excused_.contains(object)) violate(object, fault);
  }

  void check() {
    log_ = service_.requests().list();
    std::map<std::string, std::vector<std::uint64_t>> effects;  // times, by keys
    for (const fake::LoggedRequest& one : log_)
      if (one.processed && one.request.method == Method::post)
        effects[sequenceOf(one.request)].push_back(one.number);
    std::map<std::string, std::pair<std::uint64_t, std::string>> last;  // by objects
    std::vector<std::pair<std::string, std::string>> faults;
    std::set<std::string> known;
    database_->look([&](const detail::MemoryState& state) {
      result_.reports = state.reports().size();
      for (const auto& [id, report] : state.reports()) {
        known.insert(report.key);
        if (excused_.contains(report.object) && report.end) continue;
        const auto& times = effects[report.key];
        // After a failover, an object that shows another report does not show what became of this one.
        const bool mayBeUnknown = plan_.failsOver && report.end && report.end->outcome == "unknown";
        if (mayBeUnknown && times.empty()) continue;
        if (!report.end) {
          faults.emplace_back(report.object, report.key + " is not decided");
        } else if (report.end->outcome != "applied" && !mayBeUnknown) {
          faults.emplace_back(report.object, report.key + " is " + report.end->outcome);
        } else if (times.size() != 1) {
          faults.emplace_back(report.object,
                              report.key + " took effect " + std::to_string(times.size()) + " times");
        } else {
          auto& [time, key] = last[report.object];
          if (times.front() < time)
            faults.emplace_back(report.object, report.key + " took effect before " + key);
          time = times.front();
          key = report.key;
        }
      }
    });
    if (!plan_.failsOver)
      for (const auto& [key, times] : effects)
        if (!times.empty() && !known.contains(key))
          faults.emplace_back(key, "a report that was rolled back was sent");
    if (!faults.empty()) violate(faults.front().first, faults.front().second);
    checkLimits();
  }

  /// An owner does not know what its predecessor has sent a moment ago.
  void checkLimits() {
    std::map<std::string, std::size_t> refusals;  // by domains
    for (const fake::LoggedRequest& one : log_) {
      if (!one.response || one.response->status != 429) continue;
      const bool isLock = one.response->header("Service-Rate-Limited-Reason") == nullptr;
      const auto domain = std::ranges::find_if(
          domains_, [&](const Domain& of) { return std::ranges::count(of.objects, one.object) != 0; });
      ++(isLock ? result_.lockTimeouts : refusals[domain->name]);
    }
    for (const auto& [domain, count] : refusals) {
      result_.refusals += count;
      if (count > claims_[domain])
        violate(domain, std::to_string(count) + " refusals by a limit, " + std::to_string(claims_[domain]) +
                            " owners");
    }
  }

  const FleetPlan plan_;
  StopSource over_{};
  stress::RandomSource random_;
  fake::Service service_{{.seed = plan_.seed, .lockWait = 0s, .requestLog = 100'000}};
  std::shared_ptr<detail::MemoryDatabase> database_ = std::make_shared<detail::MemoryDatabase>(
      service_.clock(), [this](const MemoryOperation& operation) { return faultOf(operation); });
  detail::MemoryStore store_{database_};
  BrokenStore workersStore_{database_, plan_.broken};
  std::vector<Domain> domains_{};
  std::vector<std::unique_ptr<FleetProcess>> processes_{};
  std::vector<OutboxOptions> options_{};
  std::size_t started_ = plan_.workers;
  std::uint64_t sequence_ = 0;
  bool isChaotic_ = true;
  std::map<std::string, std::size_t> claims_{};  // by domains
  std::vector<fake::Hold> locks_{};
  Instant refusesWritesUntil_ = Instant::min();
  std::shared_ptr<const detail::MemoryState> backup_{};
  std::set<std::string> touched_{};  // objects, since the backup
  std::set<std::string> excused_{};  // objects of which commits are forgotten
  std::vector<fake::LoggedRequest> log_{};
  FleetResult result_{};
};

/// A request whose time is over, since the process was frozen before it, is not sent.
TransportResult FleetTransport::send(const HttpRequest& request, const SendLimits& limits) {
  if (process_.machine.isDead || fleet_.isOver())
    return TransportFailure{TransportFailure::Kind::couldNotConnect, false, "the process is dead"};
  if (process_.machine.clock()->now() >= limits.deadline)
    return TransportFailure{TransportFailure::Kind::timeout, false, "the time is over"};
  bool losesResponse = false;
  if (auto failure = fleet_.disturb(request, losesResponse)) return *std::move(failure);
  const fake::ScheduledResult result = fleet_.service().exchange(request);
  (void)fleet_.clock().passUntil(result.due, {});
  process_.machine.pass();
  if (losesResponse)
    return TransportFailure{TransportFailure::Kind::connection, true, "the response is lost"};
  return result.result;
}

}  // namespace

FleetResult simulateFleet(const FleetPlan& plan) {
  return Fleet{plan}.run();
}

}  // namespace tally::test

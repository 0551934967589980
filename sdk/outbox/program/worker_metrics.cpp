#include "worker_metrics.h"

#include <utility>

#include "text/exposition.h"

namespace tally::detail {

namespace {

/// Counts the requests of a domain that are in flight.
class InFlight final : public Observer {
 public:
  explicit InFlight(std::shared_ptr<std::atomic<std::int64_t>> count) : count_(std::move(count)) {}

  void on(const Event& event) noexcept override {
    if (event.kind == EventKind::attemptStarted) ++*count_;
    if (event.kind == EventKind::attemptEnded) --*count_;
  }

 private:
  std::shared_ptr<std::atomic<std::int64_t>> count_;
};

constexpr std::size_t indexOf(OutboxEvent::Kind kind) {
  return static_cast<std::size_t>(kind);
}

void addStatus(Exposition& out, const std::vector<OutboxStatus>& status) {
  const auto add = [&](std::string_view name, std::string_view help, auto valueOf) {
    out.metric(name, "gauge", help);
    for (const OutboxStatus& one : status)
      out.sample({{"domain", one.domain}}, static_cast<double>(valueOf(one)));
  };
  add("tally_outbox_waiting", "Estimated number of reports that are not decided.",
      [](const OutboxStatus& one) { return one.waiting; });
  add("tally_outbox_blocked", "Objects whose next report is parked or deferred.",
      [](const OutboxStatus& one) { return one.blocked; });
  add("tally_outbox_failed", "Refused or unknown reports that have not been retried.",
      [](const OutboxStatus& one) { return one.failed; });
  add("tally_outbox_oldest_seconds", "Age of the oldest report that is not decided.",
      [](const OutboxStatus& one) { return one.oldest.count(); });
  add("tally_outbox_paused", "1: nothing is sent until the domain is resumed.",
      [](const OutboxStatus& one) { return one.paused.empty() ? 0 : 1; });
  add("tally_outbox_unowned", "1: no worker has the key of the domain.",
      [](const OutboxStatus& one) { return one.owner.empty() ? 1 : 0; });
}

}  // namespace

WorkerMetrics::WorkerMetrics(const std::vector<std::string>& domains, std::chrono::milliseconds lease)
    : lease_(lease) {
  for (const std::string& domain : domains)
    domains_[domain];
}

void WorkerMetrics::count(const OutboxEvent& event) {
  const std::lock_guard lock{mutex_};
  const auto domain = domains_.find(event.domain);
  ++(domain == domains_.end() ? events_ : domain->second.events).at(indexOf(event.kind));
  if (domain != domains_.end()) {
    if (event.kind == Kind::domainClaimed) domain->second.isOwned = true;
    if (event.kind == Kind::domainReleased) domain->second.isOwned = false;
    return;
  }
  if (event.kind == Kind::started || event.kind == Kind::heartbeat) {
    takesPart_ = true;
    trouble_.clear();
    heartbeat_ = std::chrono::steady_clock::now();
  } else if (event.kind == Kind::stopped || event.kind == Kind::fenced) {
    takesPart_ = false;
    trouble_ = event.kind == Kind::stopped ? "it has stopped" : event.reason;
  } else if (event.kind == Kind::trouble) {
    trouble_ = event.reason;
  }
}

std::shared_ptr<Observer> WorkerMetrics::observer(const std::string& domain) const {
  return combineObservers({calls_, std::make_shared<InFlight>(domains_.at(domain).inFlight)});
}

HealthProblem WorkerMetrics::health() const {
  const std::lock_guard lock{mutex_};
  const auto reason = trouble_.empty() ? std::string{} : ": " + trouble_;
  if (!takesPart_) return "the worker is not active" + reason;
  const auto silence = std::chrono::steady_clock::now() - heartbeat_;
  if (silence <= lease_) return {};
  return "the database has answered no heartbeat for " +
         std::to_string(std::chrono::floor<std::chrono::seconds>(silence).count()) + " s" + reason;
}

/// A metric that counts events of a domain.
struct WorkerMetrics::Family {
  std::string_view name;
  std::string_view help;
  Kind kind;
};

std::string WorkerMetrics::text(const std::optional<std::vector<OutboxStatus>>& status) const {
  static constexpr std::array<std::pair<std::string_view, Kind>, 4> ends{
      {{"applied", Kind::reportApplied},
       {"refused", Kind::reportRefused},
       {"unknown", Kind::reportUnknown},
       {"canceled", Kind::reportCanceled}}};
  static constexpr std::array families{
      Family{"tally_outbox_deferred_total", "Reports that were not decided in time, and are retried later.",
             Kind::reportDeferred},
      Family{"tally_outbox_parked_total", "Reports that are not sent until they are released.",
             Kind::reportParked},
      Family{"tally_outbox_repaired_total",
             "Reports that a late request from a dead worker undid, and that were resent.",
             Kind::reportRepaired},
      Family{"tally_outbox_overwritten_total",
             "Reports that a late request from a dead worker has undone permanently and that need manual "
             "inspection.",
             Kind::reportOverwritten},
      Family{"tally_outbox_pauses_total", "Pauses, for example after a refused key.", Kind::domainPaused},
      Family{"tally_outbox_claims_total", "How many times this worker has become the owner.",
             Kind::domainClaimed},
      Family{"tally_outbox_domain_trouble_total", "Trouble with the database or the service.",
             Kind::trouble}};
  Exposition out;
  {
    const std::lock_guard lock{mutex_};
    out.metric("tally_outbox_reports_total", "counter", "Decided reports, by domain and end.");
    for (const auto& [name, domain] : domains_)
      for (const auto& [end, kind] : ends)
        out.sample({{"domain", name}, {"end", std::string{end}}},
                   static_cast<double>(domain.events.at(indexOf(kind))));
    for (const Family& family : families) {
      out.metric(family.name, "counter", family.help);
      for (const auto& [name, domain] : domains_)
        out.sample({{"domain", name}}, static_cast<double>(domain.events.at(indexOf(family.kind))));
    }
    out.metric("tally_outbox_owned", "gauge", "1: this worker sends the reports of the domain.");
    for (const auto& [name, domain] : domains_)
      out.sample({{"domain", name}}, domain.isOwned ? 1 : 0);
    out.metric("tally_outbox_requests_in_flight", "gauge", "Requests in flight, by domain.");
    for (const auto& [name, domain] : domains_)
      out.sample({{"domain", name}}, static_cast<double>(domain.inFlight->load()));
    out.single("tally_outbox_dead_peers_total", "counter", "Workers that this one has declared dead.",
               events_.at(indexOf(Kind::peerDied)));
    out.single("tally_outbox_fenced_total", "counter", "How many times this worker has been declared dead.",
               events_.at(indexOf(Kind::fenced)));
    out.single("tally_outbox_database_trouble_total", "counter", "Heartbeats without an answer.",
               events_.at(indexOf(Kind::trouble)));
  }
  out.single("tally_outbox_status_known", "gauge", "1: the status could be read from the database.",
             status ? 1 : 0);
  if (status) addStatus(out, *status);
  return std::move(out).take() + calls_->prometheusText();
}

}  // namespace tally::detail

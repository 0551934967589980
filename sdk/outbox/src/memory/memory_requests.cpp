#include <algorithm>
#include <chrono>
#include <functional>
#include <map>
#include <utility>

#include "enqueue/requested_action.h"
#include "memory/memory_state.h"

namespace tally::detail {

namespace {

std::string_view stateOf(const MemoryReport& report) {
  if (report.end) return report.end->outcome;
  if (report.parked) return "parked";
  return report.intents.empty() ? "waiting" : "sent";
}

std::string nameOf(const MemoryWorker& worker) {
  return worker.description.host + ' ' + std::to_string(worker.description.process);
}

OutboxReportStatus statusOf(const MemoryReport& report, std::string reason, Instant now) {
  return {.report = report.id,
          .domain = report.domain,
          .object = report.object,
          .key = report.key,
          .state = std::string{stateOf(report)},
          .reason = std::move(reason),
          .age = std::chrono::duration_cast<std::chrono::seconds>(now - report.enqueuedAt)};
}

/// Why nothing is sent in the domain; empty if something is.
std::string whyStopped(const MemoryDomain& domain) {
  if (domain.paused) return "the domain is paused: " + *domain.paused;
  return domain.owner ? "" : "no worker has the key of the domain";
}

}  // namespace

MemoryDomain& MemoryState::domainNamed(std::string_view domain) {
  const auto found = domains_.find(domain);
  if (found == domains_.end())
    throw OutboxError{"tally: there is no domain '" + std::string{domain} + '\'', {}};
  return found->second;
}

std::uint64_t MemoryState::ask(std::string_view action, std::uint64_t report) {
  const MemoryReport* const about = find(report);
  checkAction(action, report, about == nullptr ? std::nullopt : std::optional{stateOf(*about)});
  // checkAction() refuses a report that does not exist.
  // NOLINTNEXTLINE(clang-analyzer-core.NullDereference)
  const std::string& domain = about->domain;
  requests_.emplace(++lastRequest_,
                    MemoryRequest{.domain = domain, .report = report, .action = std::string{action}});
  domainNamed(domain).requests.insert(lastRequest_);
  notifications_.push_back(domain);
  return lastRequest_;
}

void MemoryState::pause(std::string_view domain, std::string_view reason) {
  domainNamed(domain).paused = reason;
  notifications_.emplace_back(domain);
}

void MemoryState::resume(std::string_view domain) {
  domainNamed(domain).paused.reset();
  notifications_.emplace_back(domain);
}

void MemoryState::limitWaiting(std::string_view domain, std::optional<std::uint64_t> maxWaiting) {
  domainNamed(domain).maxWaiting = maxWaiting;
}

std::uint64_t MemoryState::erase(std::string_view domain, std::string_view object) {
  MemoryDomain& in = domainNamed(domain);
  std::vector<std::uint64_t> erased;
  for (const auto& [id, report] : reports_) {
    if (report.domain != domain || report.object != object) continue;
    if (!report.end) refuseToErase(id, object);
    erased.push_back(id);
  }
  for (const std::uint64_t id : erased)
    remove(in, id);
  in.suspects.erase(std::string{object});
  return erased.size();
}

std::vector<OutboxStatus> MemoryState::status(Instant now) const {
  std::vector<OutboxStatus> all;
  for (const auto& [name, domain] : domains_) {
    OutboxStatus status{.domain = name,
                        .paused = domain.paused.value_or(""),
                        .waiting = domain.open.size(),
                        .failed = domain.failed.size()};
    if (domain.owner) status.owner = nameOf(workers_.at(*domain.owner));
    const auto waits = std::ranges::count_if(domain.due, [&](const auto& due) { return due.first > now; });
    status.blocked = domain.parked.size() + static_cast<std::uint64_t>(waits);
    if (!domain.open.empty())
      status.oldest =
          std::chrono::duration_cast<std::chrono::seconds>(now - find(*domain.open.begin())->enqueuedAt);
    all.push_back(std::move(status));
  }
  return all;
}

std::vector<OutboxReportStatus> MemoryState::failed(std::size_t limit, Instant now) const {
  std::vector<const MemoryReport*> failed;
  for (const auto& [name, domain] : domains_)
    for (const std::uint64_t id : domain.failed)
      failed.push_back(find(id));
  std::ranges::sort(failed, std::greater{},
                    [](const MemoryReport* one) { return std::pair{one->end->at, one->id}; });
  std::vector<OutboxReportStatus> all;
  for (const MemoryReport* one : failed)
    if (all.size() < limit) all.push_back(statusOf(*one, one->end->reason, now));
  return all;
}

std::vector<OutboxReportStatus> MemoryState::blocked(std::size_t limit, Instant now) const {
  std::map<std::pair<Instant, std::uint64_t>, std::string> reasons;
  const auto add = [&](std::uint64_t id, const std::string& reason) {
    reasons.try_emplace({find(id)->enqueuedAt, id}, reason);
  };
  for (const auto& [name, domain] : domains_) {
    const std::string stopped = whyStopped(domain);
    for (const std::uint64_t id : domain.parked)
      add(id, *find(id)->parked);
    for (const auto& [due, id] : domain.due)
      if (!stopped.empty())
        add(id, stopped);
      else if (due > now)
        add(id,
            "is due in " + std::to_string(std::chrono::ceil<std::chrono::seconds>(due - now).count()) + " s");
    if (stopped.empty()) continue;
    for (const auto& ready : domain.ready)
      for (const std::uint64_t id : ready)
        add(id, stopped);
  }
  std::vector<OutboxReportStatus> all;
  for (const auto& [position, reason] : reasons)
    if (all.size() < limit) all.push_back(statusOf(*find(position.second), reason, now));
  return all;
}

std::vector<OutboxRequestStatus> MemoryState::requests(std::size_t limit) const {
  std::vector<OutboxRequestStatus> all;
  for (auto at = requests_.rbegin(); at != requests_.rend() && all.size() < limit; ++at) {
    const auto& [number, request] = *at;
    all.push_back({.request = number,
                   .domain = request.domain,
                   .report = request.report,
                   .action = request.action,
                   .answer = request.answer.value_or("")});
  }
  return all;
}

}  // namespace tally::detail

#include <algorithm>

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
  requests_.emplace(++lastRequest_,
                    MemoryRequest{.domain = about->domain, .report = report, .action = std::string{action}});
  domainNamed(about->domain).requests.insert(lastRequest_);
  notifications_.push_back(about->domain);
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

}  // namespace tally::detail

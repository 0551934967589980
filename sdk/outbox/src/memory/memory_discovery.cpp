#include <algorithm>
#include <utility>

#include "memory/memory_state.h"

namespace tally::detail {

void MemoryState::withdraw(MemoryDomain& domain, const MemoryReport& head) {
  for (auto& ready : domain.ready)
    ready.erase(head.id);
  if (head.due) domain.due.erase({*head.due, head.id});
  domain.parked.erase(head.id);
}

void MemoryState::place(MemoryDomain& domain, const MemoryDomain::Object& object) {
  if (object.open.empty()) return;
  const MemoryReport& head = *find(*object.open.begin());
  if (head.parked) {
    domain.parked.insert(head.id);
  } else if (head.due) {
    domain.due.emplace(*head.due, head.id);
  } else {
    domain.ready.at(static_cast<std::size_t>(priorityOf(object))).insert(head.id);
  }
}

ReportPriority MemoryState::priorityOf(const MemoryDomain::Object& object) {
  return object.openNormal.empty() ? ReportPriority::low : ReportPriority::normal;
}

/// Once its time has come, a head waits for none.
void MemoryState::placeDue(MemoryDomain& domain, Instant now) {
  while (!domain.due.empty() && domain.due.begin()->first <= now) {
    MemoryReport& head = *find(domain.due.begin()->second);
    withdraw(domain, head);
    head.due.reset();
    place(domain, domain.objects.at(head.object));
  }
}

bool MemoryState::isHead(const MemoryReport& report) const {
  const auto& open = domains_.at(report.domain).objects.at(report.object).open;
  return !open.empty() && *open.begin() == report.id;
}

/// The report that this one sends again, if it may have been applied.
const MemoryReport* MemoryState::unknownOriginal(const MemoryReport& report) const {
  const MemoryReport* const original = find(report.retryOf);
  return original != nullptr && original->end && original->end->outcome == "unknown" ? original : nullptr;
}

bool MemoryState::mayHaveBeenSent(const MemoryReport& report) const {
  return report.id <= domains_.at(report.domain).doubtful || !report.intents.empty() ||
         unknownOriginal(report) != nullptr;
}

std::uint32_t MemoryState::deathsOf(const MemoryReport& report) const {
  return static_cast<std::uint32_t>(
      std::ranges::count_if(report.intents, [&](const MemoryReport::Intent& intent) {
        const auto death = dead_.find(intent.incarnation);
        return death != dead_.end() && death->second > report.releasedAt;
      }));
}

/// The last report that was sent on an object, if it was applied; else null.
const MemoryReport* MemoryState::shownBy(const MemoryDomain::Object& object) const {
  const MemoryReport* const head = object.open.empty() ? nullptr : find(*object.open.begin());
  if (object.lastApplied <= object.lastUnknown || (head != nullptr && mayHaveBeenSent(*head))) return nullptr;
  return find(object.lastApplied);
}

/// Of a recheck all, else the last one that was applied.
std::vector<MarkedReport> MemoryState::earlierThan(const MemoryReport& report) const {
  const bool isRecheck = report.end.has_value();
  std::vector<MarkedReport> found;
  for (auto other = reports_.find(report.id);
       other != reports_.begin() && found.size() < (isRecheck ? mostEarlierReports : 1);) {
    const MemoryReport& earlier = (--other)->second;
    if (earlier.domain == report.domain && earlier.object == report.object &&
        (isRecheck || (earlier.end && earlier.end->outcome == "applied")))
      found.push_back({.key = earlier.key, .retry = earlier.retry});
  }
  return found;
}

std::vector<Head> MemoryState::describe(const MemoryDomain& domain, std::set<std::uint64_t> heads) const {
  for (const std::uint64_t id : std::set{heads}) {
    const MemoryReport& head = *find(id);
    const MemoryReport* const shown =
        domain.suspects.contains(head.object) ? shownBy(domain.objects.at(head.object)) : nullptr;
    if (shown != nullptr) heads.insert(shown->id);
  }
  std::vector<Head> described;
  described.reserve(heads.size());
  for (const std::uint64_t id : heads)
    described.push_back(describe(*find(id)));
  return described;
}

Head MemoryState::describe(const MemoryReport& report) const {
  const MemoryDomain& domain = domains_.at(report.domain);
  const MemoryReport* const sent = report.intents.empty() ? unknownOriginal(report) : &report;
  const bool isCanceled = std::ranges::any_of(domain.requests, [&](std::uint64_t number) {
    const MemoryRequest& request = requests_.at(number);
    return request.report == report.id && request.action == "cancel";
  });
  return {.id = report.id,
          .object = report.object,
          .account = report.account,
          .key = report.key,
          .contents = report.contents,
          .priority = priorityOf(domain.objects.at(report.object)),
          .retry = report.retry,
          .isCanceled = isCanceled,
          .mayHaveBeenSent = mayHaveBeenSent(report),
          .isRecheck = report.end.has_value(),
          .before = sent != nullptr && !sent->intents.empty() ? sent->intents.front().before : std::string{},
          .deaths = deathsOf(report),
          .earlier = mayHaveBeenSent(report) ? earlierThan(report) : std::vector<MarkedReport>{}};
}

/// One to cancel a report that is not a head yet stays until it is one, and is not returned before.
std::vector<OpenRequest> MemoryState::openRequests(const MemoryDomain& domain) const {
  constexpr std::size_t atMost = 100;
  std::vector<OpenRequest> open;
  for (const std::uint64_t number : domain.requests) {
    const MemoryRequest& request = requests_.at(number);
    const bool isCancel = request.action == "cancel";
    const MemoryReport* const about = find(request.report);
    if (isCancel && about != nullptr && !about->end && !isHead(*about)) continue;
    if (open.size() == atMost) break;
    open.push_back({.id = number, .report = request.report, .isCancel = isCancel});
  }
  return open;
}

DomainNews MemoryState::read(const MemorySession& session, std::array<std::size_t, 2> atMost,
                             const HeldHeads& held, Instant now) {
  MemoryDomain& domain = hold(session);
  placeDue(domain, now);
  DomainNews news{.paused = domain.paused, .requests = openRequests(domain)};
  for (const auto& [id, priority] : held)
    if (priority == ReportPriority::low && domain.ready.front().contains(id)) news.urgent.push_back(id);
  std::set<std::uint64_t> heads;
  for (const auto& [object, time] : domain.suspects)
    if (const MemoryReport* const shown = shownBy(domain.objects.at(object)); shown != nullptr && time <= now)
      heads.insert(shown->id);
  for (std::size_t priority = 0; priority < atMost.size(); ++priority) {
    std::size_t room = atMost.at(priority);
    for (const std::uint64_t id : domain.ready.at(priority)) {
      if (held.contains(id)) continue;
      if (room == 0) {
        news.isComplete = false;
        break;
      }
      --room;
      heads.insert(id);
    }
  }
  news.heads = describe(domain, std::move(heads));
  return news;
}

}  // namespace tally::detail

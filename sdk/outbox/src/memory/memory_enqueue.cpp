#include <algorithm>
#include <utility>

#include "enqueue/enqueue_check.h"
#include "memory/memory_state.h"
#include "time/saturating.h"

namespace tally::detail {

/// A batch may contain a key twice.
std::optional<Error> MemoryState::checkKeys(std::string_view domain,
                                            std::span<const OutboxReport> reports) const {
  std::map<std::string_view, std::string> given;
  for (const OutboxReport& report : reports) {
    if (report.key.empty()) continue;
    std::string contents = canonicalText(report);
    const auto known = keys_.find({std::string{domain}, report.key});
    const auto [first, isFirst] = given.emplace(report.key, std::move(contents));
    if (known != keys_.end() && known->second.contents != first->second) return refusedKey(report.key);
    if (!isFirst && first->second != canonicalText(report)) return refusedKey(report.key);
  }
  return std::nullopt;
}

/// Not given again after commits have been forgotten, since the metadata of a report that was sent name it.
std::string MemoryState::keyOf(const OutboxReport& report) {
  return report.key.empty() ? "memory-" + std::to_string(++*neverAgain_) : report.key;
}

Result<std::vector<std::uint64_t>> MemoryState::enqueueAll(std::string_view domain,
                                                           std::span<const OutboxReport> reports,
                                                           const EnqueueOptions& options, Instant now) {
  if (auto error = checkReports(domain, reports)) return *std::move(error);
  if (auto error = checkKeys(domain, reports)) return *std::move(error);
  const std::string name{domain};
  const MemoryDomain& room = domains_.try_emplace(name, MemoryDomain{.identity = identity_}).first->second;
  if (room.maxWaiting && !reports.empty() && room.open.size() + reports.size() > *room.maxWaiting)
    return refusedDomain(domain);
  const auto due = options.notBefore
                       ? std::optional{Instant{saturatingNanoseconds(options.notBefore->time_since_epoch())}}
                       : std::nullopt;
  const std::uint64_t before = lastReport_;
  std::vector<std::uint64_t> numbers;
  for (const OutboxReport& one : reports) {
    std::string key = keyOf(one);
    const auto [known, isNew] = keys_.try_emplace({name, key}, Key{.contents = canonicalText(one)});
    if (isNew)
      known->second.report = append({.domain = name,
                                     .object = one.report.id,
                                     .account = one.connectedAccount,
                                     .key = std::move(key),
                                     .contents = one.report.toText(),
                                     .priority = options.priority,
                                     .due = due,
                                     .enqueuedAt = now});
    numbers.push_back(known->second.report);
  }
  if (lastReport_ != before) notifications_.push_back(name);
  return numbers;
}

std::uint64_t MemoryState::append(MemoryReport report) {
  report.id = ++lastReport_;
  MemoryDomain& domain = domainNamed(report.domain);
  MemoryDomain::Object& object = domain.objects[report.object];
  if (!object.open.empty()) withdraw(domain, *find(*object.open.begin()));  // it may become urgent
  object.open.insert(report.id);
  if (report.priority == ReportPriority::normal) object.openNormal.insert(report.id);
  domain.open.insert(report.id);
  reports_.emplace(report.id, std::move(report));
  place(domain, object);
  return lastReport_;
}

MemoryReport* MemoryState::find(std::uint64_t report) {
  const auto found = reports_.find(report);
  return found == reports_.end() ? nullptr : &found->second;
}

const MemoryReport* MemoryState::find(std::uint64_t report) const {
  const auto found = reports_.find(report);
  return found == reports_.end() ? nullptr : &found->second;
}

}  // namespace tally::detail

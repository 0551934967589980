#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>

#include "memory/memory_state.h"
#include "time/saturating.h"

namespace tally::detail {

namespace {

constexpr std::chrono::seconds longestAge = std::chrono::years{200};  // in nanoseconds, more would overflow

}  // namespace

/// A batch is written again if the reply to it was lost.
void MemoryState::checkOutcomes(const Batch& batch) const {
  for (const Outcome& outcome : batch.outcomes)
    if (const MemoryReport* const report = find(outcome.report);
        report != nullptr && report->end && report->end->outcome != outcome.outcome)
      throw OutboxError{
          "report " + std::to_string(outcome.report) + " has already been decided: " + report->end->outcome,
          {}};
}

MemoryReply MemoryState::write(const MemorySession& session, const Batch& batch, Instant now) {
  (void)hold(session);
  checkOutcomes(batch);
  MemoryDomain& domain = holdToWrite(session);
  for (const Intent& intent : batch.intents) {
    MemoryReport* const report = find(intent.report);
    if (report != nullptr && std::ranges::find(report->intents, session.incarnation,
                                               &MemoryReport::Intent::incarnation) == report->intents.end())
      report->intents.push_back({.incarnation = session.incarnation, .before = intent.before});
  }
  std::vector<std::string> objects;
  for (const Outcome& outcome : batch.outcomes) {
    objects.push_back(outcome.object);
    if (MemoryReport* const report = find(outcome.report); report != nullptr && !report->end)
      decide(domain, *report, {.outcome = outcome.outcome, .reason = outcome.reason, .at = now});
  }
  const auto change = [&](std::uint64_t id, const auto& how) {
    MemoryReport* const report = find(id);
    if (report == nullptr || report->end) return;
    withdraw(domain, *report);
    how(*report);
    place(domain, domain.objects.at(report->object));
  };
  for (const Deferral& deferral : batch.deferrals)
    change(deferral.report, [&](MemoryReport& report) { report.due = saturatingAdd(now, deferral.delay); });
  for (const Parking& parking : batch.parkings)
    change(parking.report, [&](MemoryReport& report) { report.parked = parking.reason; });
  suspect(domain, batch, now);
  return {.heads = readyOn(domain, objects, now), .writes = domain.writes};
}

void MemoryState::suspect(MemoryDomain& domain, const Batch& batch, Instant now) {
  for (const std::string& object : batch.rechecked)
    if (const auto one = domain.suspects.find(object); one != domain.suspects.end() && one->second <= now)
      domain.suspects.erase(one);
  for (const Suspicion& suspicion : batch.suspicions) {
    Instant& time = domain.suspects[suspicion.object];
    time = std::max(time, saturatingAdd(now, suspicion.delay));
  }
  add(batch.findings);
}

void MemoryState::add(std::span<const LateFinding> findings) {
  std::ranges::copy_if(findings, std::back_inserter(late_),
                       [&](const LateFinding& late) { return find(late.report) != nullptr; });
}

void MemoryState::decide(MemoryDomain& domain, MemoryReport& report, MemoryReport::End end) {
  MemoryDomain::Object& object = domain.objects.at(report.object);
  withdraw(domain, report);
  object.open.erase(report.id);
  object.openNormal.erase(report.id);
  domain.open.erase(report.id);
  domain.decided.emplace(end.at, report.id);
  report.parked.reset();
  report.due.reset();
  if (end.outcome == "applied") object.lastApplied = std::max(object.lastApplied, report.id);
  if (end.outcome == "unknown") object.lastUnknown = std::max(object.lastUnknown, report.id);
  if (end.outcome == "refused" || end.outcome == "unknown") domain.failed.insert(report.id);
  if (end.outcome == "canceled") canceled(domain, report);
  std::erase_if(domain.requests,
                [&](std::uint64_t number) { return requests_.at(number).answer.has_value(); });
  report.end = std::move(end);
  place(domain, object);
}

/// If the report was a retry, the original can be retried again.
void MemoryState::canceled(MemoryDomain& domain, const MemoryReport& report) {
  for (const std::uint64_t number : domain.requests)
    if (MemoryRequest& request = requests_.at(number);
        request.report == report.id && request.action == "cancel")
      request.answer = "canceled";
  MemoryReport* const original = find(report.retryOf);
  if (original == nullptr || original->retriedBy != report.id) return;
  original->retriedBy = 0;
  domain.failed.insert(original->id);
}

std::vector<Head> MemoryState::readyOn(MemoryDomain& domain, std::span<const std::string> objects,
                                       Instant now) {
  placeDue(domain, now);
  std::set<std::uint64_t> heads;
  for (const std::string& name : objects) {
    const auto object = domain.objects.find(name);
    if (object == domain.objects.end() || object->second.open.empty()) continue;
    const std::uint64_t head = *object->second.open.begin();
    if (domain.ready.at(static_cast<std::size_t>(priorityOf(object->second))).contains(head))
      heads.insert(head);
  }
  return describe(domain, std::move(heads));
}

std::string MemoryState::retry(MemoryReport& original, Instant now) {
  if (!original.end || (original.end->outcome != "refused" && original.end->outcome != "unknown"))
    return "it is neither refused nor unknown";
  if (original.retriedBy != 0) return "it has already been retried";
  MemoryDomain& domain = domainNamed(original.domain);
  if (domain.objects.at(original.object).lastApplied > original.id)
    return "a later report on the object was applied";
  MemoryReport again{.domain = original.domain,
                     .object = original.object,
                     .account = original.account,
                     .key = original.key,
                     .contents = original.contents,
                     .priority = original.priority,
                     .retry = original.retry + (original.end->outcome == "refused" ? 1U : 0U),
                     .retryOf = original.id,
                     .enqueuedAt = now};
  original.retriedBy = append(std::move(again));
  domain.failed.erase(original.id);
  return "report " + std::to_string(original.retriedBy);
}

std::string MemoryState::releaseReport(MemoryDomain& domain, MemoryReport& report) {
  if (!report.parked && !report.due) return "it is neither parked nor waiting for a time";
  const bool head = isHead(report);
  if (head) withdraw(domain, report);
  report.parked.reset();
  report.due.reset();
  report.releasedAt = ++events_;
  if (head) place(domain, domain.objects.at(report.object));
  return "released";
}

std::optional<std::string> MemoryState::carryOutOne(const MemoryRequest& request, Instant now) {
  MemoryReport* const about = find(request.report);
  if (about == nullptr) return "the report has been removed";
  if (request.action == "retry") return retry(*about, now);
  if (about->end) return "too late: it is " + about->end->outcome;
  MemoryDomain& domain = domainNamed(about->domain);
  if (request.action == "release") return releaseReport(domain, *about);
  if (!isHead(*about)) return std::nullopt;
  if (mayHaveBeenSent(*about)) return "too late: it may have been sent";
  decide(domain, *about, {.outcome = "canceled", .at = now});
  return "canceled";
}

MemoryReply MemoryState::carryOut(const MemorySession& session, std::span<const std::uint64_t> requests,
                                  Instant now) {
  MemoryDomain& domain = holdToWrite(session);
  std::vector<std::string> objects;
  for (const std::uint64_t number : std::set<std::uint64_t>{requests.begin(), requests.end()}) {
    if (!domain.requests.contains(number)) continue;
    MemoryRequest& request = requests_.at(number);
    const auto answer = carryOutOne(request, now);
    if (!answer) continue;
    request.answer = answer;
    domain.requests.erase(number);
    if (answer == "canceled") objects.push_back(find(request.report)->object);
  }
  return {.heads = readyOn(domain, objects, now), .writes = domain.writes};
}

MemoryReply MemoryState::answer(const MemorySession& session, std::uint64_t request,
                                const std::string& text) {
  MemoryDomain& domain = holdToWrite(session);
  if (domain.requests.erase(request) > 0) requests_.at(request).answer = text;
  return {.writes = domain.writes};
}

MemoryReply MemoryState::pauseOwn(const MemorySession& session, const std::string& reason) {
  MemoryDomain& domain = holdToWrite(session);
  domain.paused = reason;
  return {.writes = domain.writes};
}

MemoryReply MemoryState::maintain(const MemorySession& session, Instant now) {
  MemoryDomain& domain = holdToWrite(session);
  std::erase_if(domain.suspects, [&](const auto& suspect) {
    const MemoryDomain::Object& object = domain.objects.at(suspect.first);
    return suspect.second <= now && object.open.empty() && shownBy(object) == nullptr;
  });
  return {.writes = domain.writes};
}

/// A report whose retry is not decided stays, since its outcome says whether the retry may have been sent.
MemoryReply MemoryState::removeDecided(const MemorySession& session, std::chrono::seconds age,
                                       std::size_t limit, Instant now) {
  MemoryDomain& domain = holdToWrite(session);
  std::vector<std::uint64_t> old;
  for (const auto& [at, id] : domain.decided) {
    if (old.size() == limit || now - at <= std::clamp(age, std::chrono::seconds{0}, longestAge)) break;
    if (const MemoryReport* const retry = find(find(id)->retriedBy); retry == nullptr || retry->end)
      old.push_back(id);
  }
  for (const std::uint64_t id : old)
    remove(domain, id);
  return {.writes = domain.writes, .removed = old.size()};
}

/// Its key stays, so that a late repetition enqueues nothing.
void MemoryState::remove(MemoryDomain& domain, std::uint64_t report) {
  const MemoryReport& removed = *find(report);
  domain.decided.erase({removed.end->at, report});
  domain.failed.erase(report);
  std::erase_if(domain.requests, [&](std::uint64_t number) { return requests_.at(number).report == report; });
  std::erase_if(requests_, [&](const auto& request) { return request.second.report == report; });
  std::erase_if(late_, [&](const LateFinding& late) { return late.report == report; });
  reports_.erase(report);
}

void MemoryState::writeLate(std::span<const LateFinding> findings, Instant now) {
  for (const LateFinding& finding : findings)
    if (const MemoryReport* const report = find(finding.report); report != nullptr)
      domainNamed(report->domain).suspects.try_emplace(report->object, now);
  add(findings);
}

}  // namespace tally::detail

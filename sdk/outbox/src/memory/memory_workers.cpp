#include <algorithm>
#include <cstdio>
#include <utility>

#include "memory/memory_state.h"
#include "time/saturating.h"

namespace tally::detail {

std::string MemoryState::enroll(const WorkerDescription& description) {
  for (const std::string& domain : description.domains)
    domains_.try_emplace(domain, MemoryDomain{.identity = identity_});
  constexpr std::size_t digits = 12;
  const std::string number = std::to_string(++*neverAgain_);
  std::string incarnation =
      "00000000-0000-0000-0000-" + std::string(digits - std::min(digits, number.size()), '0') + number;
  workers_.emplace(incarnation, MemoryWorker{.description = description});
  return incarnation;
}

std::optional<std::pair<std::uint64_t, Heartbeat>> MemoryState::beat(const std::string& incarnation,
                                                                     std::uint64_t acknowledged) {
  const auto me = workers_.find(incarnation);
  if (me == workers_.end() || me->second.beat < acknowledged) {
    if (acknowledged != 0 && !dead_.contains(incarnation))
      for (auto& [name, domain] : domains_)
        doubt(domain);
    return std::nullopt;
  }
  ++me->second.beat;
  Heartbeat reply;
  for (const auto& [name, domain] : domains_)
    if (domain.owner == incarnation) reply.owned.push_back(name);
  for (const auto& [name, domain] : domains_)
    if (!domain.owner && std::ranges::count(me->second.description.domains, name) > 0)
      reply.unowned.push_back(name);
  for (const auto& [other, worker] : workers_)
    if (other != incarnation)
      reply.peers.push_back({.incarnation = other,
                             .beat = worker.beat,
                             .lease = worker.description.lease,
                             .domains = worker.description.domains});
  return std::pair{me->second.beat, std::move(reply)};
}

bool MemoryState::declareDead(const std::string& incarnation, std::uint64_t beat) {
  const auto found = workers_.find(incarnation);
  if (found == workers_.end() || found->second.beat != beat) return false;
  depart(incarnation);
  dead_.emplace(incarnation, ++events_);
  return true;
}

void MemoryState::depart(const std::string& incarnation) {
  workers_.erase(incarnation);
  for (auto& [name, domain] : domains_)
    if (domain.owner == incarnation) domain.owner.reset();
}

std::optional<MemorySession> MemoryState::claim(const std::string& domain, const std::string& incarnation,
                                                Instant now) {
  const auto found = domains_.find(domain);
  if (found == domains_.end() || found->second.owner || !workers_.contains(incarnation)) return std::nullopt;
  MemoryDomain& claimed = found->second;
  claimed.owner = incarnation;
  if (claimed.identity != identity_) claimed.doubtful = ++lastReport_;
  claimed.identity = identity_;
  // The last owner may have left something in the network as well.
  for (auto& [object, time] : claimed.suspects)
    time = std::max(time, saturatingAdd(now, workers_.at(incarnation).description.lease));
  return beginSession(claimed, domain, incarnation);
}

std::optional<MemorySession> MemoryState::beginSession(MemoryDomain& domain, const std::string& name,
                                                       const std::string& incarnation) {
  domain.session = ++*neverAgain_;
  return MemorySession{.domain = name, .incarnation = incarnation, .number = domain.session};
}

void MemoryState::giveUp(const std::string& domain, const std::string& incarnation) {
  const auto found = domains_.find(domain);
  if (found != domains_.end() && found->second.owner == incarnation) found->second.owner.reset();
}

std::optional<MemorySession> MemoryState::renew(const std::string& domain, const std::string& incarnation,
                                                std::uint64_t acknowledged) {
  const auto found = domains_.find(domain);
  if (found == domains_.end() || found->second.owner != incarnation) return std::nullopt;
  MemoryDomain& owned = found->second;
  if (owned.identity == identity_ && owned.writes >= acknowledged)
    return beginSession(owned, domain, incarnation);
  doubt(owned);
  return std::nullopt;
}

/// The next owner does.
void MemoryState::doubt(MemoryDomain& domain) {
  domain.owner.reset();
  domain.identity = 0;
}

MemoryDomain& MemoryState::hold(const MemorySession& session) {
  const auto found = domains_.find(session.domain);
  if (found == domains_.end() || found->second.owner != session.incarnation ||
      found->second.session != session.number)
    throw SessionOver{};
  return found->second;
}

MemoryDomain& MemoryState::holdToWrite(const MemorySession& session) {
  MemoryDomain& domain = hold(session);
  ++domain.writes;
  return domain;
}

}  // namespace tally::detail

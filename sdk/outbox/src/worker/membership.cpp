#include "worker/membership.h"

#include <algorithm>
#include <utility>

#include "text/fingerprint.h"

namespace tally::detail {

namespace {

constexpr int beatsPerLease = 5;

}  // namespace

Membership::Membership(WorkerStore& store, Lease& lease, std::chrono::nanoseconds duration,
                       std::vector<std::string> domains)
    : store_(store), lease_(lease), duration_(duration), domains_(std::move(domains)) {}

Membership::Plan Membership::beat() {
  const Instant sent = lease_.now();
  due_ = sent + duration_ / beatsPerLease;
  // Whoever has not looked for so long can't tell whether others were silent.
  if (answered_ && sent - *answered_ > 2 * duration_ / beatsPerLease) {
    watches_.clear();
    unowned_.clear();
  }
  const auto heartbeat = store_.beat();
  if (!heartbeat) {
    lease_.end();
    return {.isFenced = true};
  }
  answered_ = sent;
  lease_.extend(sent + duration_);
  Plan made;
  watch(heartbeat->peers, made);
  plan(*heartbeat, made);
  made.owned = heartbeat->owned;
  if (!made.died.empty()) due_ = sent;  // to take what they owned
  return made;
}

void Membership::watch(const std::vector<Peer>& peers, Plan& made) {
  const Instant now = lease_.now();
  std::map<std::string, Watch> watches;
  for (const Peer& peer : peers) {
    const auto known = watches_.find(peer.incarnation);
    const bool isSilent = known != watches_.end() && known->second.beat == peer.beat;
    const Watch& seen = watches[peer.incarnation] =
        isSilent ? known->second : Watch{.beat = peer.beat, .since = now};
    if (now - seen.since > peer.lease + peer.lease / 100 && store_.declareDead(peer))
      made.died.push_back(peer);
  }
  watches_ = std::move(watches);
}

/// Rendezvous hashing: when a worker comes or goes, only domains that it wins or had move.
std::string Membership::preferredOwner(const std::string& domain, const std::vector<Peer>& peers) const {
  const auto rank = [&](const std::string& incarnation) {
    return std::pair{fingerprint(domain + '\n' + incarnation), incarnation};
  };
  auto best = rank(store_.incarnation());
  for (const Peer& peer : peers)
    if (std::ranges::find(peer.domains, domain) != peer.domains.end())
      best = std::max(best, rank(peer.incarnation));
  return best.second;
}

/// A domain that its preferred owner does not take is taken by another worker. One that has an owner moves
/// only if that one owns more than its share, and rarely.
void Membership::plan(const Heartbeat& heartbeat, Plan& made) {
  const Instant now = lease_.now();
  std::map<std::string, Instant> unowned;
  for (const std::string& domain : heartbeat.unowned) {
    const auto known = unowned_.find(domain);
    const Instant since = unowned[domain] = known == unowned_.end() ? now : known->second;
    const bool isPreferred = preferredOwner(domain, heartbeat.peers) == store_.incarnation();
    if (isPreferred || now - since >= duration_ / 2) made.claims.push_back(domain);
  }
  unowned_ = std::move(unowned);
  const std::size_t workers = heartbeat.peers.size() + 1;
  const std::size_t share = (domains_.size() + workers - 1) / workers;
  if (heartbeat.owned.size() <= share || now < mayRelease_) return;
  for (const std::string& domain : heartbeat.owned) {
    if (preferredOwner(domain, heartbeat.peers) == store_.incarnation()) continue;
    made.release = domain;
    mayRelease_ = now + duration_;
    return;
  }
}

}  // namespace tally::detail

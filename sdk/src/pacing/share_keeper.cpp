#include "pacing/share_keeper.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "pacing/fair_share.h"
#include "time/saturating.h"

namespace tally::detail {

using std::chrono::nanoseconds;

namespace {

constexpr std::chrono::seconds interval{1};
constexpr std::chrono::milliseconds shortInterval{250};  // while it is to get more
constexpr std::chrono::milliseconds soonest{50};

/// A call that waits may be followed by many others. Without waiting calls, one unit more lets the demand
/// grow.
std::int64_t demandOf(const SharedLimit& limit) {
  const auto& [used, waiting] = limit.demand;
  if (waiting > 0) return std::min(limit.number, std::max(used + waiting, 2 * used));
  return used == 0 ? 0 : std::min(limit.number, used + std::max<std::int64_t>(used / 8, 1));
}

/// Units that nobody holds, for idle processes, which may send one request without asking.
std::int64_t reserveFor(std::int64_t idle, std::int64_t number) {
  return std::clamp<std::int64_t>(idle, 0, (number + 24) / 25);
}

}  // namespace

ShareKeeper::ShareKeeper(Pacing& pacing, std::shared_ptr<PacerShare> share, std::chrono::milliseconds lease,
                         std::chrono::milliseconds margin)
    : pacing_(pacing), share_(std::move(share)), lease_(lease), margin_(margin) {}

/// Units that others want are given up in a second exchange, as soon as the first one has shown that.
Instant ShareKeeper::refresh(const Clock& clock) {
  const std::lock_guard guard{refreshing_};
  if (exchange(clock) && wantsLess()) (void)exchange(clock);
  return nextRefresh(clock.now());
}

void ShareKeeper::leave(const Clock& clock) {
  const std::lock_guard guard{refreshing_};
  for (Kept& kept : kept_)
    kept.want = 0;
  (void)exchange(clock, true);
}

PacerShareState ShareKeeper::state() const {
  const std::lock_guard guard{mutex_};
  return state_;
}

/// A shorter time says little: units may all be used at its beginning.
void ShareKeeper::measure(Instant now) {
  if (measured_ && saturatingSince(*measured_, now) < interval) return;
  measured_ = now;
  std::vector<SharedLimit> limits = pacing_.measureShared();
  kept_.resize(limits.size());
  for (std::size_t n = 0; n < limits.size(); ++n) {
    Kept& kept = kept_[n];
    kept.limit = std::move(limits[n]);
    const std::int64_t before = std::exchange(kept.demand, demandOf(kept.limit));
    kept.want = kept.demand == 0 ? 0 : std::max(kept.demand, before);
  }
}

void ShareKeeper::plan() {
  for (Kept& kept : kept_)
    plan(kept);
}

/// Gives up units only if this process needs none, or others want more than they have. A sixteenth too many
/// is no reason.
void ShareKeeper::plan(Kept& kept) const {
  std::vector<ShareDemand> demands;
  std::int64_t held = kept.units;
  bool othersWantMore = false;
  for (const SharePart& part : kept.others) {
    held += part.units;
    othersWantMore = othersWantMore || part.want > part.units;
    if (part.want > 0) demands.push_back({.process = part.process, .want = part.want});
  }
  const auto processes = static_cast<std::int64_t>(std::max<std::size_t>(processes_.size(), 1));
  const auto active = static_cast<std::int64_t>(demands.size()) + (kept.want > 0 ? 1 : 0);
  const std::int64_t number = kept.limit.number;
  kept.total = std::max<std::int64_t>(number - reserveFor(processes - active, number), 1);
  kept.target = 0;
  if (kept.want == 0) return;
  demands.push_back({.process = process_, .want = kept.want});
  kept.target = fairShares(demands, kept.total).back();
  const bool mustGiveUp = (othersWantMore || held > kept.total) && kept.units - kept.target > kept.units / 16;
  if (!mustGiveUp) kept.target = std::max(kept.target, kept.units);
}

bool ShareKeeper::wantsLess() const {
  return std::ranges::any_of(kept_, [](const Kept& kept) { return kept.target < kept.units; });
}

/// Any part may throw, if only for lack of memory. Then the process uses what it holds until the end of the
/// lease, but no more than it has just claimed, since that may be noted.
bool ShareKeeper::exchange(const Clock& clock, bool leaving) {
  const Instant sent = clock.now();
  try {
    if (!leaving) measure(sent);
    plan();
    if (process_.empty()) process_ = share_->newProcess();
    const ShareReply reply = share_->exchange(request(sent, leaving));
    accept(reply, sent, clock.now());
    return true;
  } catch (const std::exception& problem) {
    for (Kept& kept : kept_)
      kept.units = std::min(kept.units, kept.claimed);
    (void)pacing_.setShares({}, sent);  // a lease may have ended
    const std::lock_guard guard{mutex_};
    state_.problem = problem.what();
    return false;
  }
}

ShareRequest ShareKeeper::request(Instant now, bool leaving) {
  ShareRequest request{.self = {.process = process_, .beat = ++beat_, .lease = lease_}, .leaving = leaving};
  request.vanished = vanished(now);
  const std::vector<std::int64_t> held = holdLess(now);
  for (std::size_t n = 0; n < kept_.size(); ++n) {
    Kept& kept = kept_[n];
    kept.claimed = kept.target < kept.units ? std::max(kept.target, held[n]) : kept.target;
    request.claims.push_back({.limit = kept.limit.name,
                              .total = kept.total,
                              .want = kept.want,
                              .units = kept.claimed,
                              .freedBefore = freedBefore(kept, now)});
  }
  return request;
}

/// Stops using what is to be given up. Requests in flight still have their units.
std::vector<std::int64_t> ShareKeeper::holdLess(Instant now) {
  std::vector<ShareOfLimit> shares;
  shares.reserve(kept_.size());
  for (const Kept& kept : kept_)
    shares.push_back({.units = std::min(kept.target, kept.units),
                      .noted = kept.units,
                      .until = acknowledged_ ? heldUntil() : Instant::min()});
  return pacing_.setShares(shares, now);
}

/// A process that has not read for long has not seen the beats of the others either.
std::vector<ShareProcess> ShareKeeper::vanished(Instant now) {
  if (acknowledged_ && saturatingSince(*acknowledged_, now) > nanoseconds{lease_} * 2 / 5) watched_.clear();
  std::vector<ShareProcess> gone;
  for (const ShareProcess& other : processes_) {
    const auto found = watched_.find(other.process);
    const nanoseconds lease = other.lease;
    if (found != watched_.end() && saturatingSince(found->second.since, now) > lease + lease / 100)
      gone.push_back(other);
  }
  return gone;
}

void ShareKeeper::accept(const ShareReply& reply, Instant sent, Instant received) {
  acknowledged_ = sent;
  processes_ = reply.processes;
  watch(reply.processes, received);
  for (Kept& kept : kept_)
    acceptPart(kept, reply, received);
  plan();
  (void)holdLess(received);
  const std::lock_guard guard{mutex_};
  state_ = {.processes = processes_.size(), .heldUntil = heldUntil()};
}

/// The rest of the lease is for requests that are then in flight.
Instant ShareKeeper::heldUntil() const {
  return saturatingAdd(*acknowledged_, lease_ - lease_ / 5);
}

void ShareKeeper::acceptPart(Kept& kept, const ShareReply& reply, Instant received) const {
  kept.units = 0;
  kept.others.clear();
  for (const SharePart& part : reply.parts) {
    if (part.limit != kept.limit.name) continue;
    if (part.process == process_) {
      kept.units = part.units;
    } else {
      kept.others.push_back(part);
    }
  }
  const auto pool = std::ranges::find(reply.pools, kept.limit.name, &SharePool::limit);
  if (pool == reply.pools.end()) return;
  // A database that forgot commits has a smaller count.
  if (!kept.seen.empty() && kept.seen.back().freed > pool->freed) kept.seen.clear();
  if (kept.seen.empty() || kept.seen.back().freed != pool->freed)
    kept.seen.push_back({.time = received, .freed = pool->freed});
  while (kept.seen.size() > 1 && saturatingSince(kept.seen[1].time, received) >= waitFor(kept))
    kept.seen.pop_front();
}

void ShareKeeper::watch(const std::vector<ShareProcess>& processes, Instant now) {
  std::map<std::string, Watched> watched;
  for (const ShareProcess& other : processes) {
    if (other.process == process_) continue;
    const auto known = watched_.find(other.process);
    const bool same = known != watched_.end() && known->second.beat == other.beat;
    watched[other.process] = same ? known->second : Watched{.beat = other.beat, .since = now};
  }
  watched_ = std::move(watched);
}

/// Requests in flight hold units, so those of a concurrency limit are free immediately.
nanoseconds ShareKeeper::waitFor(const Kept& kept) const {
  return kept.limit.window == nanoseconds{0} ? nanoseconds{0} : kept.limit.window + margin_;
}

/// Without any older knowledge, nothing has ever been freed.
std::int64_t ShareKeeper::freedBefore(const Kept& kept, Instant now) const {
  std::int64_t freed = 0;
  for (const Seen& seen : kept.seen)
    if (saturatingSince(seen.time, now) >= waitFor(kept)) freed = seen.freed;
  return freed;
}

/// Soon while others are to give up units for this process, and as soon as those that it has seen freed can
/// be taken.
Instant ShareKeeper::nextRefresh(Instant now) const {
  Instant next = saturatingAdd(now, interval);
  for (const Kept& kept : kept_) {
    if (kept.target <= kept.units) continue;
    next = std::min(next, saturatingAdd(now, shortInterval));
    for (const Seen& seen : kept.seen)
      if (const Instant free = saturatingAdd(seen.time, waitFor(kept)); free > now)
        next = std::min(next, free);
  }
  return std::max(next, saturatingAdd(now, soonest));
}

}  // namespace tally::detail

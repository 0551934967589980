#include "compare/lock_judge.h"

#include <algorithm>
#include <iterator>

namespace tally::fake::detail {

namespace {

using std::chrono::nanoseconds;

std::string inSeconds(nanoseconds duration) {
  const auto tenths = std::chrono::duration_cast<std::chrono::milliseconds>(duration).count() / 100;
  return std::to_string(tenths / 10) + '.' + std::to_string(tenths % 10) + " s";
}

}  // namespace

void LockJudge::differ(const Observation& seen, const std::string& id, const std::string& text) {
  findings_.differ(id, Rule::of(place("error", "lock_timeout"), "Errors"), seen.name() + ' ' + text,
                   seen.number());
}

void LockJudge::timedOut(const Observation& seen, const Timeline& ahead) {
  if (!seen.changesItsObject()) {
    differ(seen, "lock.timeout:" + seen.name(),
           "waited for a lock; in the fake, only requests that change an existing object do");
    return;
  }
  checkWait(seen);
  if (mayBeHeld(seen, ahead)) return;
  if (endedShortlyBefore(seen) || isOtherHeld(seen)) {
    differ(seen, "lock.timeout:" + seen.name(),
           "waited for a lock, but no other change to the object was in progress");
    return;
  }
  findings_.cannotJudge("lock timeouts on objects that no recorded request held", seen.number());
}

void LockJudge::checkWait(const Observation& seen) {
  const nanoseconds waited = seen.end() - seen.start();
  const nanoseconds slack = std::min<nanoseconds>(margin_, wait_ / 10);
  const auto usual = shortest_.find(seen.name());
  const nanoseconds rest = usual == shortest_.end() ? waited : usual->second;
  if (waited >= wait_ - slack && waited <= wait_ + rest + margin_) return;
  differ(seen, "lock.wait:" + seen.name(),
         "ended in a lock timeout after " + inSeconds(waited) + "; the fake waits " + inSeconds(wait_));
}

/// Whether a request may have held the object when the wait ended.
bool LockJudge::mayBeHeld(const Observation& seen, const Timeline& ahead) const {
  const Instant timeout = std::min(seen.end(), seen.start() + wait_);
  bool held = false;
  if (const auto found = holds_.find(seen.id()); found != holds_.end())
    held = std::ranges::any_of(found->second, [&](const Hold& hold) { return hold.end + margin_ > timeout; });
  ahead.visitAhead(
      [&](const Touch& touch) { held = held || (touch.id == seen.id() && touch.end + margin_ > timeout); });
  return held;
}

bool LockJudge::endedShortlyBefore(const Observation& seen) const {
  const auto found = holds_.find(seen.id());
  return found != holds_.end() && std::ranges::any_of(found->second, [&](const Hold& hold) {
           return hold.isKnown() && hold.end + wait_ > seen.start();
         });
}

/// Whether another object was held meanwhile, so that the service seems to lock more than one.
bool LockJudge::isOtherHeld(const Observation& seen) const {
  const Instant timeout = std::min(seen.end(), seen.start() + wait_);
  const auto covers = [&](const Hold& hold) {
    return hold.isKnown() && hold.start < seen.start() + margin_ && hold.end + margin_ > timeout;
  };
  return std::ranges::any_of(holds_,
                             [&](const auto& entry) { return std::ranges::any_of(entry.second, covers); });
}

/// How a request that got the lock contradicts one that held it; empty if it does not. Of a request that
/// takes long, all but the margin is spent at the service, with the lock. So two of them can't end at the
/// same time.
std::string LockJudge::brokenLock(const Observation& seen, const Hold& hold) const {
  const auto usual = shortest_.find(seen.name());
  const nanoseconds held = usual == shortest_.end() ? nanoseconds{0} : usual->second - margin_;
  const nanoseconds apart = seen.end() > hold.end ? seen.end() - hold.end : hold.end - seen.end();
  if (hold.isKnown() && seen.outcome() == Outcome::success && apart < held)
    return "changed an object while another request was changing it";
  const bool outlasts = hold.certainFrom < seen.start() && seen.start() + wait_ + margin_ < hold.certainTo;
  return outlasts ? "got a lock after waiting longer than the fake does (" + inSeconds(wait_) + ")"
                  : std::string{};
}

/// Whether a request may have waited for another one, which may have started after it.
bool LockJudge::mayHaveWaited(const Observation& seen, const Timeline& ahead) const {
  bool waited = false;
  if (const auto found = holds_.find(seen.id()); found != holds_.end())
    waited = std::ranges::any_of(found->second,
                                 [&](const Hold& hold) { return hold.end + margin_ > seen.start(); });
  ahead.visitAhead(
      [&](const Touch& touch) { waited = waited || (touch.id == seen.id() && touch.end < seen.end()); });
  return waited;
}

/// The time of a request that waited shows how long one of that operation takes at most, but not at least.
void LockJudge::noteDuration(const Observation& seen, bool waited) {
  const nanoseconds duration = seen.end() - seen.start();
  if (!waited) shortest_.try_emplace(seen.name(), duration);
  if (const auto usual = shortest_.find(seen.name()); usual != shortest_.end())
    usual->second = std::min(usual->second, duration);
}

void LockJudge::passed(const Observation& seen, const Timeline& ahead) {
  const bool waited = mayHaveWaited(seen, ahead);
  noteDuration(seen, waited);
  const auto found = holds_.find(seen.id());
  if (found != holds_.end())
    for (const Hold& hold : found->second) {
      const std::string broken = brokenLock(seen, hold);
      if (broken.empty()) continue;
      differ(seen, "lock.missing:" + seen.name(), broken);
      break;
    }
  if (seen.outcome() != Outcome::success) return;
  const nanoseconds unsure = waited ? seen.end() - seen.start() : margin_;
  add(seen, {.start = seen.start(),
             .end = seen.end(),
             .certainFrom = seen.start() + unsure,
             .certainTo = seen.end() - unsure});
}

void LockJudge::vanished(const Observation& seen) {
  add(seen, {.start = seen.start(),
             .end = seen.end() + wait_,
             .certainFrom = Instant::max(),
             .certainTo = seen.start()});
}

/// Drops what ended long ago, of all objects whenever their number has doubled.
void LockJudge::add(const Observation& seen, Hold hold) {
  const auto ended = [&](const Hold& old) { return old.end + 2 * wait_ + margin_ < seen.start(); };
  std::deque<Hold>& holds = holds_[seen.id()];
  std::erase_if(holds, ended);
  holds.push_back(hold);
  if (holds_.size() < sweepAt_) return;
  for (auto entry = holds_.begin(); entry != holds_.end();) {
    std::erase_if(entry->second, ended);
    entry = entry->second.empty() ? holds_.erase(entry) : std::next(entry);
  }
  sweepAt_ = std::max<std::size_t>(64, 2 * holds_.size());
}

}  // namespace tally::fake::detail

#include "call/read_counter.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <new>
#include <ostream>
#include <variant>

namespace [[gnu::visibility("default")]] tally {

std::ostream& operator<<(std::ostream& out, const ReadsUsed& value) {
  return out << value.own << " own, " << value.onBehalf << " on behalf, " << value.otherKeys
             << " with other keys";
}

}  // namespace tally

namespace tally::detail {

namespace {

/// Keys, accounts and limits are checked before the allocation, and a proxy checks credentials before it
/// forwards a request; any later outcome has been counted.
bool mayHaveCounted(const TransportResult& result) {
  if (const auto* failure = std::get_if<TransportFailure>(&result)) return failure->mayHaveBeenSent;
  const int status = std::get<HttpResponse>(result).status;
  return status != 401 && status != 403 && status != 407 && status != 429;
}

}  // namespace

ReadCounter::ReadCounter(const ReadsUsed& before, Instant now) : last_(now) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max() / 2;  // leaves room to count
  if (before.own > 0) own_.add(now, std::min(before.own, most));
  if (before.onBehalf > 0) onBehalf_.add(now, std::min(before.onBehalf, most));
  if (before.otherKeys > 0) otherKeys_.add(now, std::min(before.otherKeys, most));
}

ReadCounter::Window& ReadCounter::of(Payer payer) noexcept {
  if (payer == Payer::own) return own_;
  return payer == Payer::onBehalf ? onBehalf_ : otherKeys_;
}

/// Threads may arrive in another order than they read the clock, and a clock may be set back.
Instant ReadCounter::notBefore(Instant now) noexcept {
  return last_ = std::max(last_, now);
}

/// If memory runs out, the read still counts, merged with the latest ones, which then count longer.
void ReadCounter::add(Payer payer, Instant now) noexcept {
  const std::lock_guard lock{mutex_};
  const Instant time = notBefore(now);
  try {
    of(payer).add(time);
  } catch (const std::bad_alloc&) {
    of(payer).addToLast(time);
  }
}

ReadsUsed ReadCounter::used(Instant now) {
  const std::lock_guard lock{mutex_};
  const Instant time = notBefore(now);
  return {own_.count(time), onBehalf_.count(time), otherKeys_.count(time)};
}

std::optional<Error> CountedReader::read(TransportResult& result, Instant now) const {
  if (mayHaveCounted(result)) counter_.add(payer_, now);
  return reader_.read(result, now);
}

void CountedReader::abandoned(Instant now) const noexcept {
  counter_.add(payer_, now);
}

}  // namespace tally::detail

#include "attempt/backoff_delay.h"

#include <algorithm>

#include "text/random.h"
#include "time/saturating.h"

namespace tally::detail {

using std::chrono::nanoseconds;

namespace {

nanoseconds atFraction(nanoseconds duration, double fraction) {
  const double count = static_cast<double>(duration.count()) * fraction;
  // As a double, the largest count rounds up, so `>=` also catches it.
  if (count >= static_cast<double>(nanoseconds::max().count())) return nanoseconds::max();
  return nanoseconds{static_cast<nanoseconds::rep>(count)};
}

/// min(initial * 2^(number-1), cap)
nanoseconds fullDelay(const Backoff& backoff, int number) {
  const nanoseconds cap = saturatingNanoseconds(backoff.cap);
  nanoseconds full = saturatingNanoseconds(backoff.initial);
  for (int doublings = number - 1; doublings > 0 && full < cap && full > full.zero(); --doublings)
    full = saturatingAdd(full, full);
  return std::min(full, cap);
}

}  // namespace

nanoseconds backoffDelay(const Backoff& backoff, int number, std::uint64_t& random) {
  return atFraction(fullDelay(backoff, number), 0.5 + nextFraction(random) / 2);
}

nanoseconds retryAfterDelay(const Backoff& backoff, const Error& error) {
  const nanoseconds asked = saturatingNanoseconds(error.retryAfter().value_or(std::chrono::seconds{0}));
  return std::min(asked, saturatingNanoseconds(backoff.retryAfterCap));
}

}  // namespace tally::detail

#pragma once

#include <algorithm>
#include <chrono>
#include <deque>
#include <string>

#include "findings/findings.h"
#include "observed/timeline.h"
#include "text/string_map.h"

namespace tally::fake::detail {

/// Judges whether recorded requests met locked objects as those of the fake do: a request that changes an
/// object keeps it locked while it is in progress, and others wait for it. As it is not known when exactly a
/// request was in progress, only locks that last much longer than the margin are judged. Spec: "Errors".
class LockJudge {
 public:
  LockJudge(std::chrono::nanoseconds wait, std::chrono::nanoseconds margin, Findings& findings)
      : wait_(std::min<std::chrono::nanoseconds>(wait, longestWait)), margin_(margin), findings_(findings) {}

  /// A lock timeout. `ahead` has the changes that start while the request waits.
  void timedOut(const Observation& seen, const Timeline& ahead);

  /// A request that got the lock of its object, and may have changed it. `ahead` has the changes that start
  /// while it is in progress.
  void passed(const Observation& seen, const Timeline& ahead);

  /// Notes a request whose effect is unknown, because it has no response or a server failed. It may hold the
  /// lock of its object for any time.
  void vanished(const Observation& seen);

 private:
  /// Sums of times with longer waits would overflow.
  static constexpr std::chrono::years longestWait{10};

  /// A request that held an object from some time to another.
  struct Hold {
    Instant start{};
    Instant end{};
    Instant certainFrom{};
    Instant certainTo{};  // before `certainFrom` if it is not certain at all

    [[nodiscard]] bool isKnown() const noexcept { return certainFrom != Instant::max(); }
  };

  void add(const Observation& seen, Hold hold);
  [[nodiscard]] bool mayHaveWaited(const Observation& seen, const Timeline& ahead) const;
  void noteDuration(const Observation& seen, bool waited);
  [[nodiscard]] bool mayBeHeld(const Observation& seen, const Timeline& ahead) const;
  [[nodiscard]] bool endedShortlyBefore(const Observation& seen) const;
  [[nodiscard]] bool isOtherHeld(const Observation& seen) const;
  [[nodiscard]] std::string brokenLock(const Observation& seen, const Hold& hold) const;
  void checkWait(const Observation& seen);
  void differ(const Observation& seen, const std::string& id, const std::string& text);

  const std::chrono::nanoseconds wait_;
  const std::chrono::nanoseconds margin_;
  Findings& findings_;
  tally::detail::StringMap<std::deque<Hold>> holds_{};
  tally::detail::StringMap<std::chrono::nanoseconds>
      shortest_{};  // request, by operation, if one did not wait
  std::size_t sweepAt_ = 64;
};

}  // namespace tally::fake::detail

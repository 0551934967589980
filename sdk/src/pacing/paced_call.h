#pragma once

#include <optional>
#include <string_view>

#include <tally/clock.h>
#include <tally/stop_token.h>

#include "pacing/paced_request.h"
#include "pacing/pacing.h"
#include "pacing/pacing_entry.h"

namespace tally::detail {

/// The pacing of one call and its successive attempts. Holds its queue position and its units until
/// destroyed, so destroy it soon after a failed wait. Not thread-safe.
///
/// If an allocation or the clock throws, destroy it: the destructor releases everything and lets others
/// proceed. sending(), departs() and responded() do not throw.
class PacedCall {
 public:
  using Verdict = PaceVerdict;

  /// `pacing` and `operation` must outlive this.
  ///
  /// With `next`, which must outlive this too, the turn comes only once both calls may be sent: `next` then
  /// holds its units, and proceeds as soon as it asks. If a limit admits only one request per window, `next`
  /// instead waits for the following window on its own.
  PacedCall(Pacing& pacing, const AnyOperation& operation, const PacedRequest& paced,
            const HttpRequest& request, PacedCall* next = nullptr);
  PacedCall(const PacedCall&) = delete;
  PacedCall& operator=(const PacedCall&) = delete;
  /// Leaves the queue and releases all units. If the outcome of a sent request was never reported, for
  /// example because a transport threw, the request counts as one without a response that arrived at the
  /// latest time known to the pacer.
  ~PacedCall();

  /// Whether a request may be sent now, has to wait, can't be sent before `until`, or has to wait although it
  /// must not.
  [[nodiscard]] Verdict ask(Instant now, Instant until);

  /// The same after a wait.
  [[nodiscard]] Verdict askAgain(Instant now, Instant until);

  /// For a call that has to wait: leaves the queue and gives back its units, so that nobody waits for its
  /// thread while that does something else. askAgain() and await() wait again where it was in the order.
  void withdraw() noexcept;

  /// From now on, the call may wait for time to pass, but not for units that others hold.
  void waitOnlyForTime() noexcept { entry_.waitOnlyForTime(); }
  /// Whether others may wait for its units, or for those of `next`. Not while it is in the queue.
  [[nodiscard]] bool holdsUnits() const noexcept { return entry_.holdsUnits(); }
  [[nodiscard]] bool sharesPacer(const PacedCall& other) const noexcept { return &pacing_ == &other.pacing_; }

  /// While the call has to wait: requests a stop when it is to ask again.
  [[nodiscard]] StopToken wakeToken() const { return entry_.waker()->source.get_token(); }
  /// When it is to ask again at the latest; nullopt: once woken.
  [[nodiscard]] std::optional<Instant> wakeUp() const noexcept { return entry_.wakeUp(); }

  /// Waits for the turn until it comes, can't come any more, or `stop` is requested. Returns the last
  /// verdict.
  [[nodiscard]] Verdict await(Clock& clock, Instant until, const StopToken& stop);

  /// Call it when a request is sent. The request is in flight until responded().
  void sending(Instant now) noexcept;
  /// If the request departs later: without it, the pacer would take the delay for a part of the response
  /// time.
  void departs(const Clock& clock) noexcept;
  void responded(Instant now, const PacedOutcome& outcome) noexcept;

  /// The limit that the call last waited for.
  [[nodiscard]] std::string_view limit() const noexcept { return entry_.limit(); }

 private:
  PacedCall(Pacing& pacing, const AnyOperation& operation, PacedCall* next) noexcept;

  void sleep(Clock& clock, Instant until, const StopToken& stop) const;

  Pacing& pacing_;
  PacingEntry entry_;
};

}  // namespace tally::detail

#pragma once

#include <chrono>
#include <optional>
#include <stop_token>
#include <string_view>

#include <tally/clock.h>

#include "pacing/pacing.h"
#include "pacing/pacing_queue.h"

namespace tally::detail {

/// The pacing of one call and its successive attempts. Holds its queue position and its places until
/// destroyed, so destroy it soon after a failed wait. Not thread-safe.
///
/// If an allocation or the clock throws, destroy it: the destructor releases everything and lets others
/// proceed. sending() and answered() do not throw.
class PacedCall {
 public:
  enum class Verdict { go, wait, tooLong };

  /// `pacing` and `operation` must outlive this.
  ///
  /// With `next`, which must outlive this too, the turn comes only once both calls may be sent: `next` then
  /// holds its places, and proceeds as soon as it asks. If a limit admits only one request per window, `next`
  /// instead waits for the following window on its own.
  PacedCall(Pacing& pacing, const Operation& operation, const PacedRequest& paced, const HttpRequest& request,
            PacedCall* next = nullptr);
  PacedCall(const PacedCall&) = delete;
  PacedCall& operator=(const PacedCall&) = delete;
  /// Leaves the queue and releases all places. If the outcome of a sent request was never reported, for
  /// example because a transport threw, the request counts as one without a response that arrived at the
  /// latest time known to the pacer.
  ~PacedCall();

  /// Whether a request may be sent now, has to wait, or can't be sent before `until`.
  [[nodiscard]] Verdict ask(Instant now, Instant until);

  /// Waits for the turn until it comes, can no longer come before `until`, or `stop` is requested. Returns
  /// whether it came.
  [[nodiscard]] bool await(Clock& clock, Instant until, const std::stop_token& stop);

  /// Call it when a request is sent. The request is in flight until answered().
  void sending(Instant now) noexcept;
  void responded(Instant now, const PacedOutcome& outcome) noexcept;

  /// The limit that the call last waited for.
  [[nodiscard]] std::string_view limit() const noexcept { return limit_; }

 private:
  PacedCall(Pacing& pacing, const Operation& operation, PacedCall* next) noexcept;

  void addPlaces(const PacedLimit& limit, std::string_view key, std::string_view connected);
  void addPlace(const PacedAccount& account, const PacedLimit& limit, bool learns);
  void sortPlaces() noexcept;
  void takeInNext() noexcept;
  void letNextGo() noexcept;
  void share(PaceTicket::Place& place) noexcept;
  [[nodiscard]] bool bothFit() const noexcept;
  [[nodiscard]] bool isSharedInTurn(const LimitTracker& count) const noexcept;
  [[nodiscard]] Verdict verdict(Instant now, Instant until);
  [[nodiscard]] Verdict look(Instant now, Instant until);
  void sleep(Clock& clock, Instant until, const std::stop_token& stop) const;
  void settle(Instant now, const PacedOutcome& outcome) noexcept;
  [[nodiscard]] Instant arrivedBy(Instant responded) const;
  void learn(RateLimitedReason reason, Instant now) noexcept;

  Pacing& pacing_;
  const Operation& operation_;
  PacedCall* next_;                       // may be null
  bool hasNextIn_ = false;                // the ticket includes the places of `next_`
  WindowedMin* responseTimes_ = nullptr;  // of the operation
  PaceTicket ticket_{};
  std::string_view limit_{};
  std::optional<Instant> wakeUp_{};  // of the next wait; nullopt: until woken
  std::optional<Instant> sent_{};
  std::optional<std::chrono::nanoseconds> usual_{};  // response time known when it was sent
};

}  // namespace tally::detail

#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include <tally/clock.h>
#include <tally/rate_limited_reason.h>

#include "pacing/limit_tracker.h"
#include "pacing/pace_ticket.h"
#include "pacing/pacing_queue.h"
#include "time/windowed_min.h"

namespace tally::detail {

struct AnyOperation;

/// The outcome of a sent request.
struct PacedOutcome {
  bool responded = false;  // took a normal response time; a 429 may come faster
  bool counted = true;     // may have reached the service
  bool changed = true;     // may have changed something
  std::optional<RateLimitedReason> refusedBy{};
};

/// Whether a call may send now, has to wait, or would wait beyond its deadline.
enum class PaceVerdict : std::uint8_t { go, wait, tooLong };

/// One call at a Pacing: its queue position, its places, and the request that it has sent. Only Pacing calls
/// its methods, while holding its lock. Must not move.
class PacingEntry {
 public:
  /// For `next`, see PacedCall.
  PacingEntry(const AnyOperation& operation, PacingEntry* next) noexcept
      : operation_(operation), next_(next) {}
  PacingEntry(const PacingEntry&) = delete;
  PacingEntry& operator=(const PacingEntry&) = delete;
  ~PacingEntry() = default;

  [[nodiscard]] const AnyOperation& operation() const noexcept { return operation_; }

  /// Starts with room for its places and those of `next`. `responseTimes` are those of the operation.
  void begin(WindowedMin& responseTimes, std::size_t places);
  /// Call it before sortPlaces().
  void addPlace(LimitTracker& count, bool learns);
  void sortPlaces() noexcept;

  /// Requests all places, and those of `next`, unless it already has them.
  void ask(PacingQueue& lines, Instant now, PaceWoken& woken);

  /// If the call has to wait, also sets when to ask again.
  [[nodiscard]] PaceVerdict decide(Instant now, Instant until);

  /// The call has stopped sleeping.
  void wake() noexcept { ticket_.sleepsUntil = Instant::min(); }

  void send(Instant now) noexcept;
  [[nodiscard]] bool isSent() const noexcept { return sent_.has_value(); }
  /// The sent request has ended: learns from the outcome and releases all places.
  void end(Instant now, const PacedOutcome& outcome) noexcept;

  /// Leaves the queue and releases all places.
  void leave(PacingQueue& lines) noexcept;

  // For the thread of the call, which needs no lock for them.

  /// The limit that the call last waited for.
  [[nodiscard]] std::string_view limit() const noexcept { return limit_; }
  /// When to ask again; nullopt: once woken.
  [[nodiscard]] std::optional<Instant> wakeUp() const noexcept { return wakeUp_; }
  /// Ends the wait that decide() demands.
  [[nodiscard]] const std::shared_ptr<PaceWake>& waker() const noexcept { return ticket_.wake; }

 private:
  void takeInNext(PacingQueue& lines) noexcept;
  void letNextGo() noexcept;
  void share(PaceTicket::Place& place) noexcept;
  [[nodiscard]] bool bothFit() const noexcept;
  [[nodiscard]] bool isSharedInTurn(const LimitTracker& count) const noexcept;
  [[nodiscard]] Instant arrivedBy(Instant responded) const;
  void learn(RateLimitedReason reason, Instant now) noexcept;

  const AnyOperation& operation_;
  PacingEntry* next_;                     // may be null
  bool hasNextIn_ = false;                // the ticket includes the places of `next_`
  WindowedMin* responseTimes_ = nullptr;  // of the operation
  PaceTicket ticket_{};
  std::string_view limit_{};
  std::optional<Instant> wakeUp_{};
  std::optional<Instant> sent_{};
  std::optional<std::chrono::nanoseconds> usual_{};  // response time known when it was sent
};

}  // namespace tally::detail

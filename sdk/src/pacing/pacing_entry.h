#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include <tally/clock.h>

#include "pacing/limit_tracker.h"
#include "pacing/pace_ticket.h"
#include "pacing/paced_request.h"
#include "pacing/pacing_queue.h"
#include "pacing/reservation.h"
#include "time/windowed_min.h"

namespace tally::detail {

struct AnyOperation;

/// Whether a call may send now, has to wait, would certainly wait beyond its deadline, or must not wait.
enum class PaceVerdict : std::uint8_t { go, wait, tooLong, mustNotWait };

/// One call at a Pacing: its queue position, its units, and the request that it has sent. Only Pacing calls
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

  /// Starts with room for its units. `responseTimes` are those of the operation.
  void begin(WindowedMin& responseTimes, std::size_t units);
  /// Call it before sortUnits().
  void addUnit(LimitTracker& count) { units_.add(count); }
  /// The same for the counts of a connected account and of the platform that acts for it.
  void addUnits(LimitTracker& connected, LimitTracker& platform) { units_.add(connected, platform); }
  void sortUnits() noexcept { units_.sort(); }

  /// Requests all units, and those of `next`, unless it already has them.
  void ask(PacingQueue& lines, Instant now, PaceWoken& woken);

  /// If the call has to wait, also sets when to ask again.
  [[nodiscard]] PaceVerdict decide(PacingQueue& lines, Instant now, Instant until, PaceWoken& woken);

  /// The call has stopped sleeping.
  void wake() noexcept { ticket_.sleepsUntil = Instant::min(); }

  /// Leaves the queue and gives back all units, until rejoin().
  void withdraw(PacingQueue& lines) noexcept { lines.withdraw(ticket_); }
  /// After withdraw(), waits again where it was in the order.
  void rejoin(PacingQueue& lines, Instant now, PaceWoken& woken) noexcept;

  void send(Instant now) noexcept;
  [[nodiscard]] bool isSent() const noexcept { return sent_.has_value(); }
  /// The sent request has ended: learns from the outcome and releases all units.
  void end(Instant now, const PacedOutcome& outcome) noexcept;

  /// Leaves the queue and releases all units.
  void leave(PacingQueue& lines) noexcept;

  // For the thread of the call, which needs no lock for them.

  /// From now on, it may wait for time to pass, but not for units that others hold.
  void waitOnlyForTime() noexcept { waitsOnlyForTime_ = true; }
  /// After send(): the request departs only now.
  void depart(Instant now) noexcept { departed_ = now; }
  /// Whether it or `next` holds units. Not while it is in a queue.
  [[nodiscard]] bool holdsUnits() const noexcept {
    return units_.holdsAny() || (next_ != nullptr && next_->units_.holdsAny());
  }
  /// The limit that the call last waited for.
  [[nodiscard]] std::string_view limit() const noexcept { return limit_; }
  /// When to ask again, at the latest at the deadline; nullopt: once woken.
  [[nodiscard]] std::optional<Instant> wakeUp() const noexcept { return wakeUp_; }
  /// Ends the wait that decide() demands.
  [[nodiscard]] const std::shared_ptr<PaceWake>& waker() const noexcept { return ticket_.wake; }

 private:
  void takeInNext(PacingQueue& lines, Instant now) noexcept;
  [[nodiscard]] bool isTooLong(Instant now, Instant until);
  [[nodiscard]] Instant arrivedBy(Instant responded) const;

  const AnyOperation& operation_;
  PacingEntry* next_;                     // may be null
  WindowedMin* responseTimes_ = nullptr;  // of the operation
  Reservation units_{};
  PaceTicket ticket_{units_};
  std::string_view limit_{};
  std::optional<Instant> wakeUp_{};
  bool waitsOnlyForTime_ = false;
  std::optional<Instant> sent_{};
  Instant departed_{};                               // which may be later
  std::optional<std::chrono::nanoseconds> usual_{};  // response time known when it was sent
};

}  // namespace tally::detail

#pragma once

#include <chrono>
#include <optional>
#include <stop_token>
#include <string_view>

#include <tally/clock.h>

#include "pace_lines.h"
#include "pacing.h"

namespace tally::detail {

/// The requests of one call, one after the other, to a pacer. It keeps its place in a line, and those that it
/// has, until it goes; so it goes soon after a wait that came to nothing. Not thread-safe.
///
/// Where an allocation or the clock throws, this only has to go: the destructor undoes everything, and allows
/// others to go on. sending() and answered() do not throw.
class PacedCall {
 public:
  enum class Verdict { go, wait, tooLong };

  /// `pacing` and `operation` outlive this.
  PacedCall(Pacing& pacing, const Operation& operation, const PacedRequest& paced,
            const HttpRequest& request);
  PacedCall(const PacedCall&) = delete;
  PacedCall& operator=(const PacedCall&) = delete;
  /// Leaves its line and gives back all places. A request that was sent, and of which nobody said what became
  /// of it, as when a transport throws, counts as one whose answer was lost: it may have reached the service
  /// at the latest time that the pacer knows of.
  ~PacedCall();

  /// Whether a request may go at once, has to wait, or can't have its turn before `until`.
  [[nodiscard]] Verdict ask(Instant now, Instant until);

  /// Waits for the turn, as long as it may come before `until` and no `stop` is requested. Whether it came.
  [[nodiscard]] bool await(Clock& clock, Instant until, const std::stop_token& stop);

  /// The request goes out. Until answered() it counts as under way.
  void sending(Instant now) noexcept;
  void answered(Instant now, const PacedOutcome& outcome) noexcept;

  /// The limit that it waits for.
  [[nodiscard]] std::string_view limit() const noexcept { return limit_; }

 private:
  PacedCall(Pacing& pacing, const Operation& operation) noexcept;

  void addPlaces(const PacedRequest& paced, const PacedAccount& account, bool learns);
  [[nodiscard]] Verdict verdict(Instant now, Instant until);
  [[nodiscard]] Verdict look(Instant now, Instant until);
  void sleep(Clock& clock, Instant until, const std::stop_token& stop) const;
  void settle(Instant now, const PacedOutcome& outcome) noexcept;
  [[nodiscard]] Instant arrivedBy(Instant answered) const;
  void learn(RateLimitedReason reason, Instant now) noexcept;

  Pacing& pacing_;
  const Operation& operation_;
  LeastLately* answerTimes_ = nullptr;  // of the operation
  PaceTicket ticket_{};
  std::string_view limit_{};
  std::optional<Instant> wakeUp_{};  // of the wait that comes next; nothing: when woken
  std::optional<Instant> sent_{};
  std::optional<std::chrono::nanoseconds> usual_{};  // how long an answer took, as was known when it was sent
};

}  // namespace tally::detail

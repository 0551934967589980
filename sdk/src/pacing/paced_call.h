#pragma once

#include <chrono>
#include <optional>
#include <stop_token>
#include <string_view>

#include <tally/clock.h>

#include "pacing/pace_lines.h"
#include "pacing/pacing.h"

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
  ///
  /// With `next`, which outlives this too, the turn comes only once both may go: `next` then has its places,
  /// and goes at once when it asks. But where a limit lets a single request through in its window, `next`
  /// has to wait for the following one, and asks for itself.
  PacedCall(Pacing& pacing, const Operation& operation, const PacedRequest& paced, const HttpRequest& request,
            PacedCall* next = nullptr);
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
  PacedCall(Pacing& pacing, const Operation& operation, PacedCall* next) noexcept;

  void addPlaces(const PacedLimit& limit, std::string_view key, std::string_view connected);
  void addPlace(const PacedAccount& account, const PacedLimit& limit, bool learns);
  void sortPlaces() noexcept;
  void takeInNext() noexcept;
  void letNextGo() noexcept;
  void share(PaceTicket::Place& place) noexcept;
  [[nodiscard]] bool bothFit() const noexcept;
  [[nodiscard]] bool isSharedInTurn(const PacedCount& count) const noexcept;
  [[nodiscard]] Verdict verdict(Instant now, Instant until);
  [[nodiscard]] Verdict look(Instant now, Instant until);
  void sleep(Clock& clock, Instant until, const std::stop_token& stop) const;
  void settle(Instant now, const PacedOutcome& outcome) noexcept;
  [[nodiscard]] Instant arrivedBy(Instant answered) const;
  void learn(RateLimitedReason reason, Instant now) noexcept;

  Pacing& pacing_;
  const Operation& operation_;
  PacedCall* next_;                     // null: none
  bool hasNextIn_ = false;              // the places of `next_` are in the ticket
  LeastLately* answerTimes_ = nullptr;  // of the operation
  PaceTicket ticket_{};
  std::string_view limit_{};
  std::optional<Instant> wakeUp_{};  // of the wait that comes next; nothing: when woken
  std::optional<Instant> sent_{};
  std::optional<std::chrono::nanoseconds> usual_{};  // how long an answer took, as was known when it was sent
};

}  // namespace tally::detail

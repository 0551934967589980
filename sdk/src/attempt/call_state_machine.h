#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include <tally/clock.h>
#include <tally/error.h>
#include <tally/options.h>
#include <tally/retry_policy.h>

#include "attempt/retry_tokens.h"
#include "form/validation.h"

namespace tally::detail {

/// The limits and rules for the attempts of one call.
struct AttemptRules {
  int maxNetworkRetries = 0;
  bool retryRateLimited = false;
  Backoff backoff{};
  const RetryPolicy* policy = nullptr;  // decides in place of the above
  std::optional<int> mostRetries{};     // by the policy, if the call sets that
  std::chrono::nanoseconds timeout{};   // of one attempt
  std::optional<Instant> deadline{};    // of the whole call
  bool queued = false;                  // wait for earlier calls on the same object
  bool paced = false;                   // each attempt waits for the pacer
  bool bounded = false;                 // each attempt waits for room among the requests in flight
  bool lookedUp = false;  // a lookup before each retry shows that earlier attempts had no effect
};

/// Decides the next step of a call from what has happened and when. Reads no clock, waits for nothing and
/// sends nothing, so any driver can carry out the steps: one that blocks a thread, or one driven by events.
///
/// Each step begins a phase. The driver carries out the step and reports its outcome, which is one event and
/// leads to the next step. Any other order of events is an error of the driver, and an assertion fails.
///
///     | phase      | begun by     | next event                                                     |
///     |------------|--------------|----------------------------------------------------------------|
///     | notStarted | construction | start, canceled                                                |
///     | queued     | Queue        | turnCame, turnDidNotCome, queueFull, mustNotWait, cannotWait,  |
///     |            |              | canceled                                                       |
///     | throttled  | Pace         | paced, paceTooLong, mustNotWait, cannotWait, canceled          |
///     | admission  | Admit        | admitted, heldBack, notAdmitted, canceled                      |
///     | inFlight   | Send         | succeeded, failed, notSent                                     |
///     | backoff    | Wait         | waited, canceled                                               |
///     | ended      | Done         | none                                                           |
///
/// A stop request in flight is reported as `failed`, with the error that tells whether the request may have
/// had an effect. The call then has ended; a response that arrives later is no event. The object may be
/// destroyed in any phase.
class CallStateMachine {
 public:
  enum class Phase : std::uint8_t { notStarted, queued, throttled, admission, inFlight, backoff, ended };

  /// Wait for the turn among calls on the same object; give up at `until`.
  struct Queue {
    Instant until{};
  };
  /// Wait for the pacer; give up at `until`.
  struct Pace {
    Instant until{};
  };
  /// Wait for room among the requests in flight; give up at `until`.
  struct Admit {
    Instant until{};
  };
  /// Send the request; give up at `until`.
  struct Send {
    Instant from{};
    Instant until{};
  };
  /// Wait before a retry.
  struct Wait {
    Instant until{};
  };
  /// The call has ended, successfully if there is no error.
  struct Done {
    std::optional<Error> error{};
  };
  using Step = std::variant<Queue, Pace, Admit, Send, Wait, Done>;

  /// `tokens` must outlive this.
  CallStateMachine(const AttemptRules& rules, std::string_view operation, std::uint64_t jitterSeed,
                   RetryTokens& tokens)
      : rules_(rules), operation_(operation), random_(jitterSeed), tokens_(tokens) {}

  CallStateMachine(const CallStateMachine&) = delete;
  CallStateMachine& operator=(const CallStateMachine&) = delete;
  ~CallStateMachine() { giveTokenBack(); }

  [[nodiscard]] Step start(Instant now);
  [[nodiscard]] Step turnCame(Instant now);
  [[nodiscard]] Step turnDidNotCome();
  [[nodiscard]] Step queueFull();
  /// The calls that it would wait for may wait for an enclosing call.
  [[nodiscard]] Step mustNotWait();
  /// The thread must not wait for a turn, nor for the pacer.
  [[nodiscard]] Step cannotWait();
  [[nodiscard]] Step paced(Instant now);
  /// That limit admits no request before the deadline.
  [[nodiscard]] Step paceTooLong(std::string_view limit);
  [[nodiscard]] Step admitted(Instant now);
  /// A limit of the pacer has closed since the call passed it.
  [[nodiscard]] Pace heldBack();
  [[nodiscard]] Step notAdmitted();
  [[nodiscard]] Step succeeded();
  [[nodiscard]] Step failed(Instant now, const Error& error);
  /// The caller does not make the attempt, for this reason. The call ends, whatever the retry policy
  /// decides.
  [[nodiscard]] Step gaveUp(const Error& reason);
  /// The request could not be given a key. The attempt counts as not made.
  [[nodiscard]] Step notSent(const ParameterFault& fault);
  [[nodiscard]] Step waited(Instant now);
  /// The caller has requested a stop; nothing is in flight.
  [[nodiscard]] Step canceled();

  [[nodiscard]] Phase phase() const noexcept { return phase_; }

  /// Requests sent so far.
  [[nodiscard]] int made() const noexcept { return made_; }

  /// The error of the last attempt that was to be retried.
  [[nodiscard]] std::optional<Error> lastError() const { return last_ ? end(*last_).error : std::nullopt; }

 private:
  /// Begins the phase of a step.
  Step enter(Step step) noexcept;
  [[nodiscard]] Step attempt(Instant now);
  [[nodiscard]] Step admit(Instant now);
  [[nodiscard]] Step send(Instant now);
  [[nodiscard]] Done atDeadline() const;
  void unmake() noexcept;
  [[nodiscard]] Step afterFailure(Instant now, const Error& error);
  [[nodiscard]] Step retry(Instant now, const Error& error, std::chrono::nanoseconds wait);
  void giveTokenBack() noexcept;
  [[nodiscard]] bool isSafeToRetry(const Error& error) const;
  [[nodiscard]] bool retriesByDefault(const Error& error) const;
  [[nodiscard]] std::optional<std::chrono::nanoseconds> waitByDefault(const Error& error);
  [[nodiscard]] std::optional<std::chrono::nanoseconds> waitBeforeRetry(Instant now, const Error& error);
  [[nodiscard]] bool past(Instant time) const { return rules_.deadline && time >= *rules_.deadline; }
  [[nodiscard]] Done end(const Error& error) const;
  [[nodiscard]] Done endAs(ErrorKind kind, const std::string& message) const;

  AttemptRules rules_;
  std::string_view operation_;
  std::uint64_t random_;
  RetryTokens& tokens_;
  Phase phase_ = Phase::notStarted;
  bool hasToken_ = false;   // for a retry that has not been sent yet
  bool tookToken_ = false;  // for the attempt in flight
  int made_ = 0;
  Effect effect_ = Effect::none;  // of all attempts combined
  std::optional<Error> last_{};
};

}  // namespace tally::detail

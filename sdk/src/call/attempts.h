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

#include "call/retry_tokens.h"

namespace tally::detail {

/// What one call may do to succeed.
struct RetryPolicy {
  int maxNetworkRetries = 0;
  bool retryRateLimited = false;
  Backoff backoff{};
  std::chrono::nanoseconds timeout{};  // of one attempt
  std::optional<Instant> deadline{};   // of the whole call
  bool queued = false;                 // behind other calls on the same object
  bool paced = false;                  // each attempt waits until limits let it through
  bool lookedUp = false;  // before each further attempt it is found out that those before had no effect
};

/// Decides what a call does next. It is told what happened and when, and answers with the next step; it reads
/// no clock, waits for nothing and sends nothing, so any kind of driver can carry the steps out.
class Attempts {
 public:
  /// Wait for the turn among the calls on the same object; give up at `until`.
  struct Queue {
    Instant until{};
  };
  /// Wait until limits let a request through; give up at `until`.
  struct Pace {
    Instant until{};
  };
  /// Send the request; give up at `until`.
  struct Send {
    Instant from{};
    Instant until{};
  };
  /// Do nothing until then.
  struct Wait {
    Instant until{};
  };
  /// The call is over: well, if there is no error.
  struct Done {
    std::optional<Error> error{};
  };
  using Step = std::variant<Queue, Pace, Send, Wait, Done>;

  /// `tokens` outlive this.
  Attempts(const RetryPolicy& policy, std::string_view operation, std::uint64_t jitterSeed,
           RetryTokens& tokens)
      : policy_(policy), operation_(operation), random_(jitterSeed), tokens_(tokens) {}

  Attempts(const Attempts&) = delete;
  Attempts& operator=(const Attempts&) = delete;
  ~Attempts() { giveTokenBack(); }

  [[nodiscard]] Step start(Instant now);
  [[nodiscard]] Step turnCame(Instant now) { return attempt(now); }
  [[nodiscard]] Step turnDidNotCome();
  [[nodiscard]] Step queueFull();
  /// The turn can't come: a call on the same object, in the course of which this one is made, has it.
  [[nodiscard]] Step turnIsTaken();
  [[nodiscard]] Step paced(Instant now) { return send(now); }
  /// The limit of that name lets none through before the deadline.
  [[nodiscard]] Step paceTooLong(std::string_view limit);
  [[nodiscard]] Step succeeded();
  [[nodiscard]] Step failed(Instant now, const Error& error);
  [[nodiscard]] Step waited(Instant now) { return attempt(now); }
  /// The caller no longer wants the call; nothing is under way.
  [[nodiscard]] Step canceled();

  /// Requests sent so far.
  [[nodiscard]] int made() const noexcept { return made_; }

  /// How the last attempt that was to be followed by another one ended.
  [[nodiscard]] std::optional<Error> lastError() const { return last_ ? end(*last_).error : std::nullopt; }

 private:
  [[nodiscard]] Step attempt(Instant now);
  [[nodiscard]] Step send(Instant now);
  [[nodiscard]] Done atDeadline() const;
  [[nodiscard]] Step retry(Instant now, const Error& error);
  void giveTokenBack() noexcept;
  [[nodiscard]] bool mayRetry(const Error& error) const;
  [[nodiscard]] std::chrono::nanoseconds nextDelay(const Error& error);
  [[nodiscard]] std::chrono::nanoseconds fullDelay() const;
  [[nodiscard]] bool past(Instant time) const { return policy_.deadline && time >= *policy_.deadline; }
  [[nodiscard]] Done end(const Error& error) const;
  [[nodiscard]] Done endAs(ErrorKind kind, const std::string& message) const;

  RetryPolicy policy_;
  std::string_view operation_;
  std::uint64_t random_;
  RetryTokens& tokens_;
  bool hasToken_ = false;  // of a retry that was not sent yet
  int made_ = 0;
  Effect effect_ = Effect::none;  // of all attempts together
  std::optional<Error> last_{};
};

}  // namespace tally::detail

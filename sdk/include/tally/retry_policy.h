#pragma once

#include <tally/detail/cpp20.h>

#include <chrono>
#include <iosfwd>
#include <optional>
#include <string_view>

#include <tally/clock.h>
#include <tally/error.h>

namespace [[gnu::visibility("default")]] tally {

/// A failed attempt that may be retried.
struct FailedAttempt {
  const Error& error;
  std::string_view operation{};       ///< Such as `payment_records.retrieve`.
  int attempt = 0;                    ///< Its number, from 1.
  Instant time{};                     ///< When it failed, on the client's clock.
  std::optional<Instant> deadline{};  ///< Of the call; empty: none.
  /// How long the client would wait without a policy, including jitter. This wait is determined by
  /// `maxNetworkRetries`, `retryRateLimited` and `backoff` in the options of the client and of the call.
  /// Empty: the client would not retry.
  std::optional<std::chrono::nanoseconds> waitByDefault{};
};

std::ostream& operator<<(std::ostream& out, const FailedAttempt& value);

/// Decides whether and when a failed attempt is retried. Set it as `ClientOptions::retryPolicy` or
/// `RequestOptions::retryPolicy`.
///
///     class Polling final : public tally::RetryPolicy {
///       std::optional<std::chrono::nanoseconds> waitBeforeRetry(
///           const tally::FailedAttempt& failed) const noexcept override {
///         if (failed.error == tally::ErrorKind::notFound && failed.attempt < 10) return 200ms;
///         return failed.waitByDefault;
///       }
///     };
///
/// These rules apply to every policy:
///
///   - It is not consulted if the attempt may have taken effect: a report whose response was lost is not sent
///     again. resolveReport() consults it only about resends that a lookup has shown to be safe.
///   - It is not consulted about a canceled call or about a request that the transport refuses to send.
///   - A wait that would overrun the deadline of the call ends the call in ErrorKind::deadlineExceeded.
///   - RequestOptions::maxNetworkRetries, if set, bounds the retries of that call.
///   - ClientOptions::retryBudget, the pacer and the mutation queue apply to each retry.
///
/// Nothing else bounds the number of retries.
///
/// A policy is called concurrently in the threads that make calls, and in the thread of an AsyncClient. It
/// must therefore be thread-safe and must not block.
class RetryPolicy {
 public:
  virtual ~RetryPolicy() = default;

  /// How long to wait before the next attempt; less than 0 counts as 0. Empty: the call ends with the error.
  [[nodiscard]] virtual std::optional<std::chrono::nanoseconds> waitBeforeRetry(
      const FailedAttempt& failed) const noexcept = 0;

 protected:
  RetryPolicy() = default;
  RetryPolicy(const RetryPolicy&) = default;
  RetryPolicy& operator=(const RetryPolicy&) = default;
};

}  // namespace tally

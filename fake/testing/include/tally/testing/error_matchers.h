#pragma once

#include <string>

#include <tally/error.h>
#include <tally/rate_limited_reason.h>
#include <tally/testing/part_matcher.h>

// Matchers of the parts of an Error, for HasError(). Each takes a value or a matcher for it.

namespace tally::testing {

using ErrorMatcher = ::testing::Matcher<const Error&>;
using TextMatcher = ::testing::Matcher<std::string>;

/// Matches the kind of the error.
inline ErrorMatcher WithKind(const ::testing::Matcher<ErrorKind>& kind) {
  return detail::part<Error, ErrorKind>("kind", [](const Error& error) { return error.kind(); }, kind);
}

/// Matches whether the call took effect.
inline ErrorMatcher WithEffect(const ::testing::Matcher<Effect>& effect) {
  return detail::part<Error, Effect>("effect", [](const Error& error) { return error.effect(); }, effect);
}

/// Matches the HTTP status; 0 if no response arrived.
inline ErrorMatcher WithStatus(const ::testing::Matcher<int>& status) {
  return detail::part<Error, int>("status", [](const Error& error) { return error.status(); }, status);
}

/// Matches the service's error code, such as `lock_timeout`.
inline ErrorMatcher WithCode(const TextMatcher& code) {
  return detail::part<Error, std::string>("code", [](const Error& error) { return error.code(); }, code);
}

/// Matches the human-readable message.
inline ErrorMatcher WithMessage(const TextMatcher& message) {
  return detail::part<Error, std::string>(
      "message", [](const Error& error) { return error.message(); }, message);
}

/// Matches the faulty parameter, as written on the wire.
inline ErrorMatcher WithParam(const TextMatcher& param) {
  return detail::part<Error, std::string>("param", [](const Error& error) { return error.param(); }, param);
}

/// Matches the value of `Service-Rate-Limited-Reason`, such as `global-rate`; empty if there is none.
inline ErrorMatcher WithReason(const TextMatcher& reason) {
  return detail::part<Error, std::string>(
      "rate-limited reason",
      [](const Error& error) {
        return error.rateLimitedReason() ? error.rateLimitedReason()->str() : std::string{};
      },
      reason);
}

inline ErrorMatcher WithReason(RateLimitedReason reason) {
  return WithReason(TextMatcher{OpenEnum{reason}.str()});
}

/// Matches the attempt count: requests handed to the transport.
inline ErrorMatcher WithAttempts(const ::testing::Matcher<int>& attempts) {
  return detail::part<Error, int>(
      "attempts", [](const Error& error) { return error.attemptCount(); }, attempts);
}

}  // namespace tally::testing

#pragma once

#include <tally/detail/cpp20.h>

#include <string>

#include <tally/error.h>
#include <tally/rate_limited_reason.h>
#include <tally/testing/part_matcher.h>

// Matchers for the parts of an Error, for use in HasError(). Each takes a value or a matcher for it.

namespace tally::testing {

using ErrorMatcher = ::testing::Matcher<const Error&>;
using TextMatcher = ::testing::Matcher<std::string>;

/// Matches the kind of the error.
inline ErrorMatcher WithKind(const ::testing::Matcher<ErrorKind>& kind) {
  return detail::part<Error>("kind", &Error::kind, kind);
}

/// Matches whether the call took effect.
inline ErrorMatcher WithEffect(const ::testing::Matcher<Effect>& effect) {
  return detail::part<Error>("effect", &Error::effect, effect);
}

/// Matches the HTTP status; 0 if no response arrived.
inline ErrorMatcher WithStatus(const ::testing::Matcher<int>& status) {
  return detail::part<Error>("status", &Error::status, status);
}

/// Matches the service's error code, such as `lock_timeout`.
inline ErrorMatcher WithCode(const TextMatcher& code) {
  return detail::part<Error>("code", &Error::code, code);
}

/// Matches the human-readable message.
inline ErrorMatcher WithMessage(const TextMatcher& message) {
  return detail::part<Error>("message", &Error::message, message);
}

/// Matches the faulty parameter, as written on the wire.
inline ErrorMatcher WithParam(const TextMatcher& param) {
  return detail::part<Error>("param", &Error::param, param);
}

/// Matches the value of `Service-Rate-Limited-Reason`, such as `global-rate`; empty if there is none.
inline ErrorMatcher WithReason(const TextMatcher& reason) {
  return detail::part<Error>(
      "rate-limited reason",
      [](const Error& error) {
        return error.rateLimitedReason() ? error.rateLimitedReason()->str() : std::string{};
      },
      reason);
}

inline ErrorMatcher WithReason(RateLimitedReason reason) {
  return WithReason(TextMatcher{OpenEnum{reason}.str()});
}

/// Matches the attempt count: the number of requests handed to the transport.
inline ErrorMatcher WithAttempts(const ::testing::Matcher<int>& attempts) {
  return detail::part<Error>("attempts", &Error::attemptCount, attempts);
}

}  // namespace tally::testing

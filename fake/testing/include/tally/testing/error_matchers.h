#pragma once

#include <string>

#include <tally/error.h>
#include <tally/rate_limited_reason.h>
#include <tally/testing/part_matcher.h>

// Matchers of what an Error says, for HasError(). Each takes a value or a matcher of it.

namespace tally::testing {

using ErrorMatcher = ::testing::Matcher<const Error&>;
using TextMatcher = ::testing::Matcher<std::string>;

inline ErrorMatcher WithKind(const ::testing::Matcher<ErrorKind>& kind) {
  return detail::part<Error, ErrorKind>("kind", [](const Error& error) { return error.kind(); }, kind);
}

/// Whether the call took effect.
inline ErrorMatcher WithEffect(const ::testing::Matcher<Effect>& effect) {
  return detail::part<Error, Effect>("effect", [](const Error& error) { return error.effect(); }, effect);
}

/// The HTTP status, 0 where no answer came.
inline ErrorMatcher WithStatus(const ::testing::Matcher<int>& status) {
  return detail::part<Error, int>("status", [](const Error& error) { return error.status(); }, status);
}

/// The service's code, such as `lock_timeout`.
inline ErrorMatcher WithCode(const TextMatcher& code) {
  return detail::part<Error, std::string>("code", [](const Error& error) { return error.code(); }, code);
}

inline ErrorMatcher WithMessage(const TextMatcher& message) {
  return detail::part<Error, std::string>(
      "message", [](const Error& error) { return error.message(); }, message);
}

/// The parameter at fault, as it is written on the wire.
inline ErrorMatcher WithParam(const TextMatcher& param) {
  return detail::part<Error, std::string>("param", [](const Error& error) { return error.param(); }, param);
}

/// What `Service-Rate-Limited-Reason` said, as `global-rate`; empty where there was none.
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

/// The requests that were handed to the transport.
inline ErrorMatcher WithAttempts(const ::testing::Matcher<int>& attempts) {
  return detail::part<Error, int>("attempts", [](const Error& error) { return error.attempts(); }, attempts);
}

}  // namespace tally::testing

#pragma once

#include <tally/detail/cpp20.h>

#include <ostream>

#include <tally/clock.h>

#include <gmock/gmock.h>

namespace tally::testing {

namespace detail {

/// GoogleTest prints times as bytes; this matcher prints them as text.
class IsTimeMatcher {
 public:
  explicit IsTimeMatcher(Instant time) : time_(time) {}

  template <class Time>
  bool MatchAndExplain(const Time& time, ::testing::MatchResultListener* listener) const {
    *listener << "which is " << toString(time);
    return time == time_;
  }
  void DescribeTo(std::ostream* out) const { *out << "is " << toString(time_); }
  void DescribeNegationTo(std::ostream* out) const { *out << "isn't " << toString(time_); }

 private:
  Instant time_;
};

}  // namespace detail

/// Matches an Instant or whole seconds that equal `time`, and prints mismatches as text, where GoogleTest
/// would print bytes.
inline auto IsTime(Instant time) {
  return ::testing::MakePolymorphicMatcher(detail::IsTimeMatcher{time});
}

}  // namespace tally::testing

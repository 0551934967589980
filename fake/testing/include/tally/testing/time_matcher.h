#pragma once

#include <chrono>
#include <ostream>

#include <tally/clock.h>

#include <gmock/gmock.h>

namespace tally::testing {

namespace detail {

/// GoogleTest prints times as bytes; this one tells them in words.
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

/// Matches that time, an Instant or whole seconds, and says in words which time it is instead, where
/// GoogleTest shows bytes.
inline auto IsTime(Instant time) {
  return ::testing::MakePolymorphicMatcher(detail::IsTimeMatcher{time});
}

}  // namespace tally::testing

#pragma once

#include <tally/detail/cpp20.h>

#include <cstddef>
#include <ostream>
#include <utility>

#include <tally/fake/request_pattern.h>
#include <tally/fake/service.h>
#include <tally/testing/printers.h>
#include <tally/testing/unknown_response.h>

#include <gmock/gmock.h>

// Matchers that use a fake::RequestPattern: for a logged request, and for everything that a fake::Service has
// received.

namespace tally::testing {

namespace detail {

class PatternMatcher {
 public:
  explicit PatternMatcher(fake::RequestPattern pattern) : pattern_(std::move(pattern)) {}

  bool MatchAndExplain(const fake::LoggedRequest& request, ::testing::MatchResultListener* listener) const {
    const char* separator = "whose ";
    const auto found = fake::differences(pattern_, request);
    if (fake::areUnknown(found)) detail::failWithoutResponse(request);
    for (const fake::Difference& difference : found)
      *listener << std::exchange(separator, ", whose ") << difference;
    return found.empty();
  }
  void DescribeTo(std::ostream* out) const { *out << "is " << pattern_; }
  void DescribeNegationTo(std::ostream* out) const { *out << "isn't " << pattern_; }

 private:
  fake::RequestPattern pattern_;
};

class ReceivedMatcher {
 public:
  ReceivedMatcher(fake::RequestPattern pattern, const fake::Count& expected)
      : pattern_(std::move(pattern)), expected_(expected) {}

  bool MatchAndExplain(const fake::Service& service, ::testing::MatchResultListener* listener) const {
    const fake::Verification verification = service.requests().verify(pattern_, expected_);
    if (!verification.isDecided()) ADD_FAILURE() << verification;  // since it may be negated
    *listener << verification;
    if (verification.matching.size() > expected_.most()) listMatches(service, *listener);
    return verification.ok;
  }
  void DescribeTo(std::ostream* out) const { *out << "received " << expected_ << " of " << pattern_; }
  void DescribeNegationTo(std::ostream* out) const {
    *out << "didn't receive " << expected_ << " of " << pattern_;
  }

 private:
  void listMatches(const fake::Service& service, ::testing::MatchResultListener& listener) const {
    for (const fake::LoggedRequest& request : service.requests().matching(pattern_, 0, shown))
      listener << "\nmatches: " << request;
  }

  static constexpr std::size_t shown = 10;

  fake::RequestPattern pattern_;
  fake::Count expected_;
};

}  // namespace detail

/// Matches a logged request, and explains all differences, as in `EXPECT_THAT(service.requests().list(),
/// Contains(IsRequest({.operation = "payouts.create"})))`. If only the response could decide whether the
/// request matches, and the log has dropped the response, the test fails, even if the matcher is negated.
inline auto IsRequest(fake::RequestPattern pattern) {
  return ::testing::MakePolymorphicMatcher(detail::PatternMatcher{std::move(pattern)});
}

/// Matches a fake::Service whose log has as many matching requests as expected: `EXPECT_THAT(service,
/// Received({.operation = "payouts.create"}, Count::atLeast(2)))`. If too few match, the failure lists the
/// closest ones; if too many match, it lists the first ten. If the log has dropped too much to decide, the
/// test fails, even if the matcher is negated.
inline auto Received(fake::RequestPattern pattern, const fake::Count& expected = fake::Count::exactly(1)) {
  return ::testing::MakePolymorphicMatcher(detail::ReceivedMatcher{std::move(pattern), expected});
}

}  // namespace tally::testing

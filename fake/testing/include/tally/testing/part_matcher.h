#pragma once

#include <tally/detail/cpp20.h>

#include <functional>
#include <ostream>
#include <string>
#include <utility>

#include <gmock/gmock.h>

namespace tally::testing::detail {

/// Explains the part `name` of a request, such as `whose code is "lock_timeout"`. `more` is the explanation
/// of its matcher.
template <class Part>
void explainPart(const Part& part, const std::string& name, const std::string& more,
                 ::testing::MatchResultListener* listener) {
  *listener << "whose " << name << " is " << ::testing::PrintToString(part);
  if (!more.empty()) *listener << ", " << more;
}

/// Matches a part of a `Whole`: what `get` returns, or the member that it points to.
template <class Whole, class Get, class Part>
class PartMatcher {
 public:
  PartMatcher(std::string name, Get get, ::testing::Matcher<Part> part)
      : name_(std::move(name)), get_(std::move(get)), part_(std::move(part)) {}

  bool MatchAndExplain(const Whole& whole, ::testing::MatchResultListener* listener) const {
    const Part part = std::invoke(get_, whole);
    ::testing::StringMatchResultListener more;
    const bool matches = part_.MatchAndExplain(part, &more);
    explainPart(part, name_, more.str(), listener);
    return matches;
  }
  void DescribeTo(std::ostream* out) const { part_.DescribeTo(&(*out << "whose " << name_ << ' ')); }
  void DescribeNegationTo(std::ostream* out) const {
    part_.DescribeNegationTo(&(*out << "whose " << name_ << ' '));
  }

 private:
  std::string name_;
  Get get_;
  ::testing::Matcher<Part> part_;
};

template <class Whole, class Get, class Part>
::testing::Matcher<const Whole&> part(const char* name, Get get, ::testing::Matcher<Part> matcher) {
  return ::testing::MakePolymorphicMatcher(
      PartMatcher<Whole, Get, Part>{name, std::move(get), std::move(matcher)});
}

}  // namespace tally::testing::detail

#pragma once

#include <string>

#include <gmock/gmock.h>

/// What a failing EXPECT_THAT prints about `value`, besides the value itself; empty if it matches.
template <class Value, class Matcher>
std::string explanationOf(const Value& value, const Matcher& matcher) {
  testing::StringMatchResultListener listener;
  return testing::SafeMatcherCast<const Value&>(matcher).MatchAndExplain(value, &listener) ? ""
                                                                                           : listener.str();
}

/// The expectation that it prints.
template <class Value, class Matcher>
std::string descriptionOf(const Matcher& matcher) {
  return testing::DescribeMatcher<const Value&>(matcher);
}

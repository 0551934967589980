#pragma once

#include <sstream>
#include <utility>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace tally::test {

/// Checks a property in so many random runs; RC_GTEST_PROP has no say in how many.
template <class Property>
void holdsInRuns(int runs, Property&& property) {
  rc::detail::TestParams params = rc::detail::configuration().testParams;
  params.maxSuccess = runs;
  const auto result =
      rc::detail::checkTestable(std::forward<Property>(property), rc::detail::TestMetadata{}, params);
  std::ostringstream words;
  rc::detail::printResultMessage(result, words);
  EXPECT_TRUE(result.template is<rc::detail::SuccessResult>()) << words.str();
}

}  // namespace tally::test

#pragma once

#include <chrono>
#include <sstream>
#include <utility>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace tally::test {

/// Checks a property in `runs` random runs. RC_GTEST_PROP can't set their number.
template <class Property>
void holdsInRuns(int runs, Property&& property) {
  rc::detail::TestParams testParams = rc::detail::configuration().testParams;
  testParams.maxSuccess = runs;
  const auto result =
      rc::detail::checkTestable(std::forward<Property>(property), rc::detail::TestMetadata{}, testParams);
  std::ostringstream words;
  rc::detail::printResultMessage(result, words);
  EXPECT_TRUE(result.template is<rc::detail::SuccessResult>()) << words.str();
}

/// A random time between two requests: often zero, often relevant to a limit.
inline std::chrono::nanoseconds anyStep() {
  using std::chrono::hours;
  using std::chrono::milliseconds;
  using std::chrono::nanoseconds;
  using std::chrono::seconds;

  constexpr nanoseconds instant{1};
  return *rc::gen::weightedElement<nanoseconds>({{12, nanoseconds{0}},
                                                 {2, instant},
                                                 {4, milliseconds{50}},
                                                 {4, milliseconds{500}},
                                                 {2, seconds{1} - instant},
                                                 {4, seconds{1}},
                                                 {1, seconds{1} + instant},
                                                 {1, seconds{60} - instant},
                                                 {1, seconds{60}},
                                                 {1, hours{1}},
                                                 {1, hours{24}}});
}

}  // namespace tally::test

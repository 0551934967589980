// The marks of attempts, in every way to make a call.

#include <memory>
#include <string>
#include <vector>

#include <tally/tally.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sdk/support/harness.h"
#include "sdk/support/ways.h"

namespace tally::attemptMarksTest {
namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::MatchesRegex;
using testing::SizeIs;

class AttemptMarks : public testing::TestWithParam<test::NamedWay> {
 protected:
  /// The value of the header in each request; `-` where it is missing.
  std::vector<std::string> sent(const ClientOptions& changed) {
    ClientOptions options = changed;
    options.apiKey = "sk_test_1";
    options.baseUrl = "https://service.test";
    options.maxNetworkRetries = 2;
    const auto transport = std::make_shared<test::CannedTransport>();
    transport->responses = {test::lockTimeout(), test::lockTimeout(), test::ok(test::recordJson("pr_1")),
                            test::ok(test::recordJson("pr_1"))};
    options.transport = transport;
    clock = std::make_shared<test::TestClock>();
    options.clock = clock;
    const auto way = GetParam().of(options);
    EXPECT_FALSE(way->make({.operation = "payment_records.retrieve", .object = "pr_1"}));
    EXPECT_FALSE(way->make({.operation = "payment_records.retrieve", .object = "pr_1"}));
    std::vector<std::string> values;
    for (const HttpRequest& request : transport->requests) {
      const std::string* const value = test::find(request.headers, "Tally-Call");
      values.push_back(value == nullptr ? "-" : *value);
    }
    return values;
  }

  std::shared_ptr<test::TestClock> clock{};
};

INSTANTIATE_TEST_SUITE_P(Ways, AttemptMarks, testing::ValuesIn(test::ways),
                         [](const auto& info) { return std::string{info.param.name}; });

TEST_P(AttemptMarks, AreNotSentUnlessEnabled) {
  EXPECT_THAT(sent({}), ElementsAre("-", "-", "-", "-"));
}

TEST_P(AttemptMarks, NumberTheAttemptsOfEachCall) {
  const std::vector<std::string> marks = sent({.markAttempts = true, .jitterSeed = 7});
  ASSERT_THAT(marks, SizeIs(4));
  const std::string call = marks.front().substr(0, 16);
  EXPECT_THAT(call, MatchesRegex("[0-9a-f]{16}"));
  EXPECT_THAT(marks, ElementsAre(call + "; attempt=1", call + "; attempt=2", call + "; attempt=3",
                                 MatchesRegex("[0-9a-f]{16}; attempt=1")));
  EXPECT_NE(marks.back().substr(0, 16), call);
}

TEST_P(AttemptMarks, AreDeterminedByTheSeed) {
  EXPECT_EQ(sent({.markAttempts = true, .jitterSeed = 7}), sent({.markAttempts = true, .jitterSeed = 7}));
  EXPECT_NE(sent({.markAttempts = true, .jitterSeed = 7}), sent({.markAttempts = true, .jitterSeed = 8}));
  EXPECT_NE(sent({.markAttempts = true}), sent({.markAttempts = true}));
}

TEST_P(AttemptMarks, DoNotAffectTheJitter) {
  (void)sent({.jitterSeed = 7});
  const auto without = clock->sleeps;
  (void)sent({.markAttempts = true, .jitterSeed = 7});
  EXPECT_EQ(clock->sleeps, without);
}

TEST_P(AttemptMarks, AreSentAlongsideOtherAttemptHeaders) {
  const AttemptHeaders others = [](const Event& attempt) -> std::vector<Header> {
    return {{"X-Attempt", std::to_string(attempt.attempt)}};
  };
  EXPECT_THAT(sent({.attemptHeaders = others, .markAttempts = true, .jitterSeed = 7}),
              ElementsAreArray(sent({.markAttempts = true, .jitterSeed = 7})));
}

}  // namespace
}  // namespace tally::attemptMarksTest

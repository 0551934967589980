#include "format/fault_header.h"

#include <chrono>
#include <stdexcept>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace tally::fake::detail {

namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

constexpr int unlimited = FaultRule::unlimited;

std::string problemOf(const std::string& header) {
  try {
    (void)readFaultHeader(header);
    return "none";
  } catch (const std::invalid_argument& problem) {
    return problem.what();
  }
}

TEST(FaultHeader, SpecifiesAFaultAndItsParameters) {
  EXPECT_EQ(readFaultHeader("response_lost; times=2; latency_ms=300"),
            (FaultRule{.times = 2, .fault = fake::Fault::responseLost, .latency = 300ms}));
}

TEST(FaultHeader, AppliesAnyNumberOfTimesUnlessTimesIsGiven) {
  EXPECT_EQ(readFaultHeader("reset"), (FaultRule{.times = unlimited, .fault = fake::Fault::reset}));
  EXPECT_EQ(readFaultHeader("reset;times=unlimited").times, unlimited);
}

TEST(FaultHeader, CanSpecifyAnErrorAResponseOrADelay) {
  EXPECT_EQ(readFaultHeader("error=rate_limit;rate_limited_reason=global-rate;retry_after=3"),
            (FaultRule{.times = unlimited,
                       .error = "rate_limit",
                       .rateLimitedReason = "global-rate",
                       .headers = {{"Retry-After", "3"}}}));
  EXPECT_EQ(
      readFaultHeader(R"(status=503; body="{\"a\": \"b;c\"}")"),
      (FaultRule{.times = unlimited, .response = HttpResponse{.status = 503, .body = R"({"a": "b;c"})"}}));
  EXPECT_EQ(readFaultHeader("error_after_processing; status=502"),
            (FaultRule{.times = unlimited,
                       .fault = fake::Fault::errorAfterProcessing,
                       .response = HttpResponse{.status = 502}}));
  EXPECT_EQ(readFaultHeader("latency_ms=100; latency_up_to_ms=300; latency_sigma=0.5; chunks=4; pause_ms=20"),
            (FaultRule{.times = unlimited,
                       .latency = 100ms,
                       .latencyUpTo = 300ms,
                       .latencySigma = 0.5,
                       .chunks = 4,
                       .pause = 20ms}));
  EXPECT_EQ(readFaultHeader("reset; every=3; probability=0.5; probability_at_end=0; period_ms=2000"),
            (FaultRule{.times = unlimited,
                       .fault = fake::Fault::reset,
                       .every = 3,
                       .probability = 0.5,
                       .probabilityAtEnd = 0,
                       .period = 2s}));
}

/// RFC 9110, 5.6.6.
TEST(FaultHeader, FollowsTheGrammarOfParameters) {
  const FaultRule expected = readFaultHeader("reset; times=2");
  for (const std::string same :
       {"reset;times=2", " reset\t;\ttimes=2 ", "reset;;times=2;", "reset; TIMES=2", R"(reset; times="2")",
        R"(reset; times="\2")", "fault=reset; times=2", "times=2; fault=reset", R"(fault="reset"; times=2)"})
    EXPECT_EQ(readFaultHeader(same), expected) << same;
}

TEST(FaultHeader, IsRefusedWithTheNameOfTheInvalidPart) {
  EXPECT_THAT(problemOf(""), HasSubstr("expected a fault, such as response_lost"));
  EXPECT_EQ(problemOf("respons_lost"), "unknown fault 'respons_lost'; did you mean 'response_lost'?");
  EXPECT_EQ(problemOf("lock_timeout"),
            "unknown fault 'lock_timeout'; for an error response, write error=lock_timeout");
  EXPECT_EQ(problemOf("reset; tims=2"), "tims: unknown part; did you mean 'times'?");
  EXPECT_THAT(problemOf("reset; object=pr_1"),
              HasSubstr("object: unknown part; expected one of fault, error"));
  EXPECT_EQ(problemOf("reset; times"), "times: expected '=' and a value");
  EXPECT_THAT(problemOf("reset; times="), HasSubstr("times: expected a value"));
  EXPECT_THAT(problemOf("reset; times =2"), HasSubstr("times: expected '='"));
  EXPECT_THAT(problemOf("reset; times=0"), HasSubstr("times: expected a number from 1"));
  EXPECT_THAT(problemOf("reset; times=2.5"), HasSubstr("times: expected an integer"));
  EXPECT_EQ(problemOf("reset; every=often"), "every: expected a number, not 'often'");
  EXPECT_EQ(problemOf("reset; times=1; times=2"), "times: given twice");
  EXPECT_EQ(problemOf("reset; error=api_error; fault=reset"), "fault: given twice");
  EXPECT_EQ(problemOf("reset, times=2"), "expected ';' before ', times=2'");
  EXPECT_EQ(problemOf("reset; =2"), "expected the name of a parameter at '=2'");
  EXPECT_EQ(problemOf(R"(status=500; body="a)"), "body: the closing quote is missing");
  EXPECT_EQ(problemOf(R"(status=500; body="a\)"), "body: the closing quote is missing");
  EXPECT_THAT(problemOf("status=99"), HasSubstr("status: expected a status from 200 to 599"));
  EXPECT_EQ(problemOf("reset; times=\xFF"), "the header is not UTF-8");
}

RC_GTEST_PROP(FaultHeader, IsEitherParsedOrRefused, (const std::string& value)) {
  RC_ASSERT(!problemOf(value).empty());
}

RC_GTEST_PROP(FaultHeader, IsEitherParsedOrRefusedIfItsPartsAreMixed, ()) {
  const auto parts = *rc::gen::container<std::vector<std::string>>(rc::gen::element<std::string>(
      "reset", "error", "=", ";", " ", "\"", "\\", "times", "2", "latency_ms", "1e400", "status", "-1",
      "99999999999999999999", "body", "[", "{", ",", "\n"));
  std::string header;
  for (const std::string& part : parts)
    header += part;
  RC_ASSERT(!problemOf(header).empty());
}

}  // namespace

}  // namespace tally::fake::detail

#include "format/script_json.h"

#include <chrono>
#include <stdexcept>
#include <string>

#include <tally/fake/service.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace tally::fake {

namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

std::string problemOf(const std::string& json) {
  try {
    (void)Service{}.faults().play(FaultScript::parse(json));
    return "none";
  } catch (const std::invalid_argument& problem) {
    return problem.what();
  }
}

std::string problemOfStep(const std::string& step) {
  return problemOf(R"({"steps":[{"for_ms":1,"fault":"reset"},)" + step + "]}");
}

/// With quadratic complexity, this would take minutes.
TEST(FaultScriptJson, MayNameManyParameters) {
  constexpr std::size_t many = 100'000;
  std::string params;
  for (std::size_t i = 0; i < many; ++i)
    params += (i == 0 ? "\"" : ",\"") + std::to_string(i) + R"(":"x")";
  const FaultScript script =
      FaultScript::parse(R"({"steps":[{"for_ms":1,"fault":"reset","params":{)" + params + "}}]}");
  EXPECT_THAT(std::get<FaultRule>(script.steps.at(0).effect).params, SizeIs(many));
}

TEST(FaultScriptJson, DefinesFaultsAndLimits) {
  const FaultScript script = FaultScript::parse(R"({
    "name": "mine", "description": "Mine.", "seed": 7,
    "steps": [
      {"at_ms": 1000, "for_ms": 90000, "fault": "connection_refused", "operation": "payouts.create"},
      {"for_ms": 60000, "error": "api_error", "probability": 1, "probability_at_end": 0},
      {"times": 3, "fault": "reset", "repeat": {"times": 4, "every_ms": 5000}},
      {"for_ms": 8000, "limit": "global_rate", "value": 2, "livemode": false}
    ]})");
  EXPECT_EQ(script.name, "mine");
  EXPECT_EQ(script.description, "Mine.");
  EXPECT_EQ(script.seed, 7U);
  ASSERT_THAT(script.steps, SizeIs(4));
  EXPECT_EQ(script.steps[0].at, 1s);
  EXPECT_EQ(script.steps[0].duration, 90s);
  EXPECT_EQ(std::get<FaultRule>(script.steps[0].effect),
            (FaultRule{.operation = "payouts.create", .fault = Fault::connectionRefused}));
  EXPECT_EQ(std::get<FaultRule>(script.steps[1].effect),
            (FaultRule{.error = "api_error", .probabilityAtEnd = 0}));
  EXPECT_EQ(script.steps[2].times, 3);
  EXPECT_EQ(script.steps[2].repeat.times, 4);
  EXPECT_EQ(script.steps[2].repeat.every, 5s);
  EXPECT_EQ(std::get<LimitOverride>(script.steps[3].effect),
            (LimitOverride{.limit = "global_rate", .value = 2, .livemode = false}));
}

TEST(FaultScriptJson, RoundTripsEachReadyMadeScript) {
  for (const FaultScript& script : FaultScript::readyMade()) {
    const std::string json = script.toJson();
    const FaultScript read = FaultScript::parse(json);
    EXPECT_EQ(read.toJson(), json);
    ASSERT_EQ(read.steps.size(), script.steps.size());
    for (std::size_t i = 0; i < read.steps.size(); ++i)
      EXPECT_EQ(read.steps[i].effect, script.steps[i].effect) << script.name << i;
    EXPECT_EQ(problemOf(json), "none");
  }
}

TEST(FaultScriptJson, WritesEachStepOnOneLineWithoutDefaults) {
  const FaultScript script{.name = "one",
                           .seed = 3,
                           .steps = {{.duration = 90s, .effect = FaultRule{.fault = Fault::reset}},
                                     {.at = 1s, .times = 2, .effect = FaultRule{.error = "api_error"}}}};
  EXPECT_EQ(script.toJson(), R"({
  "name": "one",
  "seed": 3,
  "steps": [
    {"at_ms":0,"for_ms":90000,"fault":"reset"},
    {"at_ms":1000,"times":2,"error":"api_error"}
  ]
}
)");
}

TEST(FaultScriptJson, RoundTripsEverySeed) {
  FaultScript script = FaultScript::named("outage");
  for (const std::uint64_t seed : {std::uint64_t{0}, ~std::uint64_t{0}}) {
    script.seed = seed;
    EXPECT_EQ(FaultScript::parse(script.toJson()).seed, seed);
  }
  EXPECT_EQ(problemOf(R"({"name":"outage","seed":-1})"), "seed: expected an integer from 0 to 2^64 - 1");
}

TEST(FaultScriptJson, CanNameAReadyMadeScriptInsteadOfSteps) {
  const FaultScript script = FaultScript::parse(R"({"name":"outage","seed":4})");
  EXPECT_EQ(script.steps.size(), FaultScript::named("outage").steps.size());
  EXPECT_EQ(script.seed, 4U);
  EXPECT_EQ(problemOf(R"({"name":"outrage"})"),
            "there is no ready-made fault script 'outrage'; did you mean 'outage'?");
  EXPECT_EQ(problemOf("{}"), "steps: missing; add them, or name a ready-made script");
}

TEST(FaultScriptJson, IsNotTheReadyMadeOneOfItsNameIfItsStepsAreEmpty) {
  EXPECT_EQ(problemOf(R"({"name":"outage","steps":[]})"), "steps: a fault script needs at least one");
  EXPECT_EQ(FaultScript::parse(R"({"name":"outage","steps":null})").steps.size(),
            FaultScript::named("outage").steps.size());
}

TEST(FaultScriptJson, IsRefusedWithThePositionOfTheInvalidMember) {
  EXPECT_THAT(problemOf("{\n  \"steps\": [\n    {\"for_ms\": }\n  ]\n}"), HasSubstr("line 3, column 16"));
  EXPECT_EQ(problemOf(R"({"steps":{}})"), "steps: expected an array");
  EXPECT_EQ(problemOf(R"({"steps":[],"nam":"a"})"), "nam: unknown field; did you mean 'name'?");
  EXPECT_EQ(problemOfStep(R"({"for_ms":-1})"),
            "steps[1].for_ms: expected a number of milliseconds from 0 to 3155695200000");
  EXPECT_EQ(problemOfStep(R"({"for_ms":1,"fault":"rest"})"),
            "steps[1].fault: unknown fault 'rest'; did you mean 'reset'?");
  EXPECT_EQ(problemOfStep(R"({"for_ms":1,"after_ms":2})"),
            "steps[1].after_ms: unknown field; did you mean 'at_ms'?");
  EXPECT_EQ(problemOfStep(R"({"for_ms":1,"repeat":{"times":2}})"), "steps[1].repeat.every_ms: missing");
  EXPECT_EQ(problemOfStep(R"({"for_ms":1,"limit":"global_rat","value":1})"),
            "steps[1]: unknown limit 'global_rat'; did you mean 'global_rate'?");
  EXPECT_EQ(problemOfStep(R"({"for_ms":1,"limit":"global_rate","fault":"reset"})").substr(0, 23),
            "steps[1].fault: unknown");
  EXPECT_EQ(problemOfStep(R"({"fault":"reset"})"),
            "steps[1]: a fault needs for_ms (how long it lasts) or times (how many requests it applies to)");
  EXPECT_EQ(problemOfStep(R"({"for_ms":0,"fault":"reset"})"),
            "steps[1]: a step must last more than 0 and at most 100 years");
  EXPECT_THAT(
      problemOfStep(R"({"for_ms":1,"error":"api_eror"})"),
      HasSubstr("steps[1]: a fault rule names an unknown error 'api_eror'; did you mean 'api_error'?"));
  EXPECT_EQ(problemOfStep(R"({"for_ms":1,"fault":"reset","repeat":{"times":2,"every_ms":0}})"),
            "steps[1]: the time from one beginning of a repeated step to the next must be more than 0 and at "
            "most 100 years");
  EXPECT_EQ(problemOfStep(R"({"for_ms":1,"fault":"reset","repeat":{"times":1000,"every_ms":1}})"),
            "steps[1]: a fault script can have at most 1000 steps, counting their repetitions");
  EXPECT_THAT(
      problemOfStep(R"({"for_ms":1,"fault":"reset","repeat":{"times":2147483647,"every_ms":3155695200000}})"),
      HasSubstr("must begin at most 100 years after the start"));
}

RC_GTEST_PROP(FaultScriptJson, IsEitherParsedOrRefused, (const std::string& text)) {
  RC_ASSERT(!problemOf(text).empty());
  RC_ASSERT(!problemOfStep(R"({"for_ms":1,"error":")" + text + "\"}").empty());
}

}  // namespace

}  // namespace tally::fake

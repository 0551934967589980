#include "derived/derived_script.h"

#include <chrono>
#include <sstream>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include <tally/fake/service.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "har/har_text.h"

namespace tally::fake::detail {

namespace {

using namespace std::chrono_literals;
using tally::detail::Exchange;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr Instant begin = std::chrono::sys_days{std::chrono::year{2026} / 3 / 1};
const std::string recordsUrl = "https://api.example.com/v1/payment_records";

class DerivedScript : public testing::Test {
 protected:
  /// A request `at` so long after the first.
  Exchange& add(std::chrono::nanoseconds at, int status = 200) {
    recorded.push_back({.startedAt = begin + at,
                        .duration = 20ms,
                        .method = "GET",
                        .url = recordsUrl,
                        .status = status,
                        .responseBody = "{}"});
    return recorded.back();
  }
  void addMany(std::chrono::nanoseconds from, std::chrono::nanoseconds to, int status = 200,
               std::chrono::milliseconds duration = 20ms) {
    for (auto at = from; at < to; at += 100ms)
      add(at, status).duration = duration;
  }
  std::string har() const {
    std::string text = tally::detail::harBegin();
    for (const Exchange& exchange : recorded) {
      if (&exchange != recorded.data()) text += tally::detail::harSeparator;
      tally::detail::appendHarEntry(text, exchange);
    }
    return text + std::string{tally::detail::harEnd};
  }
  FaultScript derived() const {
    std::istringstream in{har()};
    tally::detail::HarReader reader{in};
    FaultScript script = deriveScript(reader);
    Service{}.faults().play(script);
    return FaultScript::parse(script.toJson());
  }
  /// Without latencies.
  std::vector<ScriptStep> incidents() const {
    std::vector<ScriptStep> found = derived().steps;
    std::erase_if(found, [](const ScriptStep& step) {
      const auto& rule = std::get<FaultRule>(step.effect);
      return rule.fault == fake::Fault::none && rule.error.empty() && !rule.response;
    });
    for (ScriptStep& step : found) {
      auto& rule = std::get<FaultRule>(step.effect);
      rule.latency = rule.latencyUpTo = 0ms;
      rule.latencySigma = 0;
    }
    return found;
  }
  static const FaultRule& ruleOf(const ScriptStep& step) { return std::get<FaultRule>(step.effect); }

  std::vector<Exchange> recorded{};
};

TEST_F(DerivedScript, ContainsNoIncidentIfTheServiceDidNotFail) {
  addMany(0s, 10s);
  add(10s, 404);
  add(11s, 400);
  EXPECT_THAT(incidents(), IsEmpty());
  EXPECT_EQ(derived().description, "Derived from 102 requests within 11 s, with 0 incidents.");
}

TEST_F(DerivedScript, FailsRequestsForAsLongAsTheServiceDid) {
  addMany(0s, 10s);
  addMany(10s, 20s, 503);
  addMany(20s, 30s);
  const auto steps = incidents();
  ASSERT_THAT(steps, SizeIs(1));
  EXPECT_EQ(steps[0].at, 10s);
  EXPECT_EQ(steps[0].duration, 9'901ms);
  EXPECT_EQ(ruleOf(steps[0]),
            (FaultRule{.operation = "payment_records.list", .response = HttpResponse{.status = 503}}));
}

TEST_F(DerivedScript, FailsRequestsThatEndedInAnyServerError) {
  add(0s, 500);
  add(1min, 599);
  add(2min, 499);
  add(3min, 600);
  EXPECT_THAT(incidents(), SizeIs(2));
}

TEST_F(DerivedScript, FailsTheSameShareOfRequestsAsTheService) {
  for (int n = 0; n < 400; ++n)
    add(n * 50ms, n % 4 == 0 ? 500 : 200);
  const auto steps = incidents();
  ASSERT_THAT(steps, SizeIs(1));
  EXPECT_EQ(ruleOf(steps[0]).probability, 0.252);
}

TEST_F(DerivedScript, SeparatesIncidentsThatAreFarApart) {
  add(0s);
  add(1s, 500);
  add(10s, 500);
  addMany(20s, 21s, 502);
  const auto steps = incidents();
  ASSERT_THAT(steps, SizeIs(3));
  EXPECT_EQ(steps[0].at, 1s);
  EXPECT_EQ(steps[0].times, 1);
  EXPECT_EQ(steps[1].at, 10s);
  EXPECT_EQ(ruleOf(steps[2]).response->status, 502);
}

TEST_F(DerivedScript, UsesDescribedErrorsIfPossible) {
  add(0s);
  Exchange& limited = add(1s, 429);
  limited.responseHeaders = {{"Service-Rate-Limited-Reason", "endpoint-rate"}};
  limited.responseBody = R"({"error":{"type":"invalid_request_error","code":"rate_limit","message":"No."}})";
  add(2s, 429).responseBody =
      R"({"error":{"type":"invalid_request_error","code":"lock_timeout","message":"No."}})";
  add(3s, 429).responseBody = "busy";
  const auto steps = incidents();
  ASSERT_THAT(steps, SizeIs(3));
  EXPECT_EQ(ruleOf(steps[0]).error, "rate_limit");
  EXPECT_EQ(ruleOf(steps[0]).rateLimitedReason, "endpoint-rate");
  EXPECT_EQ(ruleOf(steps[1]).error, "lock_timeout");
  EXPECT_EQ(ruleOf(steps[2]).response->status, 429);
}

TEST_F(DerivedScript, ReproducesConnectionFailures) {
  add(0s);
  add(1s, 0).failure = "Connection refused";
  add(5s, 0).failure = "timeout";
  add(9s, 0).fault = "reset";
  const auto steps = incidents();
  ASSERT_THAT(steps, SizeIs(3));
  EXPECT_EQ(ruleOf(steps[0]).fault, fake::Fault::connectionRefused);
  EXPECT_EQ(ruleOf(steps[1]).fault, fake::Fault::responseLost);
  EXPECT_EQ(ruleOf(steps[2]).fault, fake::Fault::reset);
}

TEST_F(DerivedScript, FailsAllOperationsIfSeveralFailed) {
  addMany(0s, 5s, 503);
  addMany(0s, 5s, 503);
  for (std::size_t n = 0; n < recorded.size(); n += 2)
    recorded[n].url = "/v1/payouts";
  EXPECT_EQ(ruleOf(incidents().at(0)).operation, "");
}

TEST_F(DerivedScript, IsAsSlowAsTheServiceWas) {
  addMany(0s, 60s, 200, 100ms);
  addMany(60s, 120s, 200, 900ms);
  const auto steps = derived().steps;
  ASSERT_THAT(steps, SizeIs(2));
  EXPECT_EQ(ruleOf(steps[0]).operation, "payment_records.list");
  EXPECT_EQ(ruleOf(steps[0]).latency, 100ms);
  EXPECT_EQ(steps[0].duration, 60s);
  EXPECT_EQ(steps[1].at, 60s);
  EXPECT_EQ(steps[1].duration, 59'901ms) << "up to and including the last request";
  EXPECT_EQ(ruleOf(steps[1]).latency, 900ms);
}

TEST_F(DerivedScript, MatchesThePercentilesOfTheLatency) {
  for (int n = 0; n < 101; ++n)
    add(n * 100ms).duration = n < 51 ? 100ms : n < 95 ? 200ms : n < 100 ? 450ms : 2'000ms;
  const auto steps = derived().steps;
  ASSERT_THAT(steps, SizeIs(1));
  const FaultRule& rule = ruleOf(steps[0]);
  EXPECT_EQ(rule.latency, 100ms);
  EXPECT_NEAR(rule.latencySigma, 0.914, 0.001) << "ln(450 / 100) / 1.645";
  EXPECT_EQ(rule.latencyUpTo, 2s);
}

/// Without a spread, a maximum would stand for evenly distributed latencies.
TEST_F(DerivedScript, IgnoresOutliersOfALatencyThatHardlyVaries) {
  for (int n = 0; n < 100; ++n)
    add(n * 100ms).duration = n < 90 ? 10'000ms : n < 99 ? 10'002ms : 60'000ms;
  const FaultRule rule = ruleOf(derived().steps.at(0));
  EXPECT_EQ(rule.latency, 10s);
  EXPECT_EQ(rule.latencySigma, 0);
  EXPECT_EQ(rule.latencyUpTo, 0s);
}

TEST_F(DerivedScript, CombinesTheFailuresOfALongRecordingIntoOneStep) {
  for (int n = 0; n < 5'000; ++n)
    add(n * 10s, n % 2 == 0 ? 500 : 200);
  EXPECT_THAT(incidents(), SizeIs(1));
}

TEST_F(DerivedScript, CanBeDerivedFromRequestsInAnyOrder) {
  add(10s, 500);
  add(0s);
  EXPECT_EQ(incidents().at(0).at, 10s);
}

TEST_F(DerivedScript, ReproducesTheRecordedStatusesWhenPlayed) {
  addMany(0s, 30s);
  addMany(30s, 60s, 503);
  addMany(60s, 90s);
  Service service{{.duration = 0s}};
  service.limits().set({.limit = "endpoint_rate"});
  service.limits().set({.limit = "global_rate"});
  const std::string key = service.addAccount().sandboxKey;
  service.faults().play(derived());
  for (const Exchange& exchange : recorded) {
    service.clock()->advanceTo(
        std::max(service.clock()->now(), ServiceOptions{}.start + (exchange.startedAt - begin)));
    EXPECT_EQ(service.handle({.url = exchange.url, .headers = {{"Authorization", "Bearer " + key}}}).status,
              exchange.status);
  }
}

TEST_F(DerivedScript, IgnoresThePrefixOfAGateway) {
  addMany(0s, 5s, 503);
  for (Exchange& exchange : recorded)
    exchange.url = "https://gateway.example.com/payments/v1/payouts?limit=3";
  EXPECT_EQ(ruleOf(incidents().at(0)).operation, "payouts.list");
}

TEST_F(DerivedScript, CannotBeDerivedFromAFileThatIsNotARecordingOfTheApi) {
  EXPECT_THROW((void)derived(), std::invalid_argument);
  add(0s).url = "https://example.com/other";
  EXPECT_THROW((void)derived(), std::invalid_argument);
  std::istringstream in{"[]"};
  tally::detail::HarReader reader{in};
  EXPECT_THROW((void)deriveScript(reader), tally::detail::HarError);
}

/// A script without steps can't be played.
TEST_F(DerivedScript, CannotBeDerivedIfNothingFailedOrTookTime) {
  for (int n = 0; n < 10; ++n)
    add(n * 100ms).duration = 900us;
  EXPECT_THAT([&] { (void)derived(); },
              testing::ThrowsMessage<std::invalid_argument>(HasSubstr("there is nothing to play")));
}

TEST_F(DerivedScript, CanBeDerivedFromUnusualExchanges) {
  add(0s, 429).responseHeaders = {{"Service-Rate-Limited-Reason", "a\nb"}};
  recorded.back().responseBody = R"({"error":{"code":"rate_limit"}})";
  add(std::chrono::years{50}, 999).duration = -1s;
  add(1s, -5);
  add(2s, 600).method = "BREW";
  add(3s, 500).duration = std::chrono::years{200};
  (void)derived();
}

}  // namespace

}  // namespace tally::fake::detail

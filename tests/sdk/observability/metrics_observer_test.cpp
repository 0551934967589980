#include <map>
#include <set>
#include <sstream>
#include <thread>
#include <vector>

#include <tally/metrics_observer.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "schema/operation.h"
#include "sdk/support/harness.h"
#include "sdk/support/metrics_text.h"

namespace tally::test {
namespace {

using namespace std::chrono_literals;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::Pair;

using Samples = std::map<std::string, double>;

/// The name of a sample of the operation called here; with labels, one of several.
std::string sample(const std::string& name, const std::string& labels = "") {
  return name + R"({operation="payment_records.report_failed")" + (labels.empty() ? "" : "," + labels) + '}';
}

struct Counted : Harness {
  explicit Counted(const std::shared_ptr<MetricsObserver>& observer = std::make_shared<MetricsObserver>())
      : Harness({.maxNetworkRetries = 2, .retryRateLimited = true, .observer = observer}),
        counters(observer) {
    transport->onSend = [this] { clock->advance(30ms); };
  }

  Result<PaymentRecord> report(const RequestOptions& options = {}) {
    return client.paymentRecords().reportFailed("pr_1", {.failedAt = std::chrono::sys_seconds{1s}}, options);
  }
  [[nodiscard]] Samples samples() const { return readMetrics(counters->prometheusText()); }

  std::shared_ptr<MetricsObserver> counters;
};

TEST(MetricsObserver, ReturnsNoTextBeforeTheFirstCall) {
  EXPECT_EQ(MetricsObserver{}.prometheusText(), "");
}

TEST(MetricsObserver, CountsASuccessfulCall) {
  Counted call;
  call.respond(ok(recordJson("pr_1")));
  ASSERT_TRUE(call.report());
  const Samples samples = call.samples();
  EXPECT_THAT(samples, Contains(Pair(sample("tally_calls_total", R"(outcome="ok")"), 1)));
  EXPECT_THAT(samples, Contains(Pair(sample("tally_attempts_total"), 1)));
  EXPECT_THAT(samples, Contains(Pair(sample("tally_responses_total", R"(status="200")"), 1)));
  EXPECT_THAT(call.counters->prometheusText(), Not(HasSubstr("error")));
}

TEST(MetricsObserver, CountsFailedAttemptsAndRetries) {
  Counted call;
  call.respond(lockTimeout());
  call.respond(refused(429, "rate_limit", {{"Service-Rate-Limited-Reason", "endpoint-rate"}}));
  call.respond(ok(recordJson("pr_1")));
  ASSERT_TRUE(call.report());
  const Samples samples = call.samples();
  EXPECT_THAT(samples, Contains(Pair(sample("tally_calls_total", R"(outcome="ok")"), 1)));
  EXPECT_THAT(samples, Contains(Pair(sample("tally_attempts_total"), 3)));
  EXPECT_THAT(samples, Contains(Pair(sample("tally_attempt_errors_total", R"(kind="lock timeout")"), 1)));
  EXPECT_THAT(samples, Contains(Pair(sample("tally_attempt_errors_total", R"(kind="rate limited")"), 1)));
  EXPECT_THAT(samples, Contains(Pair(sample("tally_rate_limited_total", R"(reason="endpoint-rate")"), 1)));
  EXPECT_THAT(samples, Contains(Pair(sample("tally_responses_total", R"(status="429")"), 2)));
  EXPECT_THAT(samples, Contains(Pair(sample("tally_waits_total", R"(reason="backoff")"), 2)));
  const std::chrono::duration<double> waited = call.clock->sleeps[0] + call.clock->sleeps[1];
  EXPECT_THAT(samples, Contains(Pair(sample("tally_waited_seconds_total", R"(reason="backoff")"),
                                     testing::DoubleNear(waited.count(), 1e-9))));
  EXPECT_EQ(samples.count(sample("tally_call_errors_total", R"(kind="lock timeout",effect="none")")), 0U);
}

TEST(MetricsObserver, CountsErrorsByKindAndEffect) {
  Counted call;
  call.respond(lostResponse());
  call.respond(refused(400, "payment_attempt_already_guaranteed"));
  ASSERT_FALSE(call.report());
  ASSERT_FALSE(call.report());
  const Samples samples = call.samples();
  EXPECT_THAT(samples, Contains(Pair(sample("tally_calls_total", R"(outcome="error")"), 2)));
  EXPECT_THAT(
      samples,
      Contains(Pair(sample("tally_call_errors_total", R"(kind="connection failure",effect="unknown")"), 1)));
  EXPECT_THAT(samples, Contains(Pair(
                           sample("tally_call_errors_total", R"(kind="invalid request",effect="none")"), 1)));
  EXPECT_THAT(samples, Contains(Pair(sample("tally_responses_total", R"(status="none")"), 1)));
}

TEST(MetricsObserver, SortsDurationsIntoBuckets) {
  Counted call;
  call.respond(ok(recordJson("pr_1")));
  call.respond(lockTimeout());
  call.respond(ok(recordJson("pr_1")));
  ASSERT_TRUE(call.report());
  ASSERT_TRUE(call.report());
  const Samples samples = call.samples();
  EXPECT_EQ(samples.at(sample("tally_attempt_duration_seconds_bucket", R"(le="0.025")")), 0);
  EXPECT_EQ(samples.at(sample("tally_attempt_duration_seconds_bucket", R"(le="0.05")")), 3);
  EXPECT_EQ(samples.at(sample("tally_attempt_duration_seconds_count")), 3);
  EXPECT_NEAR(samples.at(sample("tally_attempt_duration_seconds_sum")), 0.09, 1e-9);
  EXPECT_EQ(samples.at(sample("tally_call_duration_seconds_bucket", R"(le="0.05")")), 1);
  EXPECT_EQ(samples.at(sample("tally_call_duration_seconds_bucket", R"(le="1")")), 2);
}

TEST(MetricsObserver, CountsADurationAtABoundInTheLowerBucket) {
  MetricsObserver counters;
  for (const std::chrono::nanoseconds duration : {5'000'000ns, 5'000'001ns, std::chrono::nanoseconds{61s}})
    counters.on({.kind = EventKind::callEnded, .operation = "files.list", .duration = duration});
  const Samples samples = readMetrics(counters.prometheusText());
  const auto upTo = [&](const std::string& bound) {
    return samples.at(R"(tally_call_duration_seconds_bucket{operation="files.list",le=")" + bound + "\"}");
  };
  EXPECT_EQ(upTo("0.005"), 1);
  EXPECT_EQ(upTo("0.01"), 2);
  EXPECT_EQ(upTo("60"), 2);
  EXPECT_EQ(upTo("+Inf"), 3);
  EXPECT_THAT(counters.prometheusText(), HasSubstr("_sum{operation=\"files.list\"} 61.010000001\n"));
}

TEST(MetricsObserver, CountsAttemptsInFlight) {
  Counted call;
  double during = 0;
  call.transport->onSend = [&] { during = call.samples().at(sample("tally_attempts_in_flight")); };
  call.respond(ok(recordJson("pr_1")));
  ASSERT_TRUE(call.report());
  EXPECT_EQ(during, 1);
  EXPECT_EQ(call.samples().at(sample("tally_attempts_in_flight")), 0);
}

/// Fails for a kind of event that is not counted. A wait counts when it ends.
TEST(MetricsObserver, CountsEveryKindOfEventExceptBeginningsOfWaits) {
  const std::set<std::string_view> beginnings = {"queued", "throttled", "backoff_started"};
  int kinds = 0;
  for (; toString(static_cast<EventKind>(kinds)) != "unknown event"; ++kinds) {
    MetricsObserver counters;
    const auto kind = static_cast<EventKind>(kinds);
    counters.on({.kind = kind, .operation = "files.list", .duration = 2s});
    EXPECT_EQ(readMetrics(counters.prometheusText()).empty(), beginnings.contains(toString(kind)))
        << toString(kind);
  }
  EXPECT_GE(kinds, 9);
}

TEST(MetricsObserver, ProvidesASampleForEveryErrorKindEffectAndOperation) {
  MetricsObserver counters;
  std::size_t expected = 0;
  for (const detail::AnyOperation* operation : detail::operations)
    for (int kind = 0; toString(static_cast<ErrorKind>(kind)) != "unknown error"; ++kind)
      for (const Effect effect : {Effect::none, Effect::unknown}) {
        const Error error{{.kind = static_cast<ErrorKind>(kind), .effect = effect}};
        counters.on({.kind = EventKind::callEnded, .operation = operation->name, .error = &error});
        ++expected;
      }
  const auto isError = [](const auto& sample) { return sample.first.starts_with("tally_call_errors_total"); };
  const Samples samples = readMetrics(counters.prometheusText());
  EXPECT_EQ(static_cast<std::size_t>(std::ranges::count_if(samples, isError)), expected);
  EXPECT_EQ(samples.count(R"(tally_call_errors_total{operation="other",kind="timeout",effect="none"})"), 0U);
}

std::set<std::string> linesAbout(const std::string& text, const std::string& about) {
  std::set<std::string> lines;
  std::istringstream in{text};
  for (std::string line; std::getline(in, line);)
    if (line.starts_with(about + '{')) lines.insert(line);
  return lines;
}

/// Made-up values from a service can't create more samples than this.
TEST(MetricsObserver, LimitsTheNumberOfSamplesForAnyInput) {
  MetricsObserver counters;
  for (int status = -1'000; status < 2'000; ++status) {
    const std::string made = "x\"\\\n" + std::to_string(status);
    const Error error{
        {.kind = ErrorKind::rateLimited, .rateLimitedReason = OpenEnum<RateLimitedReason>{made}}};
    counters.on({.kind = EventKind::attemptEnded, .operation = made, .status = status, .error = &error});
  }
  EXPECT_EQ(linesAbout(counters.prometheusText(), "tally_responses_total").size(), 18U);
  EXPECT_THAT(linesAbout(counters.prometheusText(), "tally_rate_limited_total"),
              testing::ElementsAre(R"(tally_rate_limited_total{operation="other",reason="other"} 3000)"));
  EXPECT_THAT(readMetrics(counters.prometheusText()),
              Contains(Pair(R"(tally_responses_total{operation="other",status="4xx"})", 94)));
}

TEST(MetricsObserver, CountsEveryEventFromSeveralThreads) {
  const auto counters = std::make_shared<MetricsObserver>();
  constexpr int threads = 4;
  constexpr int calls = 2'000;
  {
    std::vector<std::jthread> running(threads);
    for (std::jthread& thread : running)
      thread = std::jthread{[&] {
        for (int i = 0; i < calls; ++i)
          for (const EventKind kind :
               {EventKind::attemptStarted, EventKind::attemptEnded, EventKind::callEnded})
            counters->on({.kind = kind, .operation = "files.list", .duration = 1s, .status = 200});
      }};
    for (int i = 0; i < 20; ++i)
      static_cast<void>(readMetrics(counters->prometheusText()));  // complete at any time
  }
  const Samples samples = readMetrics(counters->prometheusText());
  EXPECT_EQ(samples.at(R"(tally_calls_total{operation="files.list",outcome="ok"})"), threads * calls);
  EXPECT_EQ(samples.at(R"(tally_attempts_in_flight{operation="files.list"})"), 0);
  EXPECT_EQ(samples.at(R"(tally_call_duration_seconds_sum{operation="files.list"})"), threads * calls);
}

TEST(MetricsObserver, IsPrintedAsPrometheusText) {
  MetricsObserver counters;
  counters.on({.kind = EventKind::callEnded, .operation = "files.list"});
  std::ostringstream out;
  out << counters;
  EXPECT_EQ(out.str(), counters.prometheusText());
  EXPECT_THAT(out.str(), Not(IsEmpty()));
}

}  // namespace
}  // namespace tally::test

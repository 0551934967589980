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

/// A sample of the operation that is called here, or, with labels, one of several.
std::string sample(const std::string& name, const std::string& labels = "") {
  return name + R"({operation="payment_records.report_failed")" + (labels.empty() ? "" : "," + labels) + '}';
}

struct Counted : Harness {
  explicit Counted(const std::shared_ptr<Counters>& observer = std::make_shared<Counters>())
      : Harness({.maxNetworkRetries = 2, .retryRateLimited = true, .observer = observer}),
        counters(observer) {
    transport->onSend = [this] { clock->advance(30ms); };
  }

  Result<PaymentRecord> report(const RequestOptions& options = {}) {
    return client.paymentRecords().reportFailed("pr_1", {.failedAt = std::chrono::sys_seconds{1s}}, options);
  }
  [[nodiscard]] Samples samples() const { return readMetrics(counters->text()); }

  std::shared_ptr<Counters> counters;
};

TEST(Counters, SayNothingBeforeAnythingHappened) {
  EXPECT_EQ(Counters{}.text(), "");
}

TEST(Counters, CountACallThatGoesWell) {
  Counted call;
  call.answer(ok(recordJson("pr_1")));
  ASSERT_TRUE(call.report());
  const Samples samples = call.samples();
  EXPECT_THAT(samples, Contains(Pair(sample("tally_calls_total", R"(outcome="ok")"), 1)));
  EXPECT_THAT(samples, Contains(Pair(sample("tally_attempts_total"), 1)));
  EXPECT_THAT(samples, Contains(Pair(sample("tally_answers_total", R"(status="200")"), 1)));
  EXPECT_THAT(call.counters->text(), Not(HasSubstr("error")));
}

TEST(Counters, CountWhatFailedOnTheWayAndTheRetries) {
  Counted call;
  call.answer(lockTimeout());
  call.answer(refused(429, "rate_limit", {{"Service-Rate-Limited-Reason", "endpoint-rate"}}));
  call.answer(ok(recordJson("pr_1")));
  ASSERT_TRUE(call.report());
  const Samples samples = call.samples();
  EXPECT_THAT(samples, Contains(Pair(sample("tally_calls_total", R"(outcome="ok")"), 1)));
  EXPECT_THAT(samples, Contains(Pair(sample("tally_attempts_total"), 3)));
  EXPECT_THAT(samples, Contains(Pair(sample("tally_attempt_errors_total", R"(kind="lock timeout")"), 1)));
  EXPECT_THAT(samples, Contains(Pair(sample("tally_attempt_errors_total", R"(kind="rate limited")"), 1)));
  EXPECT_THAT(samples, Contains(Pair(sample("tally_rate_limited_total", R"(reason="endpoint-rate")"), 1)));
  EXPECT_THAT(samples, Contains(Pair(sample("tally_answers_total", R"(status="429")"), 2)));
  EXPECT_THAT(samples, Contains(Pair(sample("tally_waits_total", R"(reason="retry")"), 2)));
  const std::chrono::duration<double> waited = call.clock->sleeps[0] + call.clock->sleeps[1];
  EXPECT_THAT(samples, Contains(Pair(sample("tally_waited_seconds_total", R"(reason="retry")"),
                                     testing::DoubleNear(waited.count(), 1e-9))));
  EXPECT_EQ(samples.count(sample("tally_call_errors_total", R"(kind="lock timeout",effect="none")")), 0U);
}

TEST(Counters, CountErrorsByKindAndEffect) {
  Counted call;
  call.answer(lostAnswer());
  call.answer(refused(400, "payment_attempt_already_guaranteed"));
  ASSERT_FALSE(call.report());
  ASSERT_FALSE(call.report());
  const Samples samples = call.samples();
  EXPECT_THAT(samples, Contains(Pair(sample("tally_calls_total", R"(outcome="error")"), 2)));
  EXPECT_THAT(
      samples,
      Contains(Pair(sample("tally_call_errors_total", R"(kind="connection failure",effect="unknown")"), 1)));
  EXPECT_THAT(samples, Contains(Pair(
                           sample("tally_call_errors_total", R"(kind="invalid request",effect="none")"), 1)));
  EXPECT_THAT(samples, Contains(Pair(sample("tally_answers_total", R"(status="none")"), 1)));
}

TEST(Counters, KeepDurationsInBuckets) {
  Counted call;
  call.answer(ok(recordJson("pr_1")));
  call.answer(lockTimeout());
  call.answer(ok(recordJson("pr_1")));
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

TEST(Counters, PutADurationIntoTheBucketThatItFillsAndTheLongestIntoTheLast) {
  Counters counters;
  for (const std::chrono::nanoseconds duration : {5'000'000ns, 5'000'001ns, std::chrono::nanoseconds{61s}})
    counters.on({.kind = EventKind::end, .operation = "files.list", .duration = duration});
  const Samples samples = readMetrics(counters.text());
  const auto upTo = [&](const std::string& bound) {
    return samples.at(R"(tally_call_duration_seconds_bucket{operation="files.list",le=")" + bound + "\"}");
  };
  EXPECT_EQ(upTo("0.005"), 1);
  EXPECT_EQ(upTo("0.01"), 2);
  EXPECT_EQ(upTo("60"), 2);
  EXPECT_EQ(upTo("+Inf"), 3);
  EXPECT_THAT(counters.text(), HasSubstr("_sum{operation=\"files.list\"} 61.010000001\n"));
}

TEST(Counters, TellHowManyRequestsAreInProgress) {
  Counted call;
  double during = 0;
  call.transport->onSend = [&] { during = call.samples().at(sample("tally_attempts_in_progress")); };
  call.answer(ok(recordJson("pr_1")));
  ASSERT_TRUE(call.report());
  EXPECT_EQ(during, 1);
  EXPECT_EQ(call.samples().at(sample("tally_attempts_in_progress")), 0);
}

/// A kind of event that nobody counts fails this. What begins a wait is counted when the wait ends.
TEST(Counters, CountEveryKindOfEvent) {
  const std::set<std::string_view> beginnings = {"queue", "pace", "wait"};
  int kinds = 0;
  for (; toString(static_cast<EventKind>(kinds)) != "unknown event"; ++kinds) {
    Counters counters;
    const auto kind = static_cast<EventKind>(kinds);
    counters.on({.kind = kind, .operation = "files.list", .duration = 2s});
    EXPECT_EQ(readMetrics(counters.text()).empty(), beginnings.contains(toString(kind))) << toString(kind);
  }
  EXPECT_GE(kinds, 9);
}

TEST(Counters, HaveASampleForEveryErrorEffectReasonAndOperation) {
  Counters counters;
  std::size_t expected = 0;
  for (const detail::Operation* operation : detail::operations)
    for (int kind = 0; toString(static_cast<ErrorKind>(kind)) != "unknown error"; ++kind)
      for (const Effect effect : {Effect::none, Effect::unknown}) {
        const Error error{{.kind = static_cast<ErrorKind>(kind), .effect = effect}};
        counters.on({.kind = EventKind::end, .operation = operation->name, .error = &error});
        ++expected;
      }
  const auto isError = [](const auto& sample) { return sample.first.starts_with("tally_call_errors_total"); };
  const Samples samples = readMetrics(counters.text());
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

/// Whatever a service makes up, it can make up no more samples than this.
TEST(Counters, AreBoundedWhateverIsSent) {
  Counters counters;
  for (int status = -1'000; status < 2'000; ++status) {
    const std::string made = "x\"\\\n" + std::to_string(status);
    const Error error{
        {.kind = ErrorKind::rateLimited, .rateLimitedReason = OpenEnum<RateLimitedReason>{made}}};
    counters.on({.kind = EventKind::answer, .operation = made, .status = status, .error = &error});
  }
  EXPECT_EQ(linesAbout(counters.text(), "tally_answers_total").size(), 18U);
  EXPECT_THAT(linesAbout(counters.text(), "tally_rate_limited_total"),
              testing::ElementsAre(R"(tally_rate_limited_total{operation="other",reason="other"} 3000)"));
  EXPECT_THAT(readMetrics(counters.text()),
              Contains(Pair(R"(tally_answers_total{operation="other",status="4xx"})", 94)));
}

TEST(Counters, LoseNothingToThreads) {
  const auto counters = std::make_shared<Counters>();
  constexpr int threads = 4;
  constexpr int calls = 2'000;
  {
    std::vector<std::jthread> running(threads);
    for (std::jthread& thread : running)
      thread = std::jthread{[&] {
        for (int i = 0; i < calls; ++i)
          for (const EventKind kind : {EventKind::attempt, EventKind::answer, EventKind::end})
            counters->on({.kind = kind, .operation = "files.list", .duration = 1s, .status = 200});
      }};
    for (int i = 0; i < 20; ++i)
      static_cast<void>(readMetrics(counters->text()));  // whole at any time
  }
  const Samples samples = readMetrics(counters->text());
  EXPECT_EQ(samples.at(R"(tally_calls_total{operation="files.list",outcome="ok"})"), threads * calls);
  EXPECT_EQ(samples.at(R"(tally_attempts_in_progress{operation="files.list"})"), 0);
  EXPECT_EQ(samples.at(R"(tally_call_duration_seconds_sum{operation="files.list"})"), threads * calls);
}

TEST(Counters, PrintTheirText) {
  Counters counters;
  counters.on({.kind = EventKind::end, .operation = "files.list"});
  std::ostringstream out;
  out << counters;
  EXPECT_EQ(out.str(), counters.text());
  EXPECT_THAT(out.str(), Not(IsEmpty()));
}

}  // namespace
}  // namespace tally::test

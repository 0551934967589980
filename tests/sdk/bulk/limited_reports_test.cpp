// reportAll() at the limits of the service, in virtual time: a job that makes progress leaves nothing unsent
// because of a limit, sends few requests that are refused, and is nearly as fast as the limit.

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <tally/fake/sent_request.h>
#include <tally/fake/service.h>
#include <tally/limits.h>
#include <tally/pacer.h>
#include <tally/report_all.h>
#include <tally/tally.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sdk/support/bulk_reports.h"

namespace tally::test {
namespace {

using namespace std::chrono_literals;
using std::chrono::sys_seconds;
using testing::HasSubstr;

/// What a job was told, and what the service saw.
struct Outcome {
  ReportSummary summary{};
  std::map<ReportEnd, int> ends{};
  std::vector<std::string> reasons{};  // of what is not applied
  std::chrono::nanoseconds took{};
};

class LimitedReports : public testing::Test {
 protected:
  void setLimit(const std::string& limit, std::optional<std::int64_t> value, const std::string& of = {}) {
    service.limits().set({.limit = limit, .value = value, .operation = of});
  }

  void useUpReads() {
    setLimit("global_rate", std::nullopt);
    setLimit("endpoint_rate", std::nullopt);
    for (std::int64_t i = 0; i < limits::readAllocation.minimum; ++i)
      (void)service.handle({.url = "/v1/accounts", .headers = {{"Authorization", "Bearer " + key}}});
    service.limits().reset();
    service.clock()->advance(2s);
    service.requests().clear();
  }

  /// Reports on new records, with these outcomes in turn.
  std::vector<Report> makeReports(int count, const std::vector<std::string>& outcomes = {"canceled", "failed",
                                                                                         "guaranteed"}) {
    std::vector<Report> reports;
    for (int i = 0; i < count; ++i) {
      const auto record = service.insert<PaymentRecord>(key);
      const auto number = static_cast<std::size_t>(i);
      reports.push_back({.id = record.id.str(),
                         .outcome = outcomes[number % outcomes.size()],
                         .time = sys_seconds{1767225600s},
                         .attempt = record.latestPaymentAttemptRecord.str()});
    }
    return reports;
  }

  Outcome run(const std::vector<Report>& reports, ReportAllOptions options = {},
              const std::shared_ptr<Pacer>& pacer = nullptr, const Backoff& backoff = {}) {
    ClientOptions clientOptions = service.clientOptions(key);
    clientOptions.pacer = pacer;
    clientOptions.backoff = backoff;
    const Client client{clientOptions};
    Outcome outcome;
    const Instant start = client.clock().now();
    outcome.summary = reportAll(client, reports, std::move(options), [&](const ReportResult& result) {
      ++outcome.ends[result.end];
      if (result.end != ReportEnd::applied) outcome.reasons.push_back(result.reason);
    });
    outcome.took = client.clock().now() - start;
    return outcome;
  }

  /// Every report was applied once, with at most `requests` requests per report. The job took at most `times`
  /// times the least time that the limit permits.
  void expectAllApplied(const Outcome& outcome, std::size_t reports, std::chrono::seconds least,
                        double requests, double times) {
    EXPECT_TRUE(outcome.summary.isComplete) << outcome.summary;
    EXPECT_EQ(outcome.ends, (std::map<ReportEnd, int>{{ReportEnd::applied, static_cast<int>(reports)}}))
        << testing::PrintToString(std::vector(
               outcome.reasons.begin(),
               outcome.reasons.begin() + std::min<std::ptrdiff_t>(std::ssize(outcome.reasons), 3)));
    expectEachOnce(reports);
    EXPECT_LE(requestsFor(reports), requests);
    const double took = std::chrono::duration<double>{outcome.took} / least;
    EXPECT_LE(took, times);
    std::cerr << "MEASURED " << requestsFor(reports) << " requests, " << took << " times the least\n";
  }

  /// The job gave up all reports after a retry timeout of one minute.
  static void expectNoneSucceeded(const Outcome& outcome, int reports, const std::string& reason) {
    EXPECT_THAT(outcome.summary.problem,
                testing::AllOf(HasSubstr("nothing succeeds anymore"), HasSubstr(reason)));
    EXPECT_EQ(outcome.ends, (std::map<ReportEnd, int>{{ReportEnd::unsent, reports}}));
    EXPECT_GE(outcome.took, 1min);
    EXPECT_LE(outcome.took, 1min + 15s);
  }

  void expectEachOnce(std::size_t reports) {
    std::map<std::string, int> applied;
    for (const fake::LoggedRequest& request : service.requests().list())
      if (request.processed && request.method == "POST") ++applied[request.object];
    EXPECT_EQ(applied.size(), reports);
    for (const auto& [object, times] : applied)
      EXPECT_EQ(times, 1) << object;
  }

  [[nodiscard]] double requestsFor(std::size_t reports) const {
    return static_cast<double>(service.requests().size()) / static_cast<double>(reports);
  }

  fake::Service service{{.requestLog = 1'000'000}};
  std::string key = service.addAccount().sandboxKey;
};

TEST_F(LimitedReports, AreAllAppliedAtALimitOfTwoPerSecond) {
  setLimit("global_rate", 2);
  const auto reports = makeReports(1'500);
  expectAllApplied(run(reports), 1'500, 750s, 1.25, 1.2);
}

TEST_F(LimitedReports, AreAllAppliedWithALargeWindow) {
  const auto reports = makeReports(10'000);
  expectAllApplied(run(reports, {.window = 10'000}), 10'000, 400s, 1.1, 1.15);
}

TEST_F(LimitedReports, AreAllAppliedByManyJobsInOneAccount) {
  constexpr std::size_t jobs = 8;
  std::vector<std::vector<Report>> reports;
  for (std::size_t i = 0; i < jobs; ++i)
    reports.push_back(makeReports(1'500));
  std::vector<Outcome> outcomes(jobs);
  const Instant start = service.clock()->now();
  service.clock()->runThreads(jobs, [&](std::size_t i) {
    outcomes[i] =
        run(reports[i], {}, std::make_shared<Pacer>(PacerOptions{.livemode = false, .windowMargin = 0ms}));
  });
  Outcome all{.summary = outcomes[0].summary, .took = service.clock()->now() - start};
  for (const Outcome& outcome : outcomes) {
    EXPECT_TRUE(outcome.summary.isComplete) << outcome.summary;
    for (const auto& [end, count] : outcome.ends)
      all.ends[end] += count;
  }
  expectAllApplied(all, jobs * 1'500, 480s, 1.5, 1.5);
}

TEST_F(LimitedReports, AreAllAppliedByManyJobsWithoutAPacer) {
  constexpr std::size_t jobs = 8;
  std::vector<std::vector<Report>> reports;
  for (std::size_t i = 0; i < jobs; ++i)
    reports.push_back(makeReports(500));
  std::vector<Outcome> outcomes(jobs);
  const Instant start = service.clock()->now();
  service.clock()->runThreads(jobs, [&](std::size_t i) { outcomes[i] = run(reports[i]); });
  Outcome all{.summary = outcomes[0].summary, .took = service.clock()->now() - start};
  for (const Outcome& outcome : outcomes)
    for (const auto& [end, count] : outcome.ends)
      all.ends[end] += count;
  expectAllApplied(all, jobs * 500, 160s, 1.5, 1.5);
}

TEST_F(LimitedReports, AreAllAppliedIfReadsAreLimited) {
  setLimit("global_rate", std::nullopt);
  setLimit("endpoint_rate", 3, "payment_records.retrieve");
  const auto reports = makeReports(600, {"failed"});
  expectAllApplied(run(reports, {.readBefore = ReadBefore::always, .retryTimeout = 30s}), 600, 200s, 2.25,
                   1.2);
}

/// After a crash, each report with an intent has to be looked up, although the pacer held it back.
TEST_F(LimitedReports, AreJournaledOnlyShortlyBeforeThePacerAdmitsThem) {
  const auto journal = std::make_shared<MemoryJournal>();
  std::ptrdiff_t intended = 0;
  std::ptrdiff_t most = 0;
  journal->onWrite = [&](std::span<const JournalIntent> intents) {
    intended += std::ssize(intents);
    most = std::max(most, intended - static_cast<std::ptrdiff_t>(service.requests().size()));
  };
  const auto reports = makeReports(600);
  const Outcome outcome = run(reports, {.journal = journal, .source = "input", .maxInFlight = 64},
                              std::make_shared<Pacer>(PacerOptions{.livemode = false}));
  expectAllApplied(outcome, 600, 24s, 1.0, 1.2);
  EXPECT_EQ(intended, 600);
  EXPECT_LE(most, 64 / 4);
}

/// An object that is read long before the report on it is sent may have changed since.
TEST_F(LimitedReports, AreSentSoonAfterTheirObjectsAreRead) {
  constexpr std::ptrdiff_t slots = 32;  // of each kind of call
  const auto reports = makeReports(600, {"failed"});
  const Outcome outcome = run(reports, {.readBefore = ReadBefore::always, .maxInFlight = slots / 4});
  ASSERT_TRUE(outcome.summary.isComplete) << outcome.summary;
  std::ptrdiff_t read = 0;
  std::ptrdiff_t most = 0;
  for (const fake::LoggedRequest& request : service.requests().list()) {
    if (request.status != 200) continue;
    read += request.method == "GET" ? 1 : -1;
    most = std::max(most, read);
  }
  EXPECT_LE(most, 2 * slots);
}

TEST_F(LimitedReports, AreAllAppliedWithALowConcurrencyLimit) {
  setLimit("global_rate", std::nullopt);
  setLimit("endpoint_rate", std::nullopt);
  setLimit("endpoint_concurrency", 2, "payment_records.report_failed");
  service.durations().set("payment_records.report_failed", 100ms);
  const auto reports = makeReports(2'000, {"failed"});
  expectAllApplied(run(reports, {.retryTimeout = 30s}), 2'000, 100s, 1.2, 1.15);
}

TEST_F(LimitedReports, AreAllAppliedWithAConcurrencyLimitOfOne) {
  setLimit("global_concurrency", 1);
  setLimit("global_rate", std::nullopt);
  service.durations().set("payment_records.report_failed", 100ms);
  const auto reports = makeReports(500, {"failed"});
  expectAllApplied(run(reports, {.retryTimeout = 30s}), 500, 50s, 1.4, 1.25);
}

/// The window of the limit is longer than the one second that the job assumes.
TEST_F(LimitedReports, AreAllAppliedDespiteALimitWithALongWindow) {
  setLimit("global_rate", std::nullopt);
  service.faults().inject({.times = 25, .error = "rate_limit", .after = 1ms});
  setLimit("endpoint_rate", 20, "payment_records.report_failed");
  const auto reports = makeReports(200, {"failed"});
  const Outcome outcome = run(reports, {.retryTimeout = 3min});
  EXPECT_TRUE(outcome.summary.isComplete) << outcome.summary;
  expectEachOnce(200);
}

TEST_F(LimitedReports, DoNotDelayReportsToOtherEndpoints) {
  setLimit("global_rate", std::nullopt);
  setLimit("endpoint_rate", 1, "payment_records.report_failed");
  const auto reports = makeReports(900, {"canceled", "guaranteed", "failed"});
  std::map<std::string, Instant> last;
  const Instant start = service.clock()->now();
  const Outcome outcome = run(reports, {.window = 900});
  EXPECT_TRUE(outcome.summary.isComplete) << outcome.summary;
  for (const fake::LoggedRequest& request : service.requests().list())
    if (request.processed) last[request.operation] = request.time;
  EXPECT_LE(last["payment_records.report_canceled"] - start, 15s) << "25 per second";
  EXPECT_LE(last["payment_records.report_failed"] - start, 300s * 1.25) << "1 per second";
}

/// A limit of the whole resource, of which one endpoint gets nothing for longer than the retry timeout.
TEST_F(LimitedReports, WaitBeyondTheRetryTimeoutForALimitOfTheirResource) {
  setLimit("global_rate", 2);
  service.faults().inject({.operation = "payment_records.report_failed",
                           .times = fake::FaultRule::unlimited,
                           .error = "rate_limit",
                           .rateLimitedReason = "resource-specific",
                           .period = 60s});
  const auto reports = makeReports(300);
  const Outcome outcome = run(reports, {.retryTimeout = 30s});
  EXPECT_TRUE(outcome.summary.isComplete) << outcome.summary;
  expectEachOnce(300);
}

/// An endpoint that admits nothing, in a job whose other reports succeed for longer than its retry timeout.
TEST_F(LimitedReports, StayUnsentWhenTheirEndpointAdmitsNothing) {
  setLimit("global_rate", 2);
  setLimit("endpoint_rate", 0, "payment_records.report_failed");
  const auto reports = makeReports(300, {"canceled", "canceled", "failed"});
  const Outcome outcome = run(reports, {.retryTimeout = 30s});
  EXPECT_EQ(outcome.summary.problem, "");
  EXPECT_FALSE(outcome.summary.isComplete);
  EXPECT_EQ(outcome.ends, (std::map<ReportEnd, int>{{ReportEnd::applied, 200}, {ReportEnd::unsent, 100}}));
  EXPECT_THAT(outcome.reasons, testing::Each(HasSubstr("rate limited")));
  EXPECT_LE(requestsFor(300), 1.5);
}

TEST_F(LimitedReports, EndTheJobWhenNoneSucceedsWithinTheRetryTimeout) {
  setLimit("global_rate", 0);
  const auto reports = makeReports(100);
  const Outcome outcome = run(reports, {.retryTimeout = 1min});
  expectNoneSucceeded(outcome, 100, "rate limited");
  EXPECT_LE(service.requests().size(), 100U + 15U) << "attempts become rare";
}

TEST_F(LimitedReports, EndTheJobAtTheRetryTimeoutEvenIfAskedToWaitLonger) {
  service.faults().inject({.times = fake::FaultRule::unlimited,
                           .error = "rate_limit",
                           .rateLimitedReason = "global-rate",
                           .headers = {{"Retry-After", "3600"}}});
  const auto reports = makeReports(100);
  const Outcome outcome = run(reports, {.retryTimeout = 1min}, nullptr, {.retryAfterCap = 24h});
  expectNoneSucceeded(outcome, 100, "rate limited");
}

TEST_F(LimitedReports, AreExplainedByTheProgressWhileALimitAdmitsNothing) {
  setLimit("global_rate", 0);
  const auto reports = makeReports(100);
  std::vector<std::string> problems;
  const Outcome outcome = run(
      reports, {.retryTimeout = 1min, .progressInterval = 5s, .onProgress = [&](const ReportProgress& one) {
                  problems.push_back(one.problem);
                }});
  ASSERT_GE(problems.size(), 4U);
  EXPECT_EQ(problems.front(), "") << "a few seconds are normal";
  EXPECT_THAT(problems[problems.size() - 2], HasSubstr("the limit global_rate allows 0"));
  EXPECT_EQ(problems.back(), "") << "nothing is sent anymore";
  EXPECT_THAT(outcome.summary.problem, HasSubstr("the limit global_rate allows 0"));
}

TEST_F(LimitedReports, EndTheJobAfterFewReadsWhenTheReadAllocationIsUsedUp) {
  useUpReads();
  const auto reports = makeReports(300);
  const Outcome outcome = run(reports, {.readBefore = ReadBefore::always, .retryTimeout = 1min});
  expectNoneSucceeded(outcome, 300, "Read allocation exceeded");
  EXPECT_LE(service.requests().size(), 64U + 15U) << "attempts become rare";
}

TEST_F(LimitedReports, AreNotDelayedWhenLostOnesCannotBeRead) {
  useUpReads();
  service.faults().inject({.operation = "payment_records.report_failed",
                           .times = 10,
                           .fault = fake::Fault::responseLost,
                           .every = 3});
  const auto reports = makeReports(300, {"failed"});
  const Outcome outcome = run(reports, {.retryTimeout = 1min});
  EXPECT_EQ(outcome.ends, (std::map<ReportEnd, int>{{ReportEnd::applied, 290}, {ReportEnd::unknown, 10}}));
  EXPECT_THAT(outcome.reasons, testing::Each(HasSubstr("Read allocation exceeded")));
  expectEachOnce(300);
  Instant first = Instant::max();
  Instant last = Instant::min();
  int refusedReads = 0;
  for (const fake::LoggedRequest& request : service.requests().list()) {
    if (request.method == "GET") ++refusedReads;
    if (!request.processed) continue;
    first = std::min(first, request.time);
    last = std::max(last, request.time);
  }
  EXPECT_LE(last - first, 12s * 1.2) << "25 per second";
  EXPECT_LE(refusedReads, 30);
}

/// Another process uses up the limit for longer than half of the retry timeout, again and again.
TEST_F(LimitedReports, AreAllAppliedEvenIfOthersTemporarilyExhaustTheLimit) {
  setLimit("global_rate", std::nullopt);
  for (int i = 0; i < 3; ++i)
    service.faults().inject(
        {.times = fake::FaultRule::unlimited, .error = "rate_limit", .after = i * 60s, .period = 25s});
  setLimit("endpoint_rate", 4, "payment_records.report_failed");
  const auto reports = makeReports(400, {"failed"});
  const Outcome outcome = run(reports, {.retryTimeout = 40s});
  EXPECT_TRUE(outcome.summary.isComplete) << outcome.summary;
  expectEachOnce(400);
}

/// A lock that a report meets now and then, at a limit that delays each attempt for longer than the retry
/// timeout.
TEST_F(LimitedReports, AreAllAppliedDespiteLocksAndALowLimit) {
  setLimit("global_rate", 1);
  service.faults().inject(
      {.operation = "payment_records.report_failed", .times = 60, .error = "lock_timeout"});
  const auto reports = makeReports(120, {"failed"});
  const Outcome outcome = run(reports, {.retryTimeout = 20s});
  EXPECT_TRUE(outcome.summary.isComplete) << outcome.summary;
  expectEachOnce(120);
}

TEST_F(LimitedReports, EndSoonAfterTheJobIsStopped) {
  setLimit("global_rate", 1);
  const auto reports = makeReports(200);
  std::stop_source stop;
  int applied = 0;
  const Client client{service.clientOptions(key)};
  const Instant start = client.clock().now();
  const auto summary =
      reportAll(client, reports, {.stop = stop.get_token()}, [&](const ReportResult& result) {
        if (result.end == ReportEnd::applied && ++applied == 10) stop.request_stop();
      });
  EXPECT_TRUE(summary.stopped);
  EXPECT_EQ(summary.progress.applied + summary.progress.unsent, 200U);
  EXPECT_FALSE(summary.progress.timeLeft);
  EXPECT_LE(client.clock().now() - start, 25s);
}

}  // namespace
}  // namespace tally::test

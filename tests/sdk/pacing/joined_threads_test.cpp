// Threads that have joined the virtual clock are exactly as fast as the limits allow, in every run.

#include <chrono>
#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

#include <tally/limits.h>

#include "sdk/support/paced.h"

namespace tally::test {
namespace {

constexpr std::int64_t reports = 2'000;
constexpr std::int64_t reporters = 8;
constexpr std::int64_t perWindow = *limits::globalRate.sandbox;
static_assert(perWindow <= *limits::endpointRate.sandbox, "the account's limit is the one that counts");

/// The shortest time for all reports if each takes `duration` and counts for `window`: full windows, and then
/// the reports of the last one, as many at a time as there are threads.
std::chrono::nanoseconds shortestTime(std::chrono::nanoseconds duration, std::chrono::nanoseconds window) {
  const std::int64_t windows = (reports - 1) / perWindow;
  const std::int64_t left = reports - windows * perWindow;
  return windows * window + (left + reporters - 1) / reporters * duration;
}

/// What a run is compared by.
struct ReportsRun {
  std::chrono::nanoseconds took{};
  std::vector<std::string> log{};
};

/// Eight threads with one client report on 2,000 records.
ReportsRun reportAll(std::chrono::nanoseconds duration, const PacerOptions& pacing) {
  fake::Service service{{.duration = duration}};
  const std::string key = service.addAccount().sandboxKey;
  ClientOptions options = service.clientOptions(key);
  options.pacer = std::make_shared<Pacer>(pacing);
  const Client client{options};
  std::vector<Id<PaymentRecord>> ids;
  for (std::int64_t n = 0; n <= reports; ++n)
    ids.push_back(service.insert<PaymentRecord>(key).id);
  const auto report = [&](std::int64_t n) {
    const auto reported = client.paymentRecords().reportFailed(ids[static_cast<std::size_t>(n)],
                                                               {.failedAt = std::chrono::sys_seconds{}});
    if (!reported) ADD_FAILURE() << reported.error();
  };
  report(reports);  // from now on, the pacer knows the response time
  service.clock()->advance(2s);

  const Instant begin = service.clock()->now();
  service.clock()->runThreads(reporters, [&](std::size_t thread) {
    for (auto n = static_cast<std::int64_t>(thread); n < reports; n += reporters)
      report(n);
  });
  ReportsRun run{.took = service.clock()->now() - begin};
  for (const fake::LoggedRequest& logged : service.requests().list()) {
    std::ostringstream line;
    line << logged;
    run.log.push_back(line.str());
  }
  return run;
}

void expectShortest(std::chrono::nanoseconds duration, const PacerOptions& pacing) {
  const ReportsRun first = reportAll(duration, pacing);
  EXPECT_EQ(first.took, shortestTime(duration, limits::globalRate.window + pacing.windowMargin));
  EXPECT_EQ(first.log.size(), static_cast<std::size_t>(reports + 1)) << "no report was sent twice";
  for (int again = 0; again < 2; ++again) {
    const ReportsRun run = reportAll(duration, pacing);
    EXPECT_EQ(run.took, first.took);
    EXPECT_EQ(run.log, first.log);
  }
}

TEST(JoinedReports, TakeTheMinimumTimeThatTheLimitsAllow) {
  expectShortest(0ms, {.windowMargin = 0ms});
}

TEST(JoinedReports, TakeTheMinimumTimeThatTheLimitsAndResponseTimesAllow) {
  expectShortest(50ms, {.windowMargin = 0ms});
}

TEST(JoinedReports, AreDelayedOnlyByTheMarginOfEachWindow) {
  expectShortest(50ms, {});
}

TEST(JoinedReports, RunSequentiallyOnOneRecord) {
  fake::Service service;
  const std::string key = service.addAccount().sandboxKey;
  const auto id = service.insert<PaymentRecord>(key).id;
  const Client client{service.clientOptions(key)};
  const Instant begin = service.clock()->now();
  service.clock()->runThreads(reporters, [&](std::size_t) {
    for (int n = 0; n < 10; ++n)
      EXPECT_TRUE(client.paymentRecords().reportFailed(id, {.failedAt = std::chrono::sys_seconds{}}));
  });
  EXPECT_EQ(service.clock()->now() - begin, 10 * reporters * 50ms) << "below the limit of 25 per second";
}

}  // namespace
}  // namespace tally::test

// A program with a pacer, in real time, from the service's view: how many requests are refused, and the
// throughput of the others. Comparisons with the window also hold on a machine that pauses for a while.

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <tally/fake/http_server.h>
#include <tally/fake/service.h>
#include <tally/tally.h>

#include <gtest/gtest.h>

#include "support/process.h"

namespace tally::test {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t limit = 25;  // requests per window in the sandbox
constexpr std::chrono::nanoseconds window = 1s;

/// What the service observed of one process.
struct Seen {
  std::vector<Instant> admitted{};  // times
  std::size_t refused = 0;
  Instant first{};  // request
};

/// The median time for a full limit of consecutive requests.
std::chrono::nanoseconds usualWindow(const std::vector<Instant>& admitted) {
  std::vector<std::chrono::nanoseconds> all;
  for (std::size_t i = limit; i < admitted.size(); ++i)
    all.push_back(admitted[i] - admitted[i - limit]);
  const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
  std::ranges::nth_element(all, middle);
  return *middle;
}

class PacedProcess : public testing::Test {
 protected:
  PacedProcess() { service.clock()->run(); }

  /// Starts the program, and kills it after `count` successful requests.
  Seen run(const std::string& name, int threads, std::chrono::seconds assumeUsed, std::size_t count) {
    Process program{
        TALLY_PACED_PROGRAM,
        {server.url(), key, record.str(), std::to_string(threads), std::to_string(assumeUsed.count()), name}};
    for (std::size_t i = 0; i < count; ++i)
      if (program.line().empty()) throw std::runtime_error{"the program has ended: " + program.rest()};
    program.signal(SIGKILL);
    (void)program.status();
    return seenOf(name);
  }

  /// Whether the previous process exhausted the limit shortly before this one started. Slow machines may fail
  /// this.
  static bool follows(const Seen& next, const Seen& before) {
    return next.first - before.admitted.at(0) < window - 100ms;
  }

  fake::Service service{{.duration = 2ms}};
  std::string key = service.addAccount().sandboxKey;
  Id<PaymentRecord> record = service.insert<PaymentRecord>(key).id;
  fake::HttpServer server{service};

 private:
  [[nodiscard]] Seen seenOf(const std::string& name) const {
    Seen seen;
    for (const fake::LoggedRequest& logged : service.requests().list()) {
      if (std::ranges::find(logged.request.headers, Header{"Program", name}) == logged.request.headers.end())
        continue;
      if (seen.first == Instant{}) seen.first = logged.time;
      if (logged.limit.empty()) {
        seen.admitted.push_back(logged.time);
      } else {
        ++seen.refused;
      }
    }
    return seen;
  }
};

TEST_F(PacedProcess, RunsManyThreadsAtTheLimitWithFewRefusals) {
  const Seen seen = run("only", 32, 0s, 4 * limit);
  EXPECT_LE(seen.refused, 2U);
  EXPECT_LE(usualWindow(seen.admitted), window * 3 / 2);
}

TEST_F(PacedProcess, CausesAtMostOneRefusalAfterAKillIfThePacerAssumesEarlierUse) {
  (void)run("killed", 8, 0s, limit);
  const Seen seen = run("next", 8, 1s, 2 * limit + limit / 2);
  EXPECT_LE(seen.refused, 1U);
  EXPECT_LE(usualWindow(seen.admitted), window * 3 / 2);
}

/// One refusal per thread, because all threads send before the first response arrives.
TEST_F(PacedProcess, RecoversWithinAFewWindowsAfterAKill) {
  const Seen killed = run("killed", 8, 0s, limit);
  const Seen seen = run("next", 8, 0s, 2 * limit + limit / 2);
  EXPECT_TRUE(seen.refused > 0 || !follows(seen, killed));
  EXPECT_LE(seen.refused, 8U + 1U);
  EXPECT_LE(usualWindow(seen.admitted), window * 3 / 2);
  EXPECT_LE(seen.admitted.at(limit - 1) - seen.first, 3 * window);
}

}  // namespace
}  // namespace tally::test

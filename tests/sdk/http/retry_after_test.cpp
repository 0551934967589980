#include "http/retry_after.h"

#include <gtest/gtest.h>

#include "sdk/support/harness.h"

namespace tally::test {
namespace {

using namespace std::chrono_literals;
using detail::retryAfter;
using std::chrono::seconds;

constexpr Instant now{seconds{1'767'225'600}};  // Thu, 01 Jan 2026 00:00:00 GMT

std::optional<seconds> read(const std::string& text, std::vector<Header> others = {}) {
  HttpResponse response{.status = 503, .headers = std::move(others), .body = {}};
  response.headers.push_back({"retry-after", text});
  return retryAfter(response, now);
}

TEST(RetryAfter, CanBeANumberOfSeconds) {
  EXPECT_EQ(read("0"), 0s);
  EXPECT_EQ(read("120"), 120s);
}

TEST(RetryAfter, CanBeADateInAnyOfThreeFormats) {
  EXPECT_EQ(read("Thu, 01 Jan 2026 00:02:00 GMT"), 120s);
  EXPECT_EQ(read("Thursday, 01-Jan-26 00:02:00 GMT"), 120s);
  EXPECT_EQ(read("Thu Jan  1 00:02:00 2026"), 120s);
}

TEST(RetryAfter, IsMeasuredFromTheDateOfTheResponse) {
  EXPECT_EQ(read("Thu, 01 Jan 2026 00:02:00 GMT", {{"Date", "Thu, 01 Jan 2026 00:01:50 GMT"}}), 10s);
  EXPECT_EQ(read("Thu, 01 Jan 2026 00:02:00 GMT", {{"Date", "once upon a time"}}), 120s);
}

TEST(RetryAfter, IgnoresALocalClockThatIsAhead) {
  EXPECT_EQ(read("Wed, 31 Dec 2025 23:50:10 GMT", {{"Date", "Wed, 31 Dec 2025 23:50:00 GMT"}}), 10s);
  EXPECT_EQ(read("Thu, 01 Jan 2026 00:02:00 GMT", {{"Date", "Wed, 31 Dec 2025 23:59:00 GMT"}}), 180s);
}

TEST(RetryAfter, IsZeroForADateInThePast) {
  EXPECT_EQ(read("Thu, 01 Jan 1970 00:00:00 GMT"), 0s);
  EXPECT_EQ(read("Wed, 01 Jan 1969 00:00:00 GMT"), 0s);
  EXPECT_EQ(read("Sunday, 06-Nov-94 08:49:37 GMT"), 0s);
  EXPECT_EQ(read("Thursday, 01-Jan-70 00:00:00 GMT"), 0s);
  EXPECT_EQ(read("Thu, 01 Jan 2026 00:02:00 GMT", {{"Date", "Thu, 01 Jan 2026 00:02:01 GMT"}}), 0s);
}

TEST(RetryAfter, AcceptsVeryLargeNumbersAndDistantDates) {
  EXPECT_GT(read("99999999999999999999999999"), 365 * 24h);
  EXPECT_GT(read("Fri, 31 Dec 9999 23:59:59 GMT"), 365 * 24h);
}

TEST(RetryAfter, IsIgnoredWhenUnreadable) {
  for (const char* bad : {"", " ", "-1", "+5", "1.5", "soon", "5 seconds", "0x10", "Thu, 99 Jan 2026",
                          "Tue, 31 Feb 2026 00:00:00 GMT", "Thu, 01 Jan 2026 00:02:00 CET",
                          "Thu, 01 Jan 2026 00:02:00", "Thu, 01 Jan 2026 25:02:00 GMT"})
    EXPECT_EQ(read(bad), std::nullopt) << bad;
}

TEST(RetryAfter, IsEmptyWhenMissing) {
  EXPECT_EQ(retryAfter({.status = 503, .headers = {}, .body = {}}, now), std::nullopt);
}

/// The wait before a retry after a response with that header.
std::chrono::nanoseconds waited(const std::string& text, Backoff backoff = {}) {
  Harness harness{{.maxNetworkRetries = 1, .backoff = backoff}};
  harness.respond(refused(429, "lock_timeout", {{"Retry-After", text}}));
  harness.respond(ok(recordJson("pr_1")));
  EXPECT_TRUE(harness.client.paymentRecords().retrieve("pr_1"));
  return harness.clock->sleeps.at(0);
}

TEST(RetryAfter, IsAddedToTheBackoff) {
  EXPECT_GT(waited("20"), 20s + 250ms);
  EXPECT_LE(waited("20"), 20s + 500ms);
  EXPECT_LE(waited("soon"), 500ms);
}

TEST(RetryAfter, IsLimitedByItsCap) {
  EXPECT_LE(waited("3600"), 60s + 500ms);
  EXPECT_LE(waited("3600", {.retryAfterCap = 5s}), 5s + 500ms);
}

TEST(RetryAfter, IsAvailableInTheError) {
  Harness harness;
  harness.respond(refused(503, "api_error", {{"Retry-After", "7"}}));
  EXPECT_EQ(harness.client.paymentRecords().retrieve("pr_1").error().retryAfter(), 7s);
}

TEST(RetryAfter, EndsTheCallIfTheWaitWouldReachTheDeadline) {
  Harness harness{{.maxNetworkRetries = 1}};
  harness.respond(refused(429, "lock_timeout", {{"Retry-After", "20"}}));
  const auto result =
      harness.client.paymentRecords().retrieve("pr_1", {.deadline = harness.clock->now() + 20s});
  EXPECT_EQ(result.error().kind(), ErrorKind::deadlineExceeded);
  EXPECT_TRUE(harness.clock->sleeps.empty());
}

}  // namespace
}  // namespace tally::test

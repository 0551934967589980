#include "call/read_counter.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <ranges>
#include <stdexcept>
#include <thread>
#include <vector>

#include <tally/tally.h>

#include <gtest/gtest.h>

#include "sdk/support/harness.h"

namespace tally {
namespace {

using namespace std::chrono_literals;
using test::Harness;

constexpr auto days30 = limits::readAllocation.window;

class ReadsUsedTest : public testing::Test {
 protected:
  void retrieve(TransportResult response, const RequestOptions& options = {}) {
    h.respond(std::move(response));
    (void)h.client.paymentRecords().retrieve("pr_1", options);
  }

  [[nodiscard]] std::int64_t own() const { return h.client.readsUsed().own; }

  Harness h{};
  TransportResult record = test::ok(test::recordJson("pr_1"));
};

TEST_F(ReadsUsedTest, IncludeReadsOfAllCopiesOfAClient) {
  h.respond(test::ok(test::pageJson({"pr_1"}, true)));
  h.respond(test::ok(test::pageJson({"pr_2"}, false)));
  const Client copy = h.client;
  for (const auto& each : copy.paymentRecords().list())
    EXPECT_TRUE(each);
  retrieve(record);
  EXPECT_EQ(h.client.readsUsed(), (ReadsUsed{.own = 3}));
}

TEST_F(ReadsUsedTest, ExcludeWritesAndExemptReads) {
  h.respond(record);
  EXPECT_TRUE(h.client.paymentRecords().reportFailed("pr_1", {.failedAt = std::chrono::sys_seconds{1s}}));
  for (int i = 0; i < 3; ++i)
    h.respond(test::ok(test::pageJson({}, false)));
  EXPECT_TRUE(h.client.dataExports().list().collect(1));
  EXPECT_TRUE(h.client.reportingReportRuns().list().collect(1));
  EXPECT_TRUE(h.client.taxRegistrations().list().collect(1));
  EXPECT_EQ(h.client.readsUsed(), ReadsUsed{});
}

TEST_F(ReadsUsedTest, ExcludeReadsThatTheServiceDidNotAdmit) {
  for (const int status : {401, 403, 407, 429})
    retrieve(test::refused(status, "no"));
  retrieve(test::lockTimeout());
  retrieve(test::notSent());
  EXPECT_EQ(own(), 0);
  for (const int status : {400, 404})
    retrieve(test::refused(status, "no"));
  EXPECT_EQ(own(), 2);
}

TEST_F(ReadsUsedTest, IncludeReadsThatMayHaveBeenAdmitted) {
  retrieve(test::lostResponse());
  retrieve(test::refused(500, "api_error"));
  retrieve(test::ok("no JSON"));
  EXPECT_EQ(own(), 3);
}

TEST_F(ReadsUsedTest, IncludeEachAttemptThatMayHaveBeenAdmitted) {
  h.respond(test::lostResponse());
  h.respond(test::notSent());
  retrieve(record, {.maxNetworkRetries = 2});
  EXPECT_TRUE(h.transport->responses.empty());
  EXPECT_EQ(own(), 2) << "one did not expire";
}

TEST_F(ReadsUsedTest, AreSeparateForEachAllocation) {
  retrieve(record);
  retrieve(record, {.apiKey = "sk_test_1"});
  retrieve(record, {.connectedAccount = "acct_1"});
  retrieve(record, {.connectedAccount = "acct_2"});
  retrieve(record, {.connectedAccount = "acct_2"});
  retrieve(record, {.apiKey = "token"});
  EXPECT_EQ(h.client.readsUsed(), (ReadsUsed{.own = 2, .onBehalf = 3, .otherKeys = 1}));
}

TEST_F(ReadsUsedTest, CountByTheHeaderWhenItNamesTheConnectedAccount) {
  retrieve(record, {.headers = {{"Service-Account", "acct_1"}}});
  retrieve(record, {.connectedAccount = "", .headers = {{"service-account", "acct_1"}}});
  retrieve(record, {.connectedAccount = "acct_1"});
  retrieve(record, {.connectedAccount = "acct_1", .headers = {{"Service-Account", ""}}});
  retrieve(record, {.headers = {{"Service-Account", "acct_1"}, {"Service-Account", ""}}});
  EXPECT_EQ(h.client.readsUsed(), (ReadsUsed{.own = 2, .onBehalf = 3}));
  for (const HttpRequest& request : h.transport->requests | std::views::drop(3))
    EXPECT_EQ(*test::find(request.headers, "Service-Account"), "");
}

TEST_F(ReadsUsedTest, CountByTheHeaderWhenItContainsTheKey) {
  retrieve(record, {.headers = {{"Authorization", "Bearer sk_test_1"}}});
  retrieve(record, {.apiKey = "token", .headers = {{"authorization", "Bearer sk_test_1"}}});
  EXPECT_EQ(h.client.readsUsed(), (ReadsUsed{.own = 2}));
  retrieve(record, {.headers = {{"Authorization", "Bearer sk_test_2"}}});
  retrieve(record, {.apiKey = "sk_test_1", .headers = {{"authorization", "Bearer token"}}});
  retrieve(record, {.headers = {{"Authorization", "sk_test_1"}}});
  EXPECT_EQ(h.client.readsUsed(), (ReadsUsed{.own = 2, .otherKeys = 3}));
}

TEST(ReadsUsed, CountByTheHeadersOfTheClientUnlessACallReplacesThem) {
  Harness h{{.headers = {{"Authorization", "Bearer token"}, {"Service-Account", "acct_1"}}}};
  const auto usedBy = [&](const RequestOptions& options) {
    const ReadsUsed before = h.client.readsUsed();
    h.respond(test::ok(test::recordJson("pr_1")));
    EXPECT_TRUE(h.client.paymentRecords().retrieve("pr_1", options));
    const ReadsUsed now = h.client.readsUsed();
    return ReadsUsed{now.own - before.own, now.onBehalf - before.onBehalf, now.otherKeys - before.otherKeys};
  };
  EXPECT_EQ(usedBy({}), (ReadsUsed{.onBehalf = 1}));
  EXPECT_EQ(usedBy({.connectedAccount = ""}), (ReadsUsed{.onBehalf = 1}));
  EXPECT_EQ(usedBy({.apiKey = "sk_test_2"}), (ReadsUsed{.onBehalf = 1})) << "the header replaces the key";
  EXPECT_EQ(usedBy({.headers = {{"Authorization", "Bearer token"}}}), (ReadsUsed{.onBehalf = 1}));
  EXPECT_EQ(usedBy({.headers = {{"Authorization", "Bearer sk_test_1"}}}), (ReadsUsed{.otherKeys = 1}));
  EXPECT_EQ(usedBy({.headers = {{"Service-Account", ""}}}), (ReadsUsed{.own = 1}));
}

TEST(ReadsUsed, CountReadsForAConnectedAccountAsReadsOnBehalf) {
  Harness h{{.connectedAccount = "acct_1"}};
  for (int i = 0; i < 2; ++i)
    h.respond(test::ok(test::recordJson("pr_1")));
  EXPECT_TRUE(h.client.paymentRecords().retrieve("pr_1"));
  EXPECT_TRUE(h.client.paymentRecords().retrieve("pr_1", {.connectedAccount = ""}));
  EXPECT_EQ(h.client.readsUsed(), (ReadsUsed{.own = 1, .onBehalf = 1}));
}

TEST_F(ReadsUsedTest, ExpireAfter30Days) {
  retrieve(record);
  h.clock->advance(days30 - 1ns);
  retrieve(record);
  EXPECT_EQ(own(), 2);
  h.clock->advance(1ns);
  EXPECT_EQ(own(), 1);
}

TEST(ReadsUsed, ContinueFromTheCountsOfAnEarlierProcess) {
  const ReadsUsed before{.own = 400, .onBehalf = 30, .otherKeys = 2};
  Harness h{{.readsUsedBefore = before}};
  EXPECT_EQ(h.client.readsUsed(), before);
  h.clock->advance(days30);
  EXPECT_EQ(h.client.readsUsed(), ReadsUsed{});
}

TEST(ReadsUsed, DoNotOverflow) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  Harness h{{.readsUsedBefore = {.own = most, .onBehalf = most, .otherKeys = most}}};
  h.respond(test::ok(test::recordJson("pr_1")));
  EXPECT_TRUE(h.client.paymentRecords().retrieve("pr_1"));
  const ReadsUsed used = h.client.readsUsed();
  EXPECT_GT(std::min({used.own, used.onBehalf, used.otherKeys}), most / 4);
}

TEST(ReadsUsed, CanBePrinted) {
  EXPECT_EQ(testing::PrintToString(ReadsUsed{.own = 12, .onBehalf = 3}),
            "12 own, 3 on behalf, 0 with other keys");
}

TEST(ReadsUsed, RefuseNegativeCounts) {
  EXPECT_THROW(Harness{{.readsUsedBefore = {.own = -1}}}, std::invalid_argument);
}

TEST(ReadAllocationTest, IsTheLargerOfTheMinimumAnd500PerTransaction) {
  constexpr ReadAllocation allocation = limits::readAllocation;
  static_assert(allocation.allowed(0) == 10'000);
  static_assert(allocation.allowed(20) == 10'000);
  static_assert(allocation.allowed(21) == 10'500);
  static_assert(allocation.allowed(100) == 50'000);
  static_assert(allocation.allowed(std::numeric_limits<std::int64_t>::max()) ==
                std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(allocation.allowed(-1), 10'000);
}

constexpr auto own = detail::ReadCounter::Payer::own;

TEST(ReadCounter, AcceptsTimesThatGoBackward) {
  const Instant start{};
  detail::ReadCounter counter{{}, start};
  counter.add(own, start + 2s);
  counter.add(own, start + 1s);
  EXPECT_EQ(counter.used(start).own, 2);
  EXPECT_EQ(counter.used(start + days30 + 2s - 1ns).own, 2) << "too long rather than too short";
  EXPECT_EQ(counter.used(start + days30 + 2s).own, 0);
}

TEST(ReadCounter, DoesNotExpireReadsEarlyWhenTimesGoBackward) {
  constexpr int exact = 2'048;  // instants; with more, neighbors are merged
  detail::ReadCounter counter{{}, Instant{}};
  for (int i = 1; i <= exact; ++i)
    counter.add(own, Instant{i * 1ms});
  counter.add(own, Instant{exact * 1ms - 1us});
  counter.add(own, Instant{exact * 1ms - 2us});
  EXPECT_EQ(counter.used(Instant{days30 + exact * 1ms - 1ns}).own, 3);
}

TEST(ReadCounter, CountsEveryReadMadeBySeveralThreads) {
  detail::ReadCounter counter{{}, Instant{}};
  constexpr std::size_t count = 4;
  std::vector<std::jthread> threads;
  threads.reserve(count);
  while (threads.size() < count)
    threads.emplace_back([&] {
      for (int i = 0; i < 5'000; ++i)
        counter.add(own, Instant{std::chrono::seconds{i}});
    });
  threads.clear();
  EXPECT_EQ(counter.used(Instant{5'000s}).own, 20'000);
}

}  // namespace
}  // namespace tally

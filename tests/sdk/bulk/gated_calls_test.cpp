#include "bulk/gated_calls.h"

#include <deque>
#include <optional>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sdk/support/bulk_rows.h"

namespace tally::test {
namespace {

using namespace std::chrono_literals;
using detail::Action;
using detail::BulkRow;
using detail::GatedCalls;
using ::testing::ElementsAre;

class GatedCallsTest : public testing::Test {
 protected:
  BulkRow& wait(Action action = Action::send, const std::string* connectedAccount = nullptr) {
    BulkRow& row = rows.emplace_back(makeRow(rows.size()));
    row.action = action;
    row.connectedAccount = connectedAccount;
    row.turn = now;
    calls.wait(row, now);
    return row;
  }
  /// The numbers of the calls that begin now.
  std::string begin(bool heedsGates = true) {
    std::string begun;
    while (const BulkRow* row = calls.begin(now, heedsGates))
      begun += std::to_string(row->number);
    return begun;
  }
  /// Lets the row's call end with a refusal.
  void refuse(BulkRow& row, RateLimitedReason reason, std::chrono::nanoseconds retryAfter = 0ns) {
    row.error = limitError(reason);
    calls.end(row, now);
    (void)calls.refuse(row, retryAfter, 0.5, now);
  }
  /// Begins a call that the service refuses 10 ms later.
  void refuseOne(RateLimitedReason reason, std::chrono::nanoseconds retryAfter = 0ns) {
    BulkRow& row = wait();
    ASSERT_EQ(calls.begin(now, true), &row);
    now += 10ms;
    refuse(row, reason, retryAfter);
  }

  Backoff backoff{};
  GatedCalls calls{backoff, {.now = 2, .most = 3}};
  std::deque<BulkRow> rows{};
  Instant now = std::chrono::sys_days{std::chrono::year{2026} / 1 / 1};
};

TEST_F(GatedCallsTest, StartsCallsInTheOrderInWhichReportsGotTheirTurns) {
  BulkRow& first = wait(Action::read);
  now += 1s;
  (void)wait(Action::send);
  EXPECT_EQ(begin(), "01");
  calls.leave(first);
  now += 1s;
  (void)wait(Action::read);
  now += 1s;
  first.action = Action::send;
  calls.wait(first, now);
  EXPECT_EQ(begin(), "02") << "the report was read before, and its turn is older";
}

TEST_F(GatedCallsTest, StartsCallsThatResolveReportsBeforeOthers) {
  (void)wait(Action::read);
  (void)wait(Action::send);
  now += 1s;
  (void)wait(Action::resolve);
  EXPECT_EQ(begin(), "201");
}

TEST_F(GatedCallsTest, LimitsTheNumberOfCallsInFlightOfEachKind) {
  for (int n = 0; n < 4; ++n)
    (void)wait(Action::send);
  (void)wait(Action::read);
  EXPECT_EQ(begin(), "014");
  EXPECT_EQ(calls.opening(now), Instant::max()) << "only the end of a call lets another one begin";
  calls.leave(rows[0]);
  EXPECT_EQ(calls.opening(now), now);
  EXPECT_EQ(begin(), "2");
}

TEST_F(GatedCallsTest, FreesASlotOnlyOnce) {
  for (int n = 0; n < 5; ++n)
    (void)wait();
  EXPECT_EQ(begin(), "01");
  calls.leave(rows[0]);
  calls.leave(rows[0]);
  EXPECT_EQ(begin(), "2");
}

TEST_F(GatedCallsTest, AddsSlotsUpToTheMaximum) {
  for (int n = 0; n < 5; ++n)
    (void)wait();
  EXPECT_EQ(begin(), "01");
  calls.addSlots();
  calls.addSlots();
  EXPECT_EQ(begin(), "2");
}

TEST_F(GatedCallsTest, HoldsBackOnlyCallsToTheEndpointThatRefusedOne) {
  refuseOne(RateLimitedReason::endpointRate);
  (void)wait(Action::send);
  (void)wait(Action::read);
  EXPECT_EQ(begin(), "2");
  EXPECT_GT(calls.opening(now), now);
  now = calls.opening(now);
  EXPECT_EQ(begin(), "1");
}

TEST_F(GatedCallsTest, HoldsBackReadsWhenAResolutionIsRefusedItsRead) {
  BulkRow& row = wait(Action::resolve);
  ASSERT_EQ(begin(), "0");
  now += 10ms;
  refuse(row, RateLimitedReason::endpointRate);
  (void)wait(Action::send);
  (void)wait(Action::read);
  EXPECT_EQ(begin(), "1");
}

TEST_F(GatedCallsTest, HoldsBackOnlyReadsOnBehalfWhenTheirAllocationIsUsedUp) {
  const std::string account = "acct_1";
  BulkRow& row = wait(Action::read, &account);
  ASSERT_EQ(begin(), "0");
  now += 10ms;
  row.error = makeError(ErrorKind::tooManyRequests);
  calls.end(row, now);
  (void)calls.refuse(row, 0ns, 0.5, now);
  (void)wait(Action::read, &account);
  (void)wait(Action::resolve, &account);
  (void)wait(Action::send, &account);
  (void)wait(Action::read);
  EXPECT_EQ(begin(), "34");
}

TEST_F(GatedCallsTest, HoldsBackReportsWhenAResolutionIsRefusedItsReport) {
  BulkRow& row = wait(Action::resolve);
  ASSERT_EQ(begin(), "0");
  now += 10ms;
  row.facts = {.noResendReason = NoResendReason::failed,
               .error = limitError(RateLimitedReason::endpointRate)};
  calls.end(row, now);
  row.error = row.facts.error;
  (void)calls.refuse(row, 0ns, 0.5, now);
  (void)wait(Action::send);
  (void)wait(Action::read);
  EXPECT_EQ(begin(), "2");
}

TEST_F(GatedCallsTest, HoldsBackAllCallsWhenAGlobalLimitRefusesOne) {
  refuseOne(RateLimitedReason::globalRate);
  (void)wait(Action::send);
  (void)wait(Action::read);
  EXPECT_EQ(begin(), "");
}

TEST_F(GatedCallsTest, IgnoresGatesWhenAskedTo) {
  refuseOne(RateLimitedReason::globalRate);
  (void)wait();
  EXPECT_EQ(begin(false), "1");
}

TEST_F(GatedCallsTest, WaitsForTheDurationOfRetryAfter) {
  refuseOne(RateLimitedReason::endpointRate, 7min);
  (void)wait();
  EXPECT_EQ(calls.opening(now), now + 7min);
}

TEST_F(GatedCallsTest, ForgetsARefusalOnceAnotherCallSucceeds) {
  BulkRow& first = wait();
  BulkRow& second = wait();
  EXPECT_EQ(begin(), "01");
  first.error = limitError(RateLimitedReason::endpointRate);
  calls.end(first, now);
  const auto& gate = calls.refuse(first, 0ns, 0.5, now);
  EXPECT_EQ(gate.blockedSince(), now);
  calls.end(second, now);  // the service has applied it
  EXPECT_EQ(gate.blockedSince(), std::nullopt);
}

TEST_F(GatedCallsTest, RemembersARefusalWhenOnlyAReadSucceeds) {
  BulkRow& first = wait(Action::send);
  BulkRow& check = wait(Action::resolve);
  EXPECT_EQ(begin(), "10");
  first.error = limitError(RateLimitedReason::endpointRate);
  calls.end(first, now);
  const auto& gate = calls.refuse(first, 0ns, 0.5, now);
  calls.end(check, now);
  EXPECT_EQ(gate.blockedSince(), now) << "the report was not sent again";
}

TEST_F(GatedCallsTest, RemembersARefusalWhenAnotherCallEndsWithAServerError) {
  BulkRow& first = wait();
  BulkRow& second = wait();
  EXPECT_EQ(begin(), "01");
  first.error = limitError(RateLimitedReason::endpointRate);
  calls.end(first, now);
  const auto& gate = calls.refuse(first, 0ns, 0.5, now);
  second.error = Error{{.kind = ErrorKind::server, .status = 503}};
  calls.end(second, now);
  EXPECT_EQ(gate.blockedSince(), now);
}

TEST_F(GatedCallsTest, RemovesOnlyTheCallsBehindTheGivenGate) {
  BulkRow& first = wait(Action::send);
  EXPECT_EQ(begin(), "0");
  first.error = limitError(RateLimitedReason::endpointRate);
  calls.end(first, now);
  const auto& gate = calls.refuse(first, 0ns, 0.5, now);
  BulkRow& send = wait(Action::send);
  BulkRow& read = wait(Action::read);
  EXPECT_THAT(calls.takeWaiting(&gate), ElementsAre(&send));
  EXPECT_THAT(calls.takeWaiting(), ElementsAre(&read));
  EXPECT_THAT(calls.takeWaiting(), ElementsAre());
}

}  // namespace
}  // namespace tally::test

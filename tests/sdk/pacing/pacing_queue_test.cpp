#include "pacing/pacing_queue.h"

#include <deque>
#include <ranges>
#include <string>

#include <gtest/gtest.h>

#include "pacing/reservation.h"

namespace tally::detail {
namespace {

using namespace std::chrono_literals;

/// Waiting calls without threads. Requests complete immediately.
class PacingQueueTest : public testing::Test {
 protected:
  static constexpr Limit each{.name = "each", .scope = LimitScope::operation, .window = 1s};
  static constexpr Limit overall{.name = "overall", .window = 1s};
  static constexpr Limit atOnce{.name = "at_once", .metric = LimitMetric::inProgress};

  struct Call {
    explicit Call(std::string given) : name(std::move(given)) {}

    std::string name;
    Reservation units{};
    PaceTicket ticket{units};
  };

  void TearDown() override {
    for (Call& call : calls)
      lines.withdraw(call.ticket);
  }

  LimitTracker& make(const Limit& limit, std::int64_t number) {
    return counts.emplace_back(Slot{&limit}, number, terms, counts.size());
  }

  /// A call that asks now, and may have to wait.
  Call& ask(std::string name, const std::vector<LimitTracker*>& needed) {
    Call& call = calls.emplace_back(std::move(name));
    for (LimitTracker* count : needed)
      call.units.add(*count);
    if (lines.ask(call.ticket, now, woken)) send(call);
    return call;
  }

  /// The calls that proceed at a time. They are sent then.
  std::string gone(Instant time) {
    now = time;
    std::string names;
    lines.serve(now, woken);
    for (Call& call : calls)
      if (call.units.hasAll()) names += send(call);
    return names;
  }
  std::string send(Call& call) {
    sent += call.name;
    call.units.end({}, now, now, now);
    return call.name;
  }

  PaceTerms terms{.recovery = 60s};
  std::deque<LimitTracker> counts{};
  std::deque<Call> calls{};
  PacingQueue lines{};
  PaceWoken woken{};
  std::string sent{};
  Instant start = std::chrono::sys_days{std::chrono::year{2026} / 1 / 1};
  Instant now = start;
};

TEST_F(PacingQueueTest, AdmitsCallsInOrderOfArrival) {
  LimitTracker& count = make(each, 2);
  for (const char* name : {"a", "b", "c", "d", "e"})
    ask(name, {&count});
  EXPECT_EQ(sent, "ab");
  EXPECT_EQ(lines.waiting(), 3U);
  EXPECT_EQ(gone(start + 1s - 1ns), "");
  EXPECT_EQ(gone(start + 1s), "cd");
  EXPECT_EQ(gone(start + 2s), "e");
  EXPECT_EQ(lines.waiting(), 0U);
}

TEST_F(PacingQueueTest, GivesAFreedSlotToAWaitingCallRatherThanANewOne) {
  LimitTracker& count = make(each, 1);
  ask("a", {&count});
  ask("b", {&count});
  now = start + 1s;  // not served yet
  ask("c", {&count});
  EXPECT_EQ(gone(now), "b");
  EXPECT_EQ(gone(start + 2s), "c");
}

TEST_F(PacingQueueTest, DoesNotBlockOtherEndpointsWhileCallsWait) {
  LimitTracker& one = make(each, 1);
  LimitTracker& other = make(each, 1);
  LimitTracker& all = make(overall, 9);
  ask("a", {&one, &all});
  for (int n = 0; n < 20; ++n)
    ask("x", {&one, &all});
  ask("b", {&other, &all});
  EXPECT_EQ(sent, "ab");
}

TEST_F(PacingQueueTest, SharesALimitInOrderOfArrivalAcrossEndpoints) {
  LimitTracker& one = make(each, 1);
  LimitTracker& other = make(each, 9);
  LimitTracker& all = make(overall, 2);
  ask("a", {&one, &all});
  ask("b", {&other, &all});
  ask("c", {&one, &all});  // waits for its endpoint; it is ahead of d and e, which wait for the shared limit
  ask("d", {&other, &all});
  ask("e", {&other, &all});
  EXPECT_EQ(sent, "ab");
  EXPECT_EQ(gone(start + 1s), "cd");
  EXPECT_EQ(gone(start + 2s), "e");
}

TEST_F(PacingQueueTest, OffersAFreedSlotToCallsToOtherEndpoints) {
  LimitTracker& one = make(each, 1);
  LimitTracker& other = make(each, 9);
  LimitTracker& all = make(overall, 2);
  ask("a", {&one, &all});
  ask("b", {&one, &all});
  now = start + 1s;  // not served yet
  ask("c", {&other, &all});
  ask("d", {&other, &all});
  EXPECT_EQ(sent, "ac");
  EXPECT_EQ(gone(now), "b");
  EXPECT_EQ(gone(start + 2s), "d");
}

/// Calls that need nothing else could always take the units of the shared limit.
TEST_F(PacingQueueTest, DoesNotStarveACallUnderSeveralLimits) {
  LimitTracker& narrow = make(each, 1);
  LimitTracker& all = make(overall, 1);
  ask("a", {&narrow, &all});
  ask("B", {&narrow, &all});
  for (int second = 1; second < 5; ++second) {
    ask("c", {&all});
    (void)gone(start + std::chrono::seconds{second});
  }
  EXPECT_EQ(sent, "aBccc");
}

TEST_F(PacingQueueTest, PassesTheSlotsOfACanceledCallToOthers) {
  LimitTracker& narrow = make(each, 2);
  LimitTracker& all = make(overall, 1);
  ask("a", {&all});
  Call& b = ask("b", {&narrow, &all});  // has the first, waits for the second
  ask("c", {&narrow, &all});
  ask("d", {&narrow});
  EXPECT_EQ(sent, "a");
  lines.withdraw(b.ticket);
  EXPECT_EQ(gone(start), "d");
  EXPECT_EQ(gone(start + 1s), "c");
}

TEST_F(PacingQueueTest, AdmitsTheNextCallWhenAWaitingOneIsCanceled) {
  LimitTracker& count = make(each, 1);
  ask("a", {&count});
  Call& b = ask("b", {&count});
  ask("c", {&count});
  lines.withdraw(b.ticket);
  EXPECT_EQ(lines.waiting(), 1U);
  EXPECT_EQ(gone(start + 1s), "c");
}

TEST_F(PacingQueueTest, WakesTheFirstCallAtItsTimeAndTheOthersInTurn) {
  LimitTracker& count = make(each, 1);
  ask("a", {&count});
  Call& b = ask("b", {&count});
  Call& c = ask("c", {&count});
  EXPECT_EQ(PacingQueue::wakeUp(b.ticket, now), start + 1s);
  EXPECT_EQ(PacingQueue::wakeUp(c.ticket, now), std::nullopt);
  EXPECT_EQ(PacingQueue::earliest(c.ticket, now), start + 2s);
  c.ticket.wake = std::make_shared<PaceWake>();
  c.ticket.sleepsUntil = Instant::max();
  EXPECT_EQ(gone(start + 1s), "b");
  lines.serve(now, woken);
  woken.wakeAll();
  EXPECT_TRUE(c.ticket.wake->source.stop_requested()) << "now it is first";
}

TEST_F(PacingQueueTest, WakesAWaitingCallWhenARequestInFlightEnds) {
  LimitTracker& count = make(atOnce, 1);
  Call call{"a"};
  call.units.add(count);
  ASSERT_TRUE(lines.ask(call.ticket, now, woken));
  Call& b = ask("b", {&count});
  EXPECT_EQ(PacingQueue::wakeUp(b.ticket, now), std::nullopt);
  b.ticket.wake = std::make_shared<PaceWake>();
  b.ticket.sleepsUntil = Instant::max();
  count.finish(now, now);
  lines.serve(now, woken);
  woken.wakeAll();
  EXPECT_TRUE(b.ticket.wake->source.stop_requested());
  EXPECT_TRUE(b.units.hasAll());
}

/// A thousand times as many calls as units: asking takes no longer.
TEST_F(PacingQueueTest, HandlesAHundredThousandCalls) {
  LimitTracker& one = make(each, 25);
  LimitTracker& all = make(overall, 100);
  constexpr int many = 100'000;
  for (int n = 0; n < many; ++n)
    ask("", {&one, &all});
  EXPECT_EQ(lines.waiting(), static_cast<std::size_t>(many - 25));
  for (Call& call : calls | std::views::reverse)
    lines.withdraw(call.ticket);
  EXPECT_EQ(lines.waiting(), 0U);
}

}  // namespace
}  // namespace tally::detail

// The order of events that CallStateMachine accepts: its own table, written down a second time.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "attempt/call_state_machine.h"

namespace tally::detail {
namespace {

using namespace std::chrono_literals;
using Phase = CallStateMachine::Phase;

struct AttemptEvent {
  const char* name;
  CallStateMachine::Step (*report)(CallStateMachine& attempts, Instant now);
};

Error lockTimeoutError() {
  return Error{{.kind = ErrorKind::lockTimeout, .message = "In use."}};
}

namespace event {

constexpr AttemptEvent start{"start", [](CallStateMachine& a, Instant now) { return a.start(now); }};
constexpr AttemptEvent turnCame{"turnCame", [](CallStateMachine& a, Instant now) { return a.turnCame(now); }};
constexpr AttemptEvent turnDidNotCome{"turnDidNotCome",
                                      [](CallStateMachine& a, Instant) { return a.turnDidNotCome(); }};
constexpr AttemptEvent queueFull{"queueFull", [](CallStateMachine& a, Instant) { return a.queueFull(); }};
constexpr AttemptEvent mustNotWait{"mustNotWait",
                                   [](CallStateMachine& a, Instant) { return a.mustNotWait(); }};
constexpr AttemptEvent paced{"paced", [](CallStateMachine& a, Instant now) { return a.paced(now); }};
constexpr AttemptEvent paceTooLong{"paceTooLong",
                                   [](CallStateMachine& a, Instant) { return a.paceTooLong("global_rate"); }};
constexpr AttemptEvent admitted{"admitted", [](CallStateMachine& a, Instant now) { return a.admitted(now); }};
constexpr AttemptEvent notAdmitted{"notAdmitted",
                                   [](CallStateMachine& a, Instant) { return a.notAdmitted(); }};
constexpr AttemptEvent succeeded{"succeeded", [](CallStateMachine& a, Instant) { return a.succeeded(); }};
constexpr AttemptEvent failed{
    "failed", [](CallStateMachine& a, Instant now) { return a.failed(now, lockTimeoutError()); }};
constexpr AttemptEvent waited{"waited", [](CallStateMachine& a, Instant now) { return a.waited(now); }};
constexpr AttemptEvent canceled{"canceled", [](CallStateMachine& a, Instant) { return a.canceled(); }};

}  // namespace event

const std::vector<const AttemptEvent*> allEvents{
    &event::start,  &event::turnCame,    &event::turnDidNotCome, &event::queueFull,   &event::mustNotWait,
    &event::paced,  &event::paceTooLong, &event::admitted,       &event::notAdmitted, &event::succeeded,
    &event::failed, &event::waited,      &event::canceled};

const std::vector<const AttemptEvent*>& eventsIn(Phase phase) {
  static const std::vector<const AttemptEvent*> table[] = {
      {&event::start, &event::canceled},
      {&event::turnCame, &event::turnDidNotCome, &event::queueFull, &event::mustNotWait, &event::canceled},
      {&event::paced, &event::paceTooLong, &event::mustNotWait, &event::canceled},
      {&event::admitted, &event::notAdmitted, &event::canceled},
      {&event::succeeded, &event::failed},
      {&event::waited, &event::canceled},
      {}};
  return table[static_cast<std::size_t>(phase)];
}

bool isAllowed(const AttemptEvent& event, Phase phase) {
  const auto& events = eventsIn(phase);
  return std::find(events.begin(), events.end(), &event) != events.end();
}

Phase phaseOf(const CallStateMachine::Step& step) {
  if (std::holds_alternative<CallStateMachine::Queue>(step)) return Phase::queued;
  if (std::holds_alternative<CallStateMachine::Pace>(step)) return Phase::throttled;
  if (std::holds_alternative<CallStateMachine::Admit>(step)) return Phase::admission;
  if (std::holds_alternative<CallStateMachine::Send>(step)) return Phase::inFlight;
  if (std::holds_alternative<CallStateMachine::Wait>(step)) return Phase::backoff;
  return Phase::ended;
}

/// A call that waits for its turn, for the pacer and for room, and whose first attempts fail.
class PhasedCall {
 public:
  explicit PhasedCall(AttemptRules policy = {.maxNetworkRetries = 3,
                                             .timeout = 30s,
                                             .queued = true,
                                             .paced = true,
                                             .bounded = true})
      : attempts_(policy, "payment_records.report_failed", 1, tokens_) {}

  CallStateMachine& attempts() { return attempts_; }

  /// Takes the shortest way to the phase, which visits the ones in between.
  CallStateMachine& in(Phase phase) {
    static const std::array<const AttemptEvent*, 6> way{&event::start,    &event::turnCame, &event::paced,
                                                        &event::admitted, &event::failed,   &event::canceled};
    for (std::size_t n = 0; n < static_cast<std::size_t>(phase); ++n)
      (void)way[n]->report(attempts_, now_);
    return attempts_;
  }

  CallStateMachine::Step report(const AttemptEvent& event) { return event.report(attempts_, now_ += 1ms); }

 private:
  RetryTokens tokens_{{}};
  CallStateMachine attempts_;
  Instant now_{1'000s};
};

constexpr Phase allPhases[] = {Phase::notStarted, Phase::queued,  Phase::throttled, Phase::admission,
                               Phase::inFlight,   Phase::backoff, Phase::ended};

TEST(CallStateMachine, EntersThePhaseOfEachStepThatItReturns) {
  for (const Phase phase : allPhases)
    for (const AttemptEvent* event : eventsIn(phase)) {
      PhasedCall call;
      ASSERT_EQ(call.in(phase).phase(), phase);
      const Phase next = phaseOf(call.report(*event));
      EXPECT_EQ(call.attempts().phase(), next) << event->name;
      EXPECT_NE(next, Phase::notStarted) << event->name;
    }
}

RC_GTEST_PROP(CallStateMachine, EndsAfterABoundedNumberOfAllowedEvents, ()) {
  AttemptRules policy{.maxNetworkRetries = *rc::gen::inRange(0, 4), .timeout = 30s};
  policy.queued = *rc::gen::arbitrary<bool>();
  policy.paced = *rc::gen::arbitrary<bool>();
  policy.bounded = *rc::gen::arbitrary<bool>();
  if (*rc::gen::arbitrary<bool>()) policy.deadline = Instant{1'000s + *rc::gen::inRange(0, 3'000) * 1ms};
  PhasedCall call{policy};
  CallStateMachine& attempts = call.attempts();
  int sent = 0;
  int events = 0;
  while (attempts.phase() != Phase::ended) {
    const AttemptEvent& event = **rc::gen::elementOf(eventsIn(attempts.phase()));
    const auto step = call.report(event);
    RC_ASSERT(attempts.phase() == phaseOf(step));
    if (attempts.phase() == Phase::inFlight) ++sent;
    RC_ASSERT(attempts.made() == sent);
    RC_ASSERT(sent <= policy.maxNetworkRetries + 1);
    RC_ASSERT(++events <= 2 + 4 * (policy.maxNetworkRetries + 1));
    const auto* done = std::get_if<CallStateMachine::Done>(&step);
    if (done != nullptr) RC_ASSERT(done->error.has_value() == (&event != &event::succeeded));
  }
}

TEST(CallStateMachine, StartsTheTimeoutWhenTheCallIsAdmitted) {
  RetryTokens tokens{{}};
  CallStateMachine attempts{{.timeout = 30s, .deadline = Instant{100s}, .bounded = true}, "o", 1, tokens};
  const auto admit = attempts.start(Instant{0s});
  EXPECT_EQ(std::get<CallStateMachine::Admit>(admit).until, Instant{100s});
  const auto send = std::get<CallStateMachine::Send>(attempts.admitted(Instant{40s}));
  EXPECT_EQ(send.from, Instant{40s});
  EXPECT_EQ(send.until, Instant{70s});
}

TEST(CallStateMachine, SendsNothingIfNoSlotIsFreeBeforeTheDeadline) {
  for (const bool late : {false, true}) {
    RetryTokens tokens{{}};
    CallStateMachine attempts{{.timeout = 30s, .deadline = Instant{100s}, .bounded = true}, "o", 1, tokens};
    (void)attempts.start(Instant{0s});
    const auto step = late ? attempts.admitted(Instant{100s}) : attempts.notAdmitted();
    const auto& error = std::get<CallStateMachine::Done>(step).error;
    ASSERT_TRUE(error);
    EXPECT_EQ(error->kind(), ErrorKind::deadlineExceeded);
    EXPECT_EQ(error->effect(), Effect::none);
    EXPECT_EQ(error->attemptCount(), 0);
  }
}

TEST(CallStateMachine, DoesNotWaitForASlotOnceTheDeadlineIsReached) {
  RetryTokens tokens{{}};
  CallStateMachine attempts{{.timeout = 30s, .deadline = Instant{100s}, .bounded = true}, "o", 1, tokens};
  const auto step = attempts.start(Instant{100s});
  EXPECT_TRUE(std::holds_alternative<CallStateMachine::Done>(step));
}

TEST(CallStateMachineDeathTest, AbortsInADebugBuildOnAnEventThatThePhaseForbids) {
  for (const Phase phase : allPhases)
    for (const AttemptEvent* event : allEvents) {
      if (isAllowed(*event, phase)) continue;
      PhasedCall call;
      ASSERT_EQ(call.in(phase).phase(), phase);
      EXPECT_DEBUG_DEATH((void)call.report(*event), "phase_")
          << event->name << " in phase " << static_cast<int>(phase);
    }
}

}  // namespace
}  // namespace tally::detail

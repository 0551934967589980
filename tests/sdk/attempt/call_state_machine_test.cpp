#include "attempt/call_state_machine.h"

#include <cstdint>
#include <set>

#include <gtest/gtest.h>

namespace tally::detail {
namespace {

using namespace std::chrono_literals;

constexpr Instant start{1'000s};
constexpr std::string_view reportName = "payment_records.report_failed";

/// More than any of these tests uses.
RetryTokens tokens{{.maxTokens = 1e9}};

AttemptRules policy(int retries) {
  return {.maxNetworkRetries = retries, .backoff = {.initial = 500ms, .cap = 8'000ms}, .timeout = 30s};
}

Error error(ErrorKind kind, Effect effect = Effect::none) {
  return Error{{.kind = kind, .effect = effect, .message = "No."}};
}

Error errorOf(const CallStateMachine::Step& step) {
  return *std::get<CallStateMachine::Done>(step).error;
}

Instant waitOf(const CallStateMachine::Step& step) {
  return std::get<CallStateMachine::Wait>(step).until;
}

bool retries(ErrorKind kind, Effect effect, AttemptRules with) {
  CallStateMachine attempts{with, reportName, 1, tokens};
  (void)attempts.start(start);
  return std::holds_alternative<CallStateMachine::Wait>(attempts.failed(start, error(kind, effect)));
}

TEST(CallStateMachine, StartsBySendingTheRequestWithATimeout) {
  CallStateMachine attempts{policy(0), reportName, 1, tokens};
  EXPECT_EQ(std::get<CallStateMachine::Send>(attempts.start(start)).until, start + 30s);
}

TEST(CallStateMachine, EndsOnSuccess) {
  CallStateMachine attempts{policy(0), reportName, 1, tokens};
  (void)attempts.start(start);
  EXPECT_FALSE(std::get<CallStateMachine::Done>(attempts.succeeded()).error);
}

TEST(CallStateMachine, DoesNotRetryALockTimeoutUnlessConfigured) {
  CallStateMachine attempts{policy(0), reportName, 1, tokens};
  (void)attempts.start(start);
  const auto step = attempts.failed(start, error(ErrorKind::lockTimeout));
  EXPECT_EQ(errorOf(step).kind(), ErrorKind::lockTimeout);
  EXPECT_EQ(errorOf(step).attemptCount(), 1);
}

TEST(CallStateMachine, RetriesALockTimeoutTheConfiguredNumberOfTimes) {
  CallStateMachine attempts{policy(2), reportName, 1, tokens};
  auto step = attempts.start(start);
  for (int retry = 0; retry < 2; ++retry) {
    step = attempts.failed(start, error(ErrorKind::lockTimeout));
    step = attempts.waited(waitOf(step));
    ASSERT_TRUE(std::holds_alternative<CallStateMachine::Send>(step));
  }
  step = attempts.failed(start, error(ErrorKind::lockTimeout));
  EXPECT_EQ(errorOf(step).attemptCount(), 3);
}

TEST(CallStateMachine, RetriesTransientErrorsThatHadNoEffect) {
  EXPECT_TRUE(retries(ErrorKind::lockTimeout, Effect::none, policy(1)));
  EXPECT_TRUE(retries(ErrorKind::connection, Effect::none, policy(1)));
  EXPECT_TRUE(retries(ErrorKind::timeout, Effect::none, policy(1)));
  EXPECT_TRUE(retries(ErrorKind::server, Effect::none, policy(1)));
}

TEST(CallStateMachine, NeverResendsARequestThatMayHaveTakenEffect) {
  EXPECT_FALSE(retries(ErrorKind::connection, Effect::unknown, policy(9)));
  EXPECT_FALSE(retries(ErrorKind::timeout, Effect::unknown, policy(9)));
  EXPECT_FALSE(retries(ErrorKind::server, Effect::unknown, policy(9)));
}

TEST(CallStateMachine, DoesNotRetryRefusalsOrMalformedResponses) {
  for (const ErrorKind kind :
       {ErrorKind::invalidRequest, ErrorKind::authentication, ErrorKind::permission, ErrorKind::notFound,
        ErrorKind::tooManyRequests, ErrorKind::malformedResponse, ErrorKind::canceled, ErrorKind::pagination})
    EXPECT_FALSE(retries(kind, Effect::none, policy(9))) << toString(kind);
}

TEST(CallStateMachine, RetriesARateLimitedRequestOnlyIfConfigured) {
  AttemptRules asked = policy(1);
  asked.retryRateLimited = true;
  EXPECT_FALSE(retries(ErrorKind::rateLimited, Effect::none, policy(1)));
  EXPECT_TRUE(retries(ErrorKind::rateLimited, Effect::none, asked));
}

TEST(CallStateMachine, DoublesWaitsWithJitterUpToTheCap) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    CallStateMachine attempts{policy(40), reportName, seed, tokens};
    (void)attempts.start(start);
    std::chrono::nanoseconds full = 500ms;
    for (int retry = 0; retry < 40; ++retry) {
      const auto delay = waitOf(attempts.failed(start, error(ErrorKind::lockTimeout))) - start;
      EXPECT_GE(delay, full / 2);
      EXPECT_LE(delay, full);
      (void)attempts.waited(start);
      full = std::min<std::chrono::nanoseconds>(full * 2, 8'000ms);
    }
  }
}

TEST(CallStateMachine, AppliesJitterToTheWaitBeforeTheFirstRetry) {
  std::set<std::int64_t> delays;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    CallStateMachine attempts{policy(1), reportName, seed, tokens};
    (void)attempts.start(start);
    delays.insert((waitOf(attempts.failed(start, error(ErrorKind::lockTimeout))) - start) / 1ms);
  }
  EXPECT_GT(delays.size(), 60U);
  EXPECT_LT(*delays.begin(), 275);
  EXPECT_GT(*delays.rbegin(), 475);
}

TEST(CallStateMachine, ChoosesTheSameWaitsForTheSameSeed) {
  CallStateMachine one{policy(1), reportName, 42, tokens};
  CallStateMachine other{policy(1), reportName, 42, tokens};
  (void)one.start(start);
  (void)other.start(start);
  EXPECT_EQ(waitOf(one.failed(start, error(ErrorKind::lockTimeout))),
            waitOf(other.failed(start, error(ErrorKind::lockTimeout))));
}

TEST(CallStateMachine, DoesNotStartOnceTheDeadlineIsReached) {
  AttemptRules late = policy(0);
  late.deadline = start;
  CallStateMachine attempts{late, reportName, 1, tokens};
  const Error ended = errorOf(attempts.start(start));
  EXPECT_EQ(ended.kind(), ErrorKind::deadlineExceeded);
  EXPECT_EQ(ended.effect(), Effect::none);
  EXPECT_EQ(ended.attemptCount(), 0);
}

TEST(CallStateMachine, EndsAnAttemptAtADeadlineThatPrecedesItsTimeout) {
  AttemptRules soon = policy(0);
  soon.deadline = start + 10s;
  CallStateMachine attempts{soon, reportName, 1, tokens};
  EXPECT_EQ(std::get<CallStateMachine::Send>(attempts.start(start)).until, start + 10s);
}

TEST(CallStateMachine, EndsInsteadOfWaitingBeyondTheDeadline) {
  AttemptRules soon = policy(3);
  soon.deadline = start + 100ms;  // before any first retry
  CallStateMachine attempts{soon, reportName, 1, tokens};
  (void)attempts.start(start);
  const Error ended = errorOf(attempts.failed(
      start,
      Error{{.kind = ErrorKind::lockTimeout, .status = 429, .code = "lock_timeout", .message = "In use."}}));
  EXPECT_EQ(ended.kind(), ErrorKind::deadlineExceeded);
  EXPECT_EQ(ended.code(), "lock_timeout");
  EXPECT_EQ(ended.attemptCount(), 1);
  EXPECT_NE(ended.message().find("In use."), std::string::npos);
}

TEST(CallStateMachine, EndsInsteadOfWaitingUntilTheDeadline) {
  CallStateMachine unbounded{policy(1), reportName, 1, tokens};
  (void)unbounded.start(start);
  AttemptRules bounded = policy(1);
  bounded.deadline = waitOf(unbounded.failed(start, error(ErrorKind::lockTimeout)));
  CallStateMachine attempts{bounded, reportName, 1, tokens};
  (void)attempts.start(start);
  EXPECT_EQ(errorOf(attempts.failed(start, error(ErrorKind::lockTimeout))).kind(),
            ErrorKind::deadlineExceeded);
}

TEST(CallStateMachine, KeepsTheEffectOfATimeoutAtTheDeadline) {
  AttemptRules soon = policy(3);
  soon.deadline = start + 10s;
  CallStateMachine attempts{soon, reportName, 1, tokens};
  (void)attempts.start(start);
  const Error ended = errorOf(attempts.failed(start + 10s, error(ErrorKind::timeout, Effect::unknown)));
  EXPECT_EQ(ended.kind(), ErrorKind::deadlineExceeded);
  EXPECT_EQ(ended.effect(), Effect::unknown);
}

TEST(CallStateMachine, ReportsThePreviousErrorWhenCanceledDuringAWait) {
  CallStateMachine attempts{policy(3), reportName, 1, tokens};
  (void)attempts.start(start);
  (void)attempts.failed(start, Error{{.kind = ErrorKind::lockTimeout, .status = 429, .message = "In use."}});
  const Error ended = errorOf(attempts.canceled());
  EXPECT_EQ(ended.kind(), ErrorKind::canceled);
  EXPECT_EQ(ended.effect(), Effect::none);
  EXPECT_EQ(ended.status(), 429);
  EXPECT_EQ(ended.attemptCount(), 1);
}

AttemptRules lookedUp(int retries) {
  AttemptRules policy = detail::policy(retries);
  policy.lookedUp = true;
  return policy;
}

TEST(CallStateMachine, ResendsARequestOfUnknownEffectOnlyAfterALookup) {
  EXPECT_TRUE(retries(ErrorKind::connection, Effect::unknown, lookedUp(1)));
  EXPECT_TRUE(retries(ErrorKind::server, Effect::unknown, lookedUp(1)));
  EXPECT_FALSE(retries(ErrorKind::malformedResponse, Effect::unknown, lookedUp(1)));
}

/// Ends a call by `end` in the backoff after an attempt that may have had an effect.
template <class End>
Error afterALostResponse(AttemptRules with, const End& end) {
  CallStateMachine attempts{with, reportName, 1, tokens};
  (void)attempts.start(start);
  if (with.paced) (void)attempts.paced(start);
  const Instant again = waitOf(attempts.failed(start, error(ErrorKind::connection, Effect::unknown)));
  EXPECT_EQ(attempts.lastError()->effect(), Effect::unknown);
  return errorOf(end(attempts, again));
}

TEST(CallStateMachine, KeepsAnUnknownEffectInLaterErrors) {
  AttemptRules soon = lookedUp(9);
  soon.deadline = start + 60s;
  AttemptRules alsoPaced = soon;
  alsoPaced.paced = true;
  const auto effectOf = [](AttemptRules with, const auto& end) {
    return afterALostResponse(with, end).effect();
  };
  EXPECT_EQ(effectOf(soon, [](CallStateMachine& a, Instant) { return a.canceled(); }), Effect::unknown);
  EXPECT_EQ(effectOf(soon, [](CallStateMachine& a, Instant) { return a.waited(start + 60s); }),
            Effect::unknown)
      << "the deadline";
  EXPECT_EQ(effectOf(alsoPaced,
                     [](CallStateMachine& a, Instant again) {
                       (void)a.waited(again);
                       return a.paceTooLong("global_rate");
                     }),
            Effect::unknown);
  EXPECT_EQ(effectOf(soon,
                     [](CallStateMachine& a, Instant again) {
                       (void)a.waited(again);
                       return a.failed(again, error(ErrorKind::permission));
                     }),
            Effect::unknown);
  EXPECT_EQ(effectOf(soon,
                     [](CallStateMachine& a, Instant again) {
                       (void)a.waited(again);
                       return a.failed(start + 59'900ms, error(ErrorKind::lockTimeout));
                     }),
            Effect::unknown)
      << "no time to retry";
}

TEST(CallStateMachine, ReportsNoEffectAfterALockTimeout) {
  CallStateMachine attempts{lookedUp(9), reportName, 1, tokens};
  EXPECT_FALSE(attempts.lastError());
  (void)attempts.start(start);
  (void)attempts.failed(start, error(ErrorKind::lockTimeout));
  EXPECT_EQ(attempts.lastError()->effect(), Effect::none);
  EXPECT_EQ(errorOf(attempts.canceled()).effect(), Effect::none);
}

AttemptRules paced(int retries) {
  AttemptRules policy = detail::policy(retries);
  policy.paced = true;
  return policy;
}

TEST(CallStateMachine, WaitsForThePacerBeforeEachAttempt) {
  CallStateMachine attempts{paced(1), reportName, 1, tokens};
  EXPECT_EQ(std::get<CallStateMachine::Pace>(attempts.start(start)).until, Instant::max());
  EXPECT_EQ(std::get<CallStateMachine::Send>(attempts.paced(start + 5s)).until, start + 35s);
  const Instant again = waitOf(attempts.failed(start + 6s, error(ErrorKind::lockTimeout)));
  EXPECT_TRUE(std::holds_alternative<CallStateMachine::Pace>(attempts.waited(again)));
  EXPECT_TRUE(std::holds_alternative<CallStateMachine::Send>(attempts.paced(again)));
  EXPECT_EQ(attempts.made(), 2);
}

TEST(CallStateMachine, WaitsForItsTurnBeforeThePacer) {
  AttemptRules both = paced(0);
  both.queued = true;
  both.deadline = start + 10s;
  CallStateMachine attempts{both, reportName, 1, tokens};
  EXPECT_TRUE(std::holds_alternative<CallStateMachine::Queue>(attempts.start(start)));
  EXPECT_EQ(std::get<CallStateMachine::Pace>(attempts.turnCame(start)).until, start + 10s);
}

TEST(CallStateMachine, EndsWithoutEffectWhenThePacerTakesTooLong) {
  CallStateMachine unsent{paced(1), reportName, 1, tokens};
  (void)unsent.start(start);
  const Error first = errorOf(unsent.paceTooLong("global_rate"));
  EXPECT_EQ(first.kind(), ErrorKind::deadlineExceeded);
  EXPECT_EQ(first.effect(), Effect::none);
  EXPECT_EQ(first.attemptCount(), 0);
  EXPECT_EQ(first.message(), "waiting for the limit global_rate would overrun the deadline");
  CallStateMachine retried{paced(1), reportName, 1, tokens};
  (void)retried.start(start);
  (void)retried.paced(start);
  (void)retried.waited(waitOf(retried.failed(start, error(ErrorKind::lockTimeout))));
  const Error second = errorOf(retried.paceTooLong("global_rate"));
  EXPECT_EQ(second.attemptCount(), 1);
  EXPECT_TRUE(second.message().ends_with("; last attempt: No."));
}

TEST(CallStateMachine, DoesNotConsultThePacerAtTheDeadline) {
  AttemptRules late = paced(0);
  late.deadline = start;
  CallStateMachine attempts{late, reportName, 1, tokens};
  EXPECT_EQ(errorOf(attempts.start(start)).message(), "the deadline has passed");
}

constexpr std::chrono::milliseconds endless = std::chrono::milliseconds::max();

TEST(CallStateMachine, ClampsATimeoutToTheLatestInstant) {
  AttemptRules patient = policy(0);
  patient.timeout = std::chrono::nanoseconds::max();
  CallStateMachine attempts{patient, reportName, 1, tokens};
  EXPECT_EQ(std::get<CallStateMachine::Send>(attempts.start(start)).until, Instant::max());
}

TEST(CallStateMachine, ClampsAWaitToTheLatestInstant) {
  for (const Backoff& backoff : {Backoff{.initial = endless, .cap = endless},
                                 Backoff{.initial = endless - endless / 4, .cap = endless},
                                 Backoff{.initial = endless, .cap = endless, .retryAfterCap = endless}}) {
    AttemptRules slow = policy(3);
    slow.backoff = backoff;
    CallStateMachine attempts{slow, reportName, 1, tokens};
    (void)attempts.start(start);
    const Instant until = waitOf(
        attempts.failed(Instant{std::chrono::sys_days{std::chrono::year{2200} / 1 / 1}},
                        Error{{.kind = ErrorKind::lockTimeout, .retryAfter = std::chrono::seconds::max()}}));
    EXPECT_EQ(until, Instant::max());
  }
}

TEST(CallStateMachine, LimitsTheFirstWaitToTheSumOfBothCaps) {
  AttemptRules capped = policy(3);
  capped.backoff = {.initial = endless, .cap = 8'000ms, .retryAfterCap = 5'000ms};
  CallStateMachine attempts{capped, reportName, 1, tokens};
  (void)attempts.start(start);
  const Instant until = waitOf(attempts.failed(
      start, Error{{.kind = ErrorKind::lockTimeout, .retryAfter = std::chrono::seconds::max()}}));
  EXPECT_GE(until, start + 9s);
  EXPECT_LE(until, start + 13s);
}

TEST(CallStateMachine, AcceptsTheEarliestAndLatestTimesAsDeadlines) {
  AttemptRules policyAt = policy(1);
  policyAt.timeout = std::chrono::nanoseconds::max();
  policyAt.deadline = Instant::min();
  CallStateMachine early{policyAt, reportName, 1, tokens};
  EXPECT_EQ(errorOf(early.start(start)).kind(), ErrorKind::deadlineExceeded);
  policyAt.deadline = Instant::max();
  CallStateMachine late{policyAt, reportName, 1, tokens};
  EXPECT_EQ(std::get<CallStateMachine::Send>(late.start(start)).until, Instant::max());
  EXPECT_GT(waitOf(late.failed(start, error(ErrorKind::lockTimeout))), start);
}

int left(RetryTokens& budget) {
  int count = 0;
  while (budget.take())
    ++count;
  return count;
}

TEST(CallStateMachine, ReturnsTheTokenOfARetryThatIsNotSent) {
  RetryTokens two{{.maxTokens = 2}};
  {
    CallStateMachine canceledInItsWait{policy(3), reportName, 1, two};
    (void)canceledInItsWait.start(start);
    (void)canceledInItsWait.failed(start, error(ErrorKind::server));
    (void)canceledInItsWait.canceled();
  }
  EXPECT_EQ(left(two), 2);
  RetryTokens others{{.maxTokens = 2}};
  {
    CallStateMachine resent{policy(3), reportName, 1, others};
    (void)resent.start(start);
    (void)resent.waited(waitOf(resent.failed(start, error(ErrorKind::server))));
  }
  EXPECT_EQ(left(others), 1);
}

TEST(CallStateMachine, ReturnsNoTokenIfItEndsBeforeTheFirstAttempt) {
  RetryTokens two{{.maxTokens = 2}};
  ASSERT_TRUE(two.take());
  {
    AttemptRules late = policy(3);
    late.deadline = start;
    CallStateMachine unsent{late, reportName, 1, two};
    (void)unsent.start(start);
  }
  EXPECT_EQ(left(two), 1);
}

TEST(CallStateMachine, KeepsWaitsPositiveDespiteManyRetries) {
  AttemptRules huge = policy(1'000);
  huge.backoff = {.initial = std::chrono::milliseconds{1LL << 40},
                  .cap = std::chrono::milliseconds{1LL << 41}};
  CallStateMachine attempts{huge, reportName, 1, tokens};
  (void)attempts.start(start);
  for (int retry = 0; retry < 1'000; ++retry) {
    const auto delay = waitOf(attempts.failed(start, error(ErrorKind::lockTimeout))) - start;
    EXPECT_GT(delay, 0ns);
    (void)attempts.waited(start);
  }
}

}  // namespace
}  // namespace tally::detail

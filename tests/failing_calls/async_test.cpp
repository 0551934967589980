// Asynchronous calls over connections, one alone and several at once.

#include <cstddef>
#include <future>
#include <string>
#include <vector>

#include <tally/async_client.h>
#include <tally/async_services.h>
#include <tally/client.h>

#include <gtest/gtest.h>

#include "failing_calls/support/search.h"
#include "failing_calls/support/served_fake.h"

namespace tally::test {

namespace {

using Reported = std::future<Result<PaymentRecord>>;

/// Each call ends, in a result or an exception.
ToldReport resultOf(const std::string& id, Reported& reported) {
  try {
    return toldOf(id, reported.get());
  } catch (const std::exception&) {
    return {.id = id};
  }
}

void reportAtOnce(Trial& trial, std::size_t count) {
  ServedFake fake;
  const std::vector<std::string> ids = fake.newRecords(count);
  std::vector<ToldReport> told(count);
  {
    AsyncClient client{fake.options(trial)};
    std::vector<Reported> reported(count);
    (void)trial.attempt([&] {
      for (std::size_t at = 0; at < count; ++at) {
        try {
          reported[at] = client.paymentRecords().reportFailed(ids[at], {.failedAt = failureTime}).future();
        } catch (const std::bad_alloc&) {
          break;
        }
      }
      for (const Reported& one : reported)
        if (one.valid()) one.wait();
    });
    for (std::size_t at = 0; at < count; ++at)
      told[at] = reported[at].valid() ? resultOf(ids[at], reported[at]) : ToldReport{ids[at], Effect::none};
    RequestOptions patient;
    patient.timeout = std::chrono::seconds{30};
    const auto next = client.paymentRecords()
                          .reportFailed(fake.newRecord(), {.failedAt = failureTime}, patient)
                          .future()
                          .get();
    trial.check(next.has_value(), "the next call fails: " + (next ? "" : next.error().toString()));
  }
  fake.stop();
  fake.check(trial, told);
  for (const ToldReport& one : told)
    trial.check(!trial.isClean() || one.isApplied, "a call fails, although no other does");
}

}  // namespace

TEST(EachFailingCall, IsHandledByAnAsynchronousReport) {
  testFailingCalls([](Trial& trial) { reportAtOnce(trial, 1); });
}

TEST(EachFailingCall, IsHandledBySeveralAsynchronousReports) {
  testFailingCalls([](Trial& trial) { reportAtOnce(trial, 6); });
}

/// A server of the fake ends its process when memory runs out.
TEST(EachFailingCall, IsHandledByTheServerInSeveralAsynchronousReports) {
  testFailingCalls([](Trial& trial) { reportAtOnce(trial, 6); }, Side::server, {.leftOut = {Call::memory}});
}

}  // namespace tally::test

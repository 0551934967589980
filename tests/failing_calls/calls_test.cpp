// Blocking calls: over a connection, with failures on either side of it, and in the fake's process.

#include <optional>
#include <string>
#include <vector>

#include <tally/async_client.h>
#include <tally/client.h>
#include <tally/payment_records.h>
#include <tally/raw_request.h>

#include <gtest/gtest.h>

#include "failing_calls/support/search.h"
#include "failing_calls/support/served_fake.h"

namespace tally::test {

namespace {

/// Makes a report, and adds its outcome. A report that throws is added without an outcome.
void report(Trial& trial, const Client& client, const std::string& id, std::vector<ToldReport>& told) {
  std::optional<Result<PaymentRecord>> result;
  const std::string thrown = trial.attempt(
      [&] { result.emplace(client.paymentRecords().reportFailed(id, {.failedAt = failureTime})); });
  told.push_back(result ? toldOf(id, *result) : ToldReport{.id = id});
  trial.check(!trial.isClean() || (result && *result), "a call fails, although no other does: " + thrown);
}

/// On a new connection, on one that is kept, and with retries.
void reportOverAConnection(Trial& trial) {
  ServedFake fake;
  std::vector<ToldReport> told;
  {
    ClientOptions options = fake.options(trial);
    options.maxNetworkRetries = 1;
    const Client client{options};
    for (const std::string& id : fake.newRecords(2))
      report(trial, client, id, told);
    checkNextCall(trial, client, fake);
  }
  fake.stop();
  fake.check(trial, told);
}

}  // namespace

TEST(EachFailingCall, IsHandledByABlockingReport) {
  testFailingCalls(reportOverAConnection, Side::client);
}

/// A server of the fake ends its process when memory runs out.
TEST(EachFailingCall, IsHandledByTheServerInABlockingReport) {
  testFailingCalls(reportOverAConnection, Side::server, {.leftOut = {Call::memory}});
}

TEST(EachFailingCall, IsHandledByAReportInTheFakesProcess) {
  const auto scenario = [](Trial& trial) {
    Fake fake;
    const Client client{fake.options()};
    std::vector<ToldReport> told;
    report(trial, client, fake.newRecord(), told);
    fake.check(trial, told);
    checkNextCall(trial, client, fake);
  };
  testFailingCalls(scenario);
}

TEST(EachFailingCall, IsHandledByTheConstructionOfClients) {
  const auto scenario = [](Trial& trial) {
    ServedFake fake;
    const ClientOptions options = fake.options(trial);
    const std::string thrown = trial.attempt([&] {
      const Client client{options};
      const AsyncClient async{client};
    });
    trial.check(!trial.isClean() || thrown.empty(), "a client can't be constructed: " + thrown);
    const Client client{options};
    checkNextCall(trial, client, fake);
    AsyncClient async{client};
    trial.check(async.paymentRecords().retrieve(fake.newRecord()).future().get().has_value(),
                "the next asynchronous call fails");
  };
  testFailingCalls(scenario);
}

}  // namespace tally::test

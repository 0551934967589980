// Tests an application that reports in eight threads: the fixture gives its client retries and a pacer.

#include <memory>
#include <vector>

#include <tally/pacer.h>
#include <tally/tally.h>
#include <tally/testing/testing.h>

#include <gtest/gtest.h>

namespace {

using namespace tally::testing;
using testing::Each;
using testing::SizeIs;

/// The application: what one of its threads does.
std::vector<tally::Result<tally::PaymentRecord>> reportFailures(const tally::Client& client,
                                                                const std::vector<std::string>& ids) {
  std::vector<tally::Result<tally::PaymentRecord>> results;
  for (const std::string& id : ids)
    results.push_back(client.paymentRecords().reportFailed(id, {.failedAt = client.clock().now()}));
  return results;
}

class EightThreads : public FakeTest {
 protected:
  EightThreads() : FakeTest({.maxNetworkRetries = 3, .pacer = std::make_shared<tally::Pacer>()}) {}
};

TEST_F(EightThreads, ReportWithoutAFailure) {
  service.faults().inject({.times = 5, .error = "lock_timeout"});
  std::vector<tally::Result<tally::PaymentRecord>> results;
  runThreads(8, [&](std::size_t) {
    for (auto& result : reportFailures(client, service.insertMany(key, "payment_record", 10)))
      results.push_back(std::move(result));
  });
  EXPECT_THAT(results, SizeIs(80));
  EXPECT_THAT(results, Each(IsOk()));
}

}  // namespace

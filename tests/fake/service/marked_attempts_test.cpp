// The marks of attempts, as the fake logs them.

#include <chrono>
#include <map>
#include <string>
#include <vector>

#include <tally/fake/service.h>
#include <tally/report_all.h>
#include <tally/tally.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tally::test {

namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::MatchesRegex;
using testing::SizeIs;

class MarkedAttempts : public testing::Test {
 protected:
  Client client() {
    return Client{service.clientOptions(key, {.maxNetworkRetries = 2, .markAttempts = true})};
  }

  /// The attempts of each call, in the order of the log.
  std::map<std::string, std::vector<int>> calls() {
    std::map<std::string, std::vector<int>> found;
    for (const fake::LoggedRequest& request : service.requests().list())
      found[request.call].push_back(request.attempt);
    return found;
  }

  fake::Service service;
  std::string key = service.addAccount().sandboxKey;
  Id<PaymentRecord> id = service.insert<PaymentRecord>(key).id;
  const PaymentRecordReportFailedParams failed{.failedAt = std::chrono::sys_seconds{1s}};
};

TEST_F(MarkedAttempts, AreLoggedWithTheirMarks) {
  service.faults().inject({.error = "lock_timeout"});
  ASSERT_TRUE(client().paymentRecords().retrieve(id));
  const auto logged = service.requests().list();
  ASSERT_THAT(logged, SizeIs(2));
  EXPECT_THAT(logged[0].call, MatchesRegex("[0-9a-f]{16}"));
  EXPECT_EQ(logged[1].call, logged[0].call);
  EXPECT_EQ(logged[1].attempt, 2);
}

TEST_F(MarkedAttempts, RequireAWellFormedHeader) {
  ASSERT_TRUE(Client{service.clientOptions(key)}.paymentRecords().retrieve(id));
  (void)service.handle({.url = "/v1/payment_records/" + id.str(),
                        .headers = {{"Authorization", "Bearer " + key}, {"Tally-Call", "1; attempt=1"}}});
  EXPECT_THAT(calls(), ElementsAre(testing::Pair("", ElementsAre(0, 0))));
}

TEST_F(MarkedAttempts, BelongToSeparateCallsForAReportAndItsResolution) {
  const Client marking = client();
  service.faults().inject({.fault = fake::Fault::responseLost});
  ASSERT_FALSE(marking.paymentRecords().reportFailed(id, failed));
  ASSERT_TRUE(marking.paymentRecords().resolveReport(id, failed).has_value());
  EXPECT_THAT(calls(), SizeIs(2)) << "the report and the read";
}

TEST_F(MarkedAttempts, BelongToASeparateCallForEachReadAndResend) {
  service.faults().inject({.operation = "payment_records.report_failed", .fault = fake::Fault::reset});
  const auto resolved = client().paymentRecords().resolveReport(id, failed);
  ASSERT_TRUE(resolved.has_value());
  EXPECT_EQ(resolved.value().resends, 2);
  EXPECT_THAT(calls(), SizeIs(4)) << "each read and each report";
}

TEST_F(MarkedAttempts, AreSentByEveryKindOfCall) {
  const Client marking = client();
  ASSERT_TRUE(marking.send({.path = "/v1/payment_records"}));
  for (const auto& record : marking.paymentRecords().list())
    ASSERT_TRUE(record);
  const std::vector<Report> reports{
      {.id = id.str(), .outcome = "failed", .time = std::chrono::sys_seconds{1s}}};
  (void)reportAll(marking, reports, {}, {});
  EXPECT_GE(calls().size(), 3U);
  EXPECT_FALSE(calls().contains(""));
}

}  // namespace

}  // namespace tally::test

// The last report that was applied on an object is looked at again.

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "outbox/worker/domain_of_worker.h"

namespace tally::test {
namespace {

class Recheck : public DomainOfWorker {
 protected:
  /// Another worker may have sent it, too.
  void suspect(std::uint64_t report) {
    EXPECT_EQ(outcomeOf(report), "applied");
    shop_->writeLate(std::vector{detail::LateFinding{.report = report, .finding = "applied"}});
  }
  [[nodiscard]] std::size_t requestsAbout(const std::string& object) const {
    const auto log = service_.requests().list();
    return static_cast<std::size_t>(std::ranges::count(log, object, &fake::LoggedRequest::object));
  }
};

TEST_F(Recheck, IsNotRepeatedAtOnceIfTheObjectCannotBeRead) {
  const auto platform = service_.addAccount();
  const auto connected = service_.addAccount();
  service_.connections().connect(platform, connected);
  domain_.client.apiKey = ApiKey{platform.sandboxKey};
  client_.emplace(detail::clientOf(domain_, options_, detail::pacerOf(domain_), lease_));
  const std::string id = service_.insert<PaymentRecord>(connected.sandboxKey).id.str();
  OutboxReport one = failedReport(id, "k");
  one.connectedAccount = connected.id;
  const auto report = store_.enqueueAll("shop", std::vector{one}, {}).value().front();
  EXPECT_EQ(work(), std::nullopt);
  suspect(report);
  service_.faults().inject(
      {.object = id,
       .times = 100,
       .response = HttpResponse{
           403,
           {{"Request-Id", "req_1"}, {"Content-Type", "application/json"}},
           R"({"error":{"type":"permission_error","code":"account_invalid","message":"no access"}})"}});
  const auto before = requestsAbout(id);
  EXPECT_EQ(turnFor(10s), std::nullopt);
  EXPECT_GE(requestsAbout(id), before + 1);
  EXPECT_LE(requestsAbout(id), before + 2);
  service_.faults().clear();
  EXPECT_EQ(turnFor(options_.retryTimeout + 10s), std::nullopt);
  EXPECT_TRUE(database_->backup()->late().size() == 1) << "nothing is wrong with the object";
  const auto later = requestsAbout(id);
  EXPECT_EQ(turnFor(options_.retryTimeout + 10s), std::nullopt);
  EXPECT_EQ(requestsAbout(id), later) << "it is no longer suspected";
  run_.reset();
}

/// The others of low priority wait for the recheck, and then for the head that it holds back.
TEST_F(Recheck, IsFollowedFirstByAHeadThatBecomesUrgentMeanwhile) {
  options_.maxInFlight = 1;
  const std::string id = record();
  const auto applied = enqueue(id, "1");
  EXPECT_EQ(work(), std::nullopt);
  suspect(applied);
  service_.faults().inject({.operation = "payment_records.retrieve", .latency = 3s});
  enqueueLow(id, "2");
  for (const char* sequence : {"3", "4", "5"})
    enqueueLow(record(), sequence);
  EXPECT_EQ(turnFor(1s), std::nullopt);
  enqueue(id, "6");
  EXPECT_EQ(turnFor(30s), std::nullopt);
  const auto sent = effects();
  ASSERT_EQ(sent.size(), 6U);
  EXPECT_EQ(sent[1], "2") << testing::PrintToString(sent);
  run_.reset();
}

}  // namespace
}  // namespace tally::test

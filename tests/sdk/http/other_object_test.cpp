// A cache or a proxy that is out of step returns another object than the one in the path.

#include <atomic>
#include <chrono>
#include <functional>
#include <future>
#include <string>
#include <utility>
#include <vector>

#include <tally/async.h>
#include <tally/curl_transport.h>
#include <tally/fake/service.h>
#include <tally/report_all.h>
#include <tally/tally.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sdk/support/wire_fault.h"

namespace tally::otherObjectTest {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

constexpr std::chrono::sys_seconds reportTime{1'730'000'000s};

/// An object of the service as JSON, which is not the one that a call is about.
template <class T>
std::string jsonOfAnother() {
  fake::Service service;
  return toJson(service.insert<T>(service.addAccount().sandboxKey));
}

/// Responds to every request with the same object.
class MismatchedResponse : public testing::Test {
 protected:
  template <class T>
  void respondWith() {
    json_ = jsonOfAnother<T>();
    other = fromJson<T>(json_).value().id.str();
  }

  /// A call ends in an error that names both objects, whether it blocks or not.
  template <class T, class MakeCall>
  void expectRefused(Effect effect, const std::string& id, const MakeCall& makeCall) {
    respondWith<T>();
    const auto blocking = makeCall(client);
    auto future = makeCall(async).future();
    for (const auto& result : {blocking, future.get()}) {
      ASSERT_TRUE(result.has_error()) << id;
      const Error& error = result.error();
      EXPECT_EQ(error.kind(), ErrorKind::malformedResponse) << error;
      EXPECT_EQ(error.effect(), effect) << error;
      EXPECT_THAT(error.message(), HasSubstr('\'' + other + "' instead of '" + id + '\''));
      EXPECT_EQ(error.status(), 200);
      EXPECT_EQ(error.attemptCount(), 1);
    }
  }

  std::string other{};
  std::atomic<int> requests = 0;

 private:
  std::string json_{};
  test::MisbehavingServer server_{[this](int connection) {
    (void)test::receiveRequest(connection);
    ++requests;
    test::sendAll(connection, test::goodResponse(json_, "Connection: close\r\n"));
    close(connection);
  }};

 protected:
  Client client{{.apiKey = "sk_test_1", .baseUrl = server_.url(), .maxNetworkRetries = 2}};
  AsyncClient async{client};
};

TEST_F(MismatchedResponse, IsRefusedByReads) {
  const auto retrieved = [this]<class T>(const std::string& id, const auto& service) {
    expectRefused<T>(Effect::none, id, [&](const auto& from) { return service(from).retrieve(id); });
  };
  retrieved.operator()<PaymentRecord>("pr_1", [](const auto& from) { return from.paymentRecords(); });
  retrieved.operator()<PaymentIntent>("pi_1", [](const auto& from) { return from.paymentIntents(); });
  retrieved.operator()<Subscription>("sub_1", [](const auto& from) { return from.subscriptions(); });
  retrieved.operator()<Invoice>("in_1", [](const auto& from) { return from.invoices(); });
  retrieved.operator()<Payout>("po_1", [](const auto& from) { return from.payouts(); });
  retrieved.operator()<File>("file_1", [](const auto& from) { return from.files(); });
  retrieved.operator()<IssuingCard>("ic_1", [](const auto& from) { return from.issuingCards(); });
  retrieved.operator()<Account>("acct_1", [](const auto& from) { return from.accounts(); });
}

TEST_F(MismatchedResponse, LeavesTheEffectOfAChangeUnknown) {
  expectRefused<PaymentIntent>(Effect::unknown, "pi_1", [](const auto& from) {
    return from.paymentIntents().update("pi_1", {.description = "Tea"});
  });
  expectRefused<Subscription>(Effect::unknown, "sub_1", [](const auto& from) {
    return from.subscriptions().update("sub_1", {.quantity = 2});
  });
  expectRefused<PaymentRecord>(Effect::unknown, "pr_1", [](const auto& from) {
    return from.paymentRecords().reportCanceled("pr_1", {.canceledAt = reportTime});
  });
  expectRefused<PaymentRecord>(Effect::unknown, "pr_1", [](const auto& from) {
    return from.paymentRecords().reportFailed("pr_1", {.failedAt = reportTime});
  });
  expectRefused<PaymentRecord>(Effect::unknown, "pr_1", [](const auto& from) {
    return from.paymentRecords().reportGuaranteed("pr_1", {.guaranteedAt = reportTime});
  });
  const Report report{.id = "pr_1", .outcome = "failed", .time = reportTime};
  expectRefused<PaymentRecord>(Effect::unknown, "pr_1",
                               [&](const auto& from) { return from.paymentRecords().report(report); });
}

TEST_F(MismatchedResponse, LeavesTheEffectOfACheckedReportUnknown) {
  const PaymentRecordReport params = PaymentRecordReportFailedParams{.failedAt = reportTime};
  expectRefused<PaymentRecord>(Effect::unknown, "pr_1", [&](const auto& from) {
    return from.paymentRecords().checkReport("pr_1", params);
  });
  expectRefused<PaymentRecord>(Effect::unknown, "pr_1", [&](const auto& from) {
    return from.paymentRecords().resolveReport("pr_1", params);
  });
  EXPECT_EQ(requests, 4) << "each has only read";
}

TEST_F(MismatchedResponse, IsNotAttributedToABulkReport) {
  respondWith<PaymentRecord>();
  const Report reports[] = {
      {.id = "pr_1", .outcome = "failed", .time = reportTime},
      {.id = "pr_2", .outcome = "failed", .time = reportTime, .attempt = "par_2"},
  };
  // One job each, since the first that gives up stops the other.
  for (const Report& report : reports) {
    const auto summary =
        reportAll(client, std::vector{report}, {.retryTimeout = 0ms}, [&](const ReportResult& result) {
          EXPECT_EQ(result.end, report.attempt.empty() ? ReportEnd::unsent : ReportEnd::unknown) << result;
          EXPECT_TRUE(result.pending);
          EXPECT_EQ(result.object, nullptr);
          EXPECT_THAT(result.reason, HasSubstr("'" + other + "' instead of '" + result.report.id));
        });
    EXPECT_FALSE(summary.isComplete);
  }
}

TEST_F(MismatchedResponse, IsReturnedByACreateCall) {
  respondWith<PaymentIntent>();
  const auto created = client.paymentIntents().create({.amount = 1, .currency = "eur"});
  ASSERT_TRUE(created) << created.error();
  EXPECT_EQ(created.value().id.str(), other);
}

}  // namespace
}  // namespace tally::otherObjectTest

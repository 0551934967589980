// When an injected fault occurs, and to which request. Only its occurrence consumes it, and the log shows it.

#include <chrono>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include <tally/client.h>
#include <tally/fake/service.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fake/support/requests.h"
#include "tables/rules.h"

namespace tally::test {

namespace {

using fake::Fault;
using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

const std::string recordsUrl = "/v1/payment_records/";

TEST(Retryability, DependsOnTheStatusAndTheOperationForEveryDescribedError) {
  fake::Service service;
  const std::string key = service.addAccount().sandboxKey;
  const PaymentRecords records = Client{service.clientOptions(key)}.paymentRecords();
  const Id<PaymentRecord> id = service.insert<PaymentRecord>(key).id;
  for (const fake::detail::ErrorResponse* response : fake::detail::errorResponses) {
    service.faults().inject({.times = 2, .error = std::string{response->name}});
    const bool isLater = response->status == 429 || response->status >= 500;
    const Error ofARead = records.retrieve(id).error();
    EXPECT_EQ(ofARead.isRetryable(), isLater) << ofARead;
    EXPECT_EQ(ofARead.isPermanent(), !isLater) << ofARead;
    const Error ofAReport = records.reportFailed(id, {.failedAt = std::chrono::sys_seconds{}}).error();
    EXPECT_EQ(ofAReport.isRetryable(), response->status == 429) << ofAReport;
    EXPECT_EQ(ofAReport.isPermanent(), !isLater) << ofAReport;
  }
}

class InjectedFaults : public testing::Test {
 protected:
  HttpResponse report(const std::string& form = "failed_at=1") { return reportOn(id, form); }
  HttpResponse reportOn(const std::string& object, const std::string& form = "failed_at=1") {
    return service.handle(post(key, recordsUrl + object + "/report_payment_attempt_failed", form));
  }
  void setReports(std::int64_t number) {
    service.limits().set(
        {.limit = "endpoint_rate", .value = number, .operation = "payment_records.report_failed"});
  }
  fake::LoggedRequest last() { return service.requests().list().back(); }
  std::string state() { return *service.objects().stateOf(key, id); }

  /// Expects that the last request left the fault for the next one.
  void expectUntouched(const HttpResponse& response, const std::string& error) {
    EXPECT_EQ(errorOf(response), error);
    EXPECT_EQ(last().fault, Fault::none) << error;
    EXPECT_FALSE(last().processed) << error;
    EXPECT_EQ(service.faults().pending().size(), 1U) << error;
  }

  fake::Service service{{.duration = 0ns, .lockWait = 0ns}};
  fake::Account account = service.addAccount();
  std::string key = account.sandboxKey;
  std::string id = service.insert<PaymentRecord>(key).id.str();
};

/// Faults that leave the request processed.
class LateFaults : public InjectedFaults, public testing::WithParamInterface<Fault> {};

TEST_P(LateFaults, WaitForARequestThatIsAdmittedAndReachesItsObject) {
  fake::FaultRule rule{.operation = "payment_records.report_failed", .fault = GetParam(), .latency = 1h};
  if (GetParam() != Fault::responseLost) rule.headers = {{"Retry-After", "1"}};
  service.faults().inject(rule);
  expectUntouched(service.handle(post("sk_test_none", recordsUrl + id + "/report_payment_attempt_failed")),
                  "401 key_unknown");
  setReports(0);
  expectUntouched(report(), "429 rate_limit");
  EXPECT_EQ(last().respondedAt, last().time) << "the latency belongs to the fault";
  setReports(25);
  expectUntouched(report("failed_at=soon"), "400 parameter_invalid failed_at");
  {
    const fake::Hold lock = service.holds().lockObject(key, id);
    expectUntouched(report(), "429 lock_timeout");
  }
  EXPECT_EQ(state(), "unreported");

  (void)report();
  EXPECT_EQ(last().fault, GetParam());
  EXPECT_TRUE(last().processed);
  EXPECT_EQ(last().respondedAt, last().time + 1h);
  EXPECT_EQ(state(), "failed");
  EXPECT_THAT(service.faults().pending(), IsEmpty());
}

/// The response of an object that refuses can be lost too; but then no change took effect.
TEST_P(LateFaults, ApplyToRefusedRequestsUnlessTheFaultRequiresAChange) {
  ASSERT_EQ(
      service.handle(post(key, recordsUrl + id + "/report_payment_attempt_guaranteed", "guaranteed_at=1"))
          .status,
      200);
  const std::vector<std::pair<std::string, std::string>> refusals{
      {"pr_none", "404 resource_missing"}, {id, "400 payment_attempt_already_guaranteed"}};
  for (const auto& [object, error] : refusals) {
    service.faults().inject({.fault = GetParam()});
    const HttpResponse response = reportOn(object);
    EXPECT_FALSE(last().processed);
    if (GetParam() == Fault::errorAfterProcessing) {
      expectUntouched(response, error);
      EXPECT_EQ(service.handle(get(key, recordsUrl + id)).status, 500);
    } else {
      EXPECT_EQ(last().fault, GetParam());
      EXPECT_NE(last().errorCode, "");
    }
    EXPECT_THAT(service.faults().pending(), IsEmpty());
  }
}

TEST_P(LateFaults, SkipAbandonedRequests) {
  fake::Service patient{{.lockWait = 1h}};
  const std::string mine = patient.addAccount().sandboxKey;
  const std::string object = patient.insert<PaymentRecord>(mine).id.str();
  const fake::Hold lock = patient.holds().lockObject(mine, object);
  patient.faults().inject({.fault = GetParam()});
  patient.clock()->freeze();
  std::stop_source gone;
  std::jthread waiting{[&] {
    (void)patient.exchange(post(mine, recordsUrl + object + "/report_payment_attempt_failed", "failed_at=1"),
                           gone.get_token());
  }};
  patient.clock()->waitForSleepers(1);
  gone.request_stop();
  waiting.join();
  EXPECT_EQ(patient.requests().list().back().status, 0);
  EXPECT_FALSE(patient.requests().list().back().processed);
  EXPECT_EQ(patient.faults().pending().size(), 1U);
}

INSTANTIATE_TEST_SUITE_P(, LateFaults,
                         testing::Values(Fault::responseLost, Fault::truncatedBody, Fault::garbledBody,
                                         Fault::errorAfterProcessing),
                         [](const auto& one) { return std::to_string(static_cast<int>(one.param)); });

TEST_F(InjectedFaults, DoNotReplaceRefusalsWithEmptyPages) {
  service.faults().inject({.fault = Fault::emptyPage});
  expectUntouched(service.handle(get(key, "/v1/payment_records?limit=0")), "400 parameter_invalid limit");
  expectUntouched(service.handle(get(key, "/v1/payment_records?starting_after=pr_none")),
                  "400 resource_missing starting_after");
  expectUntouched(service.handle(get(key, "/v1/payment_records/search?query=%3F")),
                  "400 parameter_invalid query");
  service.limits().set({.limit = "endpoint_rate", .value = 0, .operation = "payment_records.list"});
  expectUntouched(service.handle(get(key, "/v1/payment_records")), "429 rate_limit");
  const auto page = bodyOf(service.handle(get(key, "/v1/payment_records/search?query=created%3E0")));
  EXPECT_EQ(page.at("data").as_array().size(), 0U);
  EXPECT_EQ(page.at("has_more"), true);
  EXPECT_EQ(last().fault, Fault::emptyPage);
}

/// These faults occur before limits are checked.
TEST_F(InjectedFaults, ApplyBeforeLimitsIfTheyReplaceProcessing) {
  setReports(0);
  service.faults().inject({.fault = Fault::reset});
  service.faults().inject({.fault = Fault::connectionRefused});
  service.faults().inject({.error = "api_error"});
  service.faults().inject({.response = HttpResponse{.status = 503}});
  for (const int status : {0, 0, 500, 503}) {
    (void)report();
    EXPECT_EQ(last().status, status);
    EXPECT_FALSE(last().processed);
  }
  EXPECT_THAT(service.faults().pending(), IsEmpty());
  EXPECT_EQ(errorOf(report()), "429 rate_limit");
}

TEST_F(InjectedFaults, AddLatencyAndHeadersToRefusals) {
  setReports(0);
  service.faults().inject({.headers = {{"Retry-After", "1"}}, .latency = 1h});
  const HttpResponse refused = report();
  EXPECT_EQ(errorOf(refused), "429 rate_limit");
  EXPECT_NE(refused.header("Retry-After"), nullptr);
  EXPECT_EQ(last().respondedAt, last().time + 1h);
  EXPECT_THAT(service.faults().pending(), IsEmpty());
}

/// Faults occur in the order in which they were added.
TEST_F(InjectedFaults, ApplyOnePerRequestInTheOrderOfInjection) {
  service.faults().inject({.times = 1, .latency = 1s});
  service.faults().inject({.fault = Fault::errorAfterProcessing});
  service.faults().inject({.error = "lock_timeout"});
  EXPECT_EQ(errorOf(report()), "200");
  service.clock()->advance(1s);  // releases the object's lock
  setReports(0);
  EXPECT_EQ(errorOf(report()), "429 rate_limit");
  EXPECT_EQ(service.faults().pending().size(), 2U);
  setReports(25);
  EXPECT_EQ(errorOf(report()), "500 api_error");
  EXPECT_EQ(errorOf(report()), "429 lock_timeout");
  EXPECT_EQ(errorOf(report()), "200");
}

/// Two requests wait for a lock, and one fault is pending: it affects the request that is processed first.
TEST_F(InjectedFaults, HappenTheGivenNumberOfTimesEvenIfRequestsOverlap) {
  fake::Service patient{{.duration = 0ns, .lockWait = 1h}};
  const std::string mine = patient.addAccount().sandboxKey;
  const std::string object = patient.insert<PaymentRecord>(mine).id.str();
  fake::Hold lock = patient.holds().lockObject(mine, object);
  patient.faults().inject({.fault = Fault::responseLost});
  patient.clock()->freeze();
  {
    const auto send = [&] {
      (void)patient.exchange(
          post(mine, recordsUrl + object + "/report_payment_attempt_failed", "failed_at=1"));
    };
    const std::jthread first{send};
    const std::jthread second{send};
    patient.clock()->waitForSleepers(2);
    lock.release();
  }
  std::vector<Fault> faults;
  for (const auto& request : patient.requests().list())
    faults.push_back(request.fault);
  EXPECT_THAT(faults, ElementsAre(Fault::responseLost, Fault::none));
}

TEST_F(InjectedFaults, KeepTheChangeDespiteAnErrorAfterProcessing) {
  service.faults().inject({.fault = Fault::errorAfterProcessing});
  const HttpResponse failed = report();
  EXPECT_EQ(errorOf(failed), "500 api_error");
  EXPECT_NE(failed.header("Request-Id"), nullptr);
  EXPECT_EQ(last().errorCode, "api_error");
  EXPECT_EQ(last().requestId, *failed.header("Request-Id"));
  EXPECT_EQ(state(), "failed");

  service.faults().inject({.fault = Fault::errorAfterProcessing,
                           .response = HttpResponse{.status = 502, .headers = {}, .body = "<html>"}});
  EXPECT_EQ(service.handle(post(key, "/v1/payouts", "colour=red")).status, 400)
      << "waits for a request that is processed";
  const HttpResponse gateway =
      service.handle(post(key, recordsUrl + id + "/report_payment_attempt_canceled", "canceled_at=1"));
  EXPECT_EQ(gateway, (HttpResponse{.status = 502, .headers = {}, .body = "<html>"}));
  EXPECT_TRUE(last().processed);
  EXPECT_EQ(state(), "canceled");
}

TEST_F(InjectedFaults, LetTheLogShowWhetherARequestWasProcessed) {
  service.faults().inject({.fault = Fault::reset});
  service.faults().inject({.fault = Fault::responseLost});
  (void)report();
  (void)report();
  const auto log = service.requests().list();
  EXPECT_EQ(log[0].status, 0);
  EXPECT_FALSE(log[0].processed);
  EXPECT_EQ(log[1].status, 0);
  EXPECT_TRUE(log[1].processed);
}

}  // namespace

}  // namespace tally::test

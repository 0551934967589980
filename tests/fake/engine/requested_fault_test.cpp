// Faults that a request asks for in its own header.

#include "engine/requested_fault.h"

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include <tally/client.h>
#include <tally/fake/service.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "fake/support/requests.h"

namespace tally::test {

namespace {

using fake::Fault;
using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr int lost = 0;

class RequestedFaults : public testing::Test {
 protected:
  HttpRequest reading(const std::string& object, const std::string& header) const {
    HttpRequest request = get(key, "/v1/payment_records/" + object);
    if (!header.empty()) request.headers.push_back({"Tally-Fake-Fault", header});
    return request;
  }
  int read(const std::string& header) { return service.handle(reading(id, header)).status; }
  std::vector<int> reads(int number, const std::string& header) {
    std::vector<int> statuses;
    for (int n = 0; n < number; ++n)
      statuses.push_back(read(header));
    return statuses;
  }
  HttpResponse report(const std::string& header) {
    HttpRequest request =
        post(key, "/v1/payment_records/" + id + "/report_payment_attempt_failed", "failed_at=1");
    request.headers.push_back({"tally-fake-fault", header});
    return service.handle(request);
  }
  fake::LoggedRequest last() { return service.requests().list().back(); }

  fake::Service service{{.limits = false, .faultHeader = true}};
  std::string key = service.addAccount().sandboxKey;
  std::string id = service.insert<PaymentRecord>(key).id.str();
};

TEST_F(RequestedFaults, AreLoggedEvenIfTheyOnlyAddLatency) {
  EXPECT_EQ(read("none; latency_ms=5"), 200);
  EXPECT_EQ(read(""), 200);
  EXPECT_TRUE(service.requests().list().front().hasFault());
  EXPECT_FALSE(last().hasFault());
  EXPECT_EQ(service.requests().summary({.faulted = true}).matching, 1U);
}

TEST_F(RequestedFaults, AreIgnoredUnlessAllowed) {
  fake::Service careful;
  const std::string own = careful.addAccount().sandboxKey;
  HttpRequest request = get(own, "/v1/payment_records");
  request.headers.push_back({"Tally-Fake-Fault", "complete nonsense"});
  EXPECT_EQ(careful.handle(request).status, 200);
}

TEST_F(RequestedFaults, ApplyToTheGivenNumberOfAttempts) {
  EXPECT_THAT(reads(4, "response_lost; times=2"), ElementsAre(lost, lost, 200, 200));
}

TEST_F(RequestedFaults, ApplyToEveryAttemptUnlessTimesIsGiven) {
  EXPECT_THAT(reads(3, "error=lock_timeout"), ElementsAre(429, 429, 429));
  EXPECT_EQ(read(""), 200);
}

TEST_F(RequestedFaults, CountEachRequestSeparately) {
  const std::string other = service.insert<PaymentRecord>(key).id.str();
  EXPECT_EQ(read("reset; times=1"), lost);
  EXPECT_EQ(service.handle(reading(other, "reset; times=1")).status, lost) << "another object";
  EXPECT_EQ(service.handle(reading(id + "?expand[]=x", "reset; times=1")).status, lost) << "other parameters";
  EXPECT_EQ(read("reset;times=1"), lost) << "another header";
  EXPECT_EQ(read("reset; times=1"), 200);
  HttpRequest live = reading(id, "reset; times=1");
  live.headers[0].value = "Bearer " + service.accounts().list().front().liveKey;
  EXPECT_EQ(service.handle(live).status, lost) << "another mode";
}

TEST_F(RequestedFaults, CountTheAttemptsOfEachMarkedCallSeparately) {
  const Client client{
      service.clientOptions(key, {.maxNetworkRetries = 2,
                                  .headers = {{"Tally-Fake-Fault", "error=lock_timeout; times=2"}},
                                  .markAttempts = true})};
  for (int call = 0; call < 3; ++call)
    EXPECT_TRUE(client.paymentRecords().retrieve(id));
  EXPECT_EQ(service.requests().count({.errorCode = "lock_timeout"}), 6U);
}

TEST_F(RequestedFaults, AreLoggedButNotListedAsInjectedFaults) {
  EXPECT_EQ(report("response_lost; times=1").status, lost);
  EXPECT_EQ(last().fault, Fault::responseLost);
  EXPECT_TRUE(last().faultFromHeader);
  EXPECT_TRUE(last().processed);
  EXPECT_EQ(last().faultId, 0U);
  EXPECT_THAT(service.faults().list(), IsEmpty());
  EXPECT_THAT(service.faults().pending(), IsEmpty());
  read("");
  EXPECT_FALSE(last().faultFromHeader);
}

TEST_F(RequestedFaults, CanSetAResponseAnErrorAfterProcessingOrLatency) {
  EXPECT_EQ(report("status=500; retry_after=3; body=busy").body, "busy");
  EXPECT_EQ(*last().response->header("Retry-After"), "3");
  EXPECT_EQ(report("error_after_processing; status=502").status, 502);
  EXPECT_EQ(service.objects().stateOf(key, id), "failed");
  const Instant before = service.clock()->now();
  (void)read("latency_ms=300");
  EXPECT_EQ(last().addedLatency, 300ms);
  EXPECT_EQ(last().respondedAt - before, 350ms);
}

TEST_F(RequestedFaults, OccurOnEveryThirdAttemptOrWithTheGivenProbability) {
  EXPECT_THAT(reads(6, "reset; every=3"), ElementsAre(200, 200, lost, 200, 200, lost));
  const std::vector<int> half = reads(100, "reset; probability=0.5");
  EXPECT_GT(std::ranges::count(half, lost), 30);
  EXPECT_LT(std::ranges::count(half, lost), 70);
  fake::Service same{{.limits = false, .faultHeader = true}};
  const std::string sameKey = same.addAccount().sandboxKey;
  (void)same.insert<PaymentRecord>(sameKey);
  std::vector<int> again;
  for (int n = 0; n < 100; ++n)
    again.push_back(same.handle(reading(id, "reset; probability=0.5")).status);
  EXPECT_EQ(again, half);
}

TEST_F(RequestedFaults, EndAfterTheirPeriod) {
  EXPECT_EQ(read("reset; period_ms=2000"), lost);
  service.clock()->advance(1999ms);
  EXPECT_EQ(read("reset; period_ms=2000"), lost);
  service.clock()->advance(1ms);
  EXPECT_EQ(read("reset; period_ms=2000"), 200);
}

TEST_F(RequestedFaults, ApplyBeforeInjectedFaultsAndLeaveThemPending) {
  service.faults().inject({.error = "api_error"});
  EXPECT_THAT(reads(3, "error=lock_timeout; times=1"), ElementsAre(429, 500, 200));
  service.faults().inject({.error = "api_error"});
  EXPECT_EQ(read("response_lost; times=1"), lost) << "although it happens later than the injected one";
  EXPECT_EQ(read("response_lost; times=1"), 500);
}

TEST_F(RequestedFaults, RemainPendingWhenALimitRefusesTheRequest) {
  fake::Service limited{{.faultHeader = true}};
  const std::string own = limited.addAccount().sandboxKey;
  const std::string record = limited.insert<PaymentRecord>(own).id.str();
  limited.limits().set({.limit = "global_rate", .value = 0});
  const auto send = [&](const std::string& header) {
    HttpRequest request = get(own, "/v1/payment_records/" + record);
    request.headers.push_back({"Tally-Fake-Fault", header});
    return limited.handle(request).status;
  };
  EXPECT_EQ(send("response_lost; times=1"), 429);
  EXPECT_EQ(limited.requests().list().back().limit, "global_rate");
  EXPECT_EQ(send("error=api_error; times=1"), 500) << "before any limit is checked";
  limited.limits().reset();
  EXPECT_EQ(send("response_lost; times=1"), lost);
  EXPECT_EQ(send("response_lost; times=1"), 200);
}

TEST_F(RequestedFaults, AreRefusedIfMalformed) {
  const HttpResponse refused = report("response_lost; tims=2");
  EXPECT_EQ(errorOf(refused), "400 fault_header_invalid");
  EXPECT_EQ(messageOf(refused),
            "The Tally-Fake-Fault header is invalid: tims: unknown part; did you mean 'times'?");
  EXPECT_FALSE(last().processed);
  EXPECT_EQ(
      messageOf(report("error=lock_timout")),
      "The Tally-Fake-Fault header is invalid: a fault rule names an unknown error 'lock_timout'; did you "
      "mean 'lock_timeout'?");
  EXPECT_THAT(messageOf(report("empty_page")), HasSubstr("returns no pages that could be empty"));
  EXPECT_THAT(messageOf(report("reset; error=api_error")),
              HasSubstr("only one of fault, error and response"));
  HttpRequest twice = reading(id, "reset");
  twice.headers.push_back({"Tally-Fake-Fault", "times=1"});
  EXPECT_THAT(messageOf(service.handle(twice)), HasSubstr("given twice; join its parts with ';'"));
}

TEST_F(RequestedFaults, AreIgnoredIfTheKeyOrPathIsUnknown) {
  HttpRequest unknown = reading(id, "nonsense");
  unknown.headers[0].value = "Bearer sk_test_none";
  EXPECT_EQ(service.handle(unknown).status, 401);
  HttpRequest astray = reading(id, "nonsense");
  astray.url = "/v1/none";
  EXPECT_EQ(service.handle(astray).status, 404);
}

TEST_F(RequestedFaults, ContinueInForksAndAfterASnapshotIsRestored) {
  EXPECT_EQ(read("reset; times=3"), lost);
  const fake::Snapshot taken = service.snapshots().take();
  fake::Service fork = service.fork();
  EXPECT_THAT(reads(3, "reset; times=3"), ElementsAre(lost, lost, 200));
  EXPECT_EQ(fork.handle(reading(id, "reset; times=3")).status, lost);
  service.snapshots().restore(taken);
  EXPECT_THAT(reads(3, "reset; times=3"), ElementsAre(lost, lost, 200));
}

/// Memory is bounded, so a request is forgotten after many others.
TEST_F(RequestedFaults, StartOverAfterAThousandOtherFaults) {
  EXPECT_EQ(read("reset; times=1"), lost);
  const auto readOthers = [&](int begin, int end) {
    for (int n = begin; n < end; ++n)
      EXPECT_EQ(read("reset; times=1; latency_ms=" + std::to_string(n)), lost);
  };
  readOthers(0, 999);
  EXPECT_EQ(read("reset; times=1"), 200);
  readOthers(999, 1'000);
  EXPECT_EQ(read("reset; times=1"), lost);
}

RC_GTEST_PROP(ArbitraryFaultHeaders, AreAppliedOrRefused, (const std::string& value)) {
  fake::Service service{{.faultHeader = true}};
  const std::string key = service.addAccount().sandboxKey;
  HttpRequest request = get(key, "/v1/payment_records");
  request.headers.push_back({"Tally-Fake-Fault", value});
  const int status = service.handle(request).status;
  RC_ASSERT(status == 400 || status == 200 || status == 0);
}

}  // namespace

}  // namespace tally::test

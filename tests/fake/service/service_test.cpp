#include <optional>
#include <stdexcept>
#include <thread>
#include <utility>
#include <variant>

#include <tally/client.h>
#include <tally/fake/service.h>
#include <tally/payment_intents.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fake/support/requests.h"

namespace tally::test {

namespace {

const std::string recordsPath = "/v1/payment_records";

class ServiceTest : public testing::Test {
 protected:
  HttpResponse report(const std::string& outcome, const std::string& more = {}) {
    return one.post(recordsPath + '/' + id + "/report_payment_attempt_" + outcome,
                    outcome + "_at=1700000000" + more);
  }
  std::string record() { return one.get(recordsPath + '/' + id).body; }
  HttpResponse handle(const HttpRequest& request) { return one.service.handle(request); }

  static int amount(const HttpResponse& response, const std::string& name) {
    return static_cast<int>(bodyOf(response).at(name).at("value").as_int64());
  }

  OneAccount one{};
  std::string id = one.insert([](PaymentRecord& r) { r.amountRequested = {"eur", 250}; });
};

TEST_F(ServiceTest, RetrievesInsertedObjects) {
  const HttpResponse response = one.get(recordsPath + '/' + id);
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(*response.header("content-type"), "application/json");
  EXPECT_TRUE(response.header("request-id")->starts_with("req_"));
  const auto body = bodyOf(response);
  EXPECT_EQ(text(body.at("id")), id);
  EXPECT_EQ(text(body.at("object")), "payment_record");
  EXPECT_EQ(body.at("livemode").as_bool(), false);
  EXPECT_EQ(text(body.at("amount_refunded").at("currency")), "eur") << "assigned on creation";
}

TEST_F(ServiceTest, ReturnsTheInsertedObject) {
  const auto inserted = one.service.insert<PaymentRecord>(
      one.account.liveKey, [](PaymentRecord& r) { r.metadata = {{"order", "42"}}; });
  EXPECT_TRUE(inserted.livemode);
  const Client client{one.service.clientOptions(one.account.liveKey)};
  EXPECT_EQ(client.paymentRecords().retrieve(inserted.id).value(), inserted);
}

TEST_F(ServiceTest, RefusesInvalidInsertions) {
  const auto seed = [this](const std::function<void(PaymentRecord&)>& edit) { one.insert(edit); };
  EXPECT_THROW(seed([this](PaymentRecord& r) { r.id = id; }), std::invalid_argument);
  EXPECT_THROW(seed([](PaymentRecord& r) { r.id = "par_1"; }), std::invalid_argument);
  EXPECT_THROW(seed([](PaymentRecord& r) { r.id = "pr_"; }), std::invalid_argument);
  EXPECT_THROW(seed([](PaymentRecord& r) { r.description = "\xFF"; }), std::invalid_argument);
  EXPECT_THROW(seed([](PaymentRecord& r) { r.customerDetails = RawJson{"{"}; }), std::invalid_argument);
  EXPECT_THROW(one.service.insert<PaymentRecord>("sk_test_1"), std::invalid_argument);
  EXPECT_EQ(idsOf(bodyOf(one.get(recordsPath))).size(), 1U);
}

TEST_F(ServiceTest, MovesTheRequestedAmountToTheReportedOutcome) {
  const HttpResponse failed = report("failed");
  EXPECT_EQ(amount(failed, "amount_failed"), 250);
  EXPECT_EQ(amount(failed, "amount_canceled"), 0);
  EXPECT_EQ(one.service.objects().stateOf(one.key, id), "failed");
  const HttpResponse canceled = report("canceled");
  EXPECT_EQ(amount(canceled, "amount_failed"), 0);
  EXPECT_EQ(amount(canceled, "amount_canceled"), 250);
  EXPECT_EQ(one.service.objects().stateOf(one.key, id), "canceled");
}

TEST_F(ServiceTest, ChangesNothingWhenItRefusesAReport) {
  report("guaranteed", "&metadata[a]=1");
  const std::string before = record();
  for (const char* outcome : {"canceled", "failed", "guaranteed"}) {
    const HttpResponse response = report(outcome, "&metadata[b]=2");
    EXPECT_EQ(errorOf(response), "400 payment_attempt_already_guaranteed");
    EXPECT_EQ(record(), before);
  }
  EXPECT_EQ(one.service.objects().stateOf(one.key, id), "guaranteed");
}

TEST_F(ServiceTest, EditsMetadataAsAReportSpecifies) {
  report("failed", "&metadata[a]=1&metadata[b]=2");
  report("failed", "&metadata%5Ba%5D=&metadata[c]=3");
  EXPECT_EQ(boost::json::serialize(bodyOf(one.get(recordsPath + '/' + id)).at("metadata")),
            R"({"b":"2","c":"3"})");
  report("failed", "&metadata=");
  EXPECT_EQ(boost::json::serialize(bodyOf(one.get(recordsPath + '/' + id)).at("metadata")), "{}");
}

TEST_F(ServiceTest, NamesTheParameterThatCausesAnError) {
  const std::string before = record();
  EXPECT_EQ(errorOf(report("failed", "&metdata[order]=1")), "400 parameter_unknown metdata[order]");
  EXPECT_EQ(errorOf(one.post(recordsPath + '/' + id + "/report_payment_attempt_failed", "")),
            "400 parameter_missing failed_at");
  EXPECT_EQ(errorOf(one.post(recordsPath + '/' + id + "/report_payment_attempt_failed", "failed_at=-1")),
            "400 parameter_invalid failed_at");
  EXPECT_EQ(
      errorOf(one.post(recordsPath + '/' + id + "/report_payment_attempt_failed?failed_at=1", "failed_at=1")),
      "400 parameter_unknown failed_at");
  EXPECT_EQ(errorOf(one.get(recordsPath + '/' + id + "?expand[]=a")), "400 parameter_unknown expand[]");
  HttpRequest withBody = test::get(one.key, recordsPath + '/' + id);
  withBody.body = "limit=1";
  EXPECT_EQ(errorOf(handle(withBody)), "400 parameter_unknown limit");
  EXPECT_EQ(record(), before);
}

/// Otherwise any number of them would take memory.
TEST(Service, DoesNotCountUpdatesToMissingObjects) {
  fake::Service service{};
  const fake::Account account = service.addAccount();
  service.limits().set({.limit = "payment_intent_updates", .value = 1});
  const std::string present = service.insert<PaymentIntent>(account.sandboxKey).id.str();
  const auto update = [&](const std::string& id) {
    return errorOf(service.handle(post(account.sandboxKey, "/v1/payment_intents/" + id, "description=a")));
  };
  EXPECT_EQ(update(present), "200");
  EXPECT_EQ(update(present), "429 rate_limit");
  for (const std::string& id : {std::string{"pi_1"}, std::string{"pi_1"}, std::string{"%FF"},
                                std::string{"%00"}, std::string(100'000, 'x')})
    EXPECT_EQ(update(id), "404 resource_missing");
  std::vector<std::string> counted;
  for (const fake::LimitUsage& usage : service.usage().list(account))
    if (usage.limit == "payment_intent_updates") counted.push_back(usage.object);
  EXPECT_EQ(counted, std::vector{present});
}

TEST_F(ServiceTest, AcceptsAGetRequestWithAFormContentTypeAndNoBody) {
  HttpRequest request = test::get(one.key, recordsPath + '/' + id);
  request.headers.push_back({"Content-Type", "application/x-www-form-urlencoded"});
  EXPECT_EQ(handle(request).status, 200);
}

TEST_F(ServiceTest, AcceptsTimesInTheFuture) {
  EXPECT_EQ(
      one.post(recordsPath + '/' + id + "/report_payment_attempt_failed", "failed_at=9223372036854775807")
          .status,
      200);
}

TEST_F(ServiceTest, RefusesUnknownPathsAndMethods) {
  EXPECT_EQ(errorOf(one.get("/v1/nothing")), "404 path_unknown");
  EXPECT_EQ(messageOf(one.get("/v1/nothing?a=b")), "There is no operation GET /v1/nothing.");
  EXPECT_EQ(errorOf(one.post(recordsPath + '/' + id)), "405 method_not_allowed");
  EXPECT_EQ(one.get("/v1/nothing").header("Allow"), nullptr);
  EXPECT_EQ(*one.post(recordsPath + '/' + id).header("Allow"), "GET, HEAD");
  EXPECT_EQ(*one.get(recordsPath + '/' + id + "/report_payment_attempt_failed").header("Allow"), "POST");
  EXPECT_EQ(errorOf(one.get(recordsPath + "/%zz")), "400 parameter_invalid");
}

TEST_F(ServiceTest, ChecksTheKeyBeforeThePath) {
  EXPECT_EQ(errorOf(handle({.url = recordsPath})), "401 key_missing");
  EXPECT_EQ(errorOf(handle(test::get("sk_test_1", "/v1/nothing"))), "401 key_unknown");
}

TEST_F(ServiceTest, SeparatesModesAndAccounts) {
  const auto other = one.service.addAccount();
  for (const std::string& key : {one.account.liveKey, other.sandboxKey, other.liveKey}) {
    EXPECT_EQ(errorOf(handle(test::get(key, recordsPath + '/' + id))), "404 resource_missing");
    EXPECT_EQ(one.service.objects().stateOf(key, id), std::nullopt);
  }
}

TEST_F(ServiceTest, LetsPlatformsActOnlyForConnectedAccounts) {
  const auto platform = one.service.addAccount();
  HttpRequest request = test::get(platform.sandboxKey, recordsPath + '/' + id);
  request.headers.push_back({"Service-Account", one.account.id});
  EXPECT_EQ(errorOf(handle(request)), "403 account_not_connected");
  one.service.connections().connect(platform, one.account);
  EXPECT_EQ(handle(request).body, record());
  request.headers.front().value = "Bearer " + one.service.tokens().add(platform, false);
  EXPECT_EQ(handle(request).body, record());
  request.headers.front().value = "Bearer " + one.service.tokens().add(platform, true);
  EXPECT_EQ(errorOf(handle(request)), "404 resource_missing");
}

TEST_F(ServiceTest, DoesNotProcessRequestsWithInjectedErrors) {
  one.service.faults().inject(
      {.operation = "payment_records.report_failed", .object = id, .times = 2, .error = "lock_timeout"});
  const std::string before = record();
  for (int n = 0; n < 2; ++n) {
    const HttpResponse response = report("failed");
    EXPECT_EQ(errorOf(response), "429 lock_timeout");
    EXPECT_EQ(response.header("Request-Id"), nullptr);
    EXPECT_EQ(response.header("Service-Rate-Limited-Reason"), nullptr);
    EXPECT_EQ(record(), before);
  }
  EXPECT_TRUE(one.service.faults().pending().empty());
  EXPECT_EQ(report("failed").status, 200);
}

TEST_F(ServiceTest, SendsTheReasonForInjectedRateLimits) {
  one.service.faults().inject({.error = "rate_limit", .rateLimitedReason = "endpoint-rate"});
  const HttpResponse response = one.get(recordsPath);
  EXPECT_EQ(errorOf(response), "429 rate_limit");
  EXPECT_EQ(*response.header("Service-Rate-Limited-Reason"), "endpoint-rate");
  EXPECT_NE(response.header("Request-Id"), nullptr);
}

TEST_F(ServiceTest, LetsClientsRetryLockTimeoutsInVirtualTime) {
  one.service.faults().inject({.object = id, .times = 3, .error = "lock_timeout"});
  ClientOptions options = one.service.clientOptions(one.key);
  options.maxNetworkRetries = 3;
  const Client client{options};
  const auto record = client.paymentRecords().reportFailed(
      id, {.failedAt = std::chrono::sys_seconds{std::chrono::seconds{1}}, .metadata = {}});
  EXPECT_TRUE(record.has_value());
  EXPECT_EQ(one.service.clock()->sleepDurations().size(), 3U);
}

TEST_F(ServiceTest, InsertsAnObjectByTheNameOfItsResource) {
  const std::string json =
      one.service.insert(one.key, "payment_record", R"({"id":"pr_named","amount_requested":{"value":77}})");
  EXPECT_EQ(one.get(recordsPath + "/pr_named").body, json);
  EXPECT_EQ(bodyOf(one.get(recordsPath + "/pr_named")).at("amount_requested").at("value").as_int64(), 77);
  const auto problem = [&](const char* resource, const char* fields) {
    try {
      (void)one.service.insert(one.key, resource, fields);
    } catch (const std::invalid_argument& error) {
      return std::string{error.what()};
    }
    return std::string{};
  };
  EXPECT_EQ(problem("payuot", "{}"), "unknown resource 'payuot'; did you mean 'payout'?");
  EXPECT_THAT(problem("gadget", "{}"),
              testing::StartsWith("unknown resource 'gadget'; expected one of account, "));
  EXPECT_EQ(problem("payout", R"({"weight":1})"), "a payout has no field 'weight'");
  EXPECT_EQ(problem("payout", R"({"created":"now"})"),
            "invalid fields of a payout: created: expected whole seconds since the epoch");
  EXPECT_EQ(problem("payout", R"({"currency":"EUR"})"),
            "'currency' of the payout is invalid: must be 3 lowercase letters, not 'EUR'");
  EXPECT_EQ(problem("payment_record", R"({"amount_requested":{"currency":"x"}})"),
            "'amount_requested[currency]' of the payment record is invalid: must be 3 lowercase letters, not "
            "'x'");
  EXPECT_EQ(problem("subscription", R"({"quantity":-1})"),
            "'quantity' of the subscription is invalid: must be at least 0, not -1");
  EXPECT_NE(problem("payment_record", R"({"id":"pr_named"})"), "");
  EXPECT_NE(problem("payout", "["), "");
}

TEST_F(ServiceTest, NamesAndLogsMethodsThatItRefuses) {
  const auto refused = [&](const std::string& url, const char* method) {
    return std::get<HttpResponse>(one.service.exchange(test::get(one.key, url), {}, method).result);
  };
  const HttpResponse known = refused("/v1/payment_records", "DELETE");
  EXPECT_EQ(errorOf(known), "405 method_not_allowed");
  EXPECT_NE(messageOf(known).find("DELETE /v1/payment_records"), std::string::npos) << messageOf(known);
  EXPECT_EQ(*refused("/v1/payouts", "PATCH").header("Allow"), "GET, HEAD, POST");
  EXPECT_EQ(errorOf(refused("/v1/unheard_of", "PUT")), "404 path_unknown");
  EXPECT_EQ(one.service.requests().list().at(0).method, "DELETE");
  EXPECT_EQ(one.service.requests().list().at(0).operation, "");
  EXPECT_EQ(one.service.requests().list().at(2).method, "PUT");
}

TEST_F(ServiceTest, RespondsToHeadRequestsAsToGetRequests) {
  const std::string expected = record();
  HttpRequest request = test::get(one.key, recordsPath + '/' + id);
  for (const Method method : {Method::get, Method::post}) {
    request.method = method;  // ignored if another method is passed
    EXPECT_EQ(std::get<HttpResponse>(one.service.exchange(request, {}, "HEAD").result).body, expected);
    EXPECT_EQ(one.service.requests().list().back().method, "HEAD");
    EXPECT_EQ(one.service.requests().list().back().operation, "payment_records.retrieve");
  }
}

TEST_F(ServiceTest, CountsRequestsThatTheLogDropped) {
  fake::Service service{{.requestLog = 2}};
  const std::string key = service.addAccount().sandboxKey;
  for (int i = 0; i < 5; ++i)
    (void)service.handle(test::get(key, recordsPath));
  EXPECT_EQ(service.requests().droppedCount(), 3U);
  EXPECT_EQ(service.requests().list().front().number, 4U);
  EXPECT_EQ(service.requests().list(4, 7).size(), 1U);
  EXPECT_EQ(service.fork().requests().droppedCount(), 3U);
}

TEST_F(ServiceTest, RefusesASearchLagThatIsOutOfRange) {
  for (const auto lag : {std::chrono::seconds{-1}, std::chrono::seconds::max(), std::chrono::seconds::min()})
    EXPECT_THROW((fake::Service{{.searchLag = lag}}), std::invalid_argument);
  EXPECT_NO_THROW((fake::Service{{.searchLag = std::chrono::years{100}}}));
}

TEST_F(ServiceTest, ReturnsTheDueTimeOfAResponseWithoutWaiting) {
  one.service.durations().set("payment_records.list", std::chrono::seconds{2});
  const Instant now = one.service.clock()->now();
  const fake::ScheduledResult listed = one.service.exchange(test::get(one.key, "/v1/payment_records"));
  EXPECT_EQ(std::get<HttpResponse>(listed.result).status, 200);
  EXPECT_EQ(listed.due, now + std::chrono::seconds{2});
  EXPECT_EQ(one.service.clock()->now(), now);
}

TEST_F(ServiceTest, LetsACallerWaitUntilAResponseIsDue) {
  const fake::ScheduledResult listed = one.service.exchange(test::get(one.key, "/v1/payment_records"));
  EXPECT_EQ(listed.clock, one.service.clock());
  EXPECT_FALSE(listed.isDue());
  std::stop_source stop;
  stop.request_stop();
  EXPECT_FALSE(listed.waitUntilDue(stop.get_token()));
  EXPECT_TRUE(listed.waitUntilDue());
  EXPECT_TRUE(listed.isDue());
  EXPECT_EQ(one.service.clock()->now(), listed.due);
  EXPECT_TRUE(fake::ScheduledResult{.due = Instant::max()}.isDue()) << "without a clock, at once";
}

TEST_F(ServiceTest, ReportsWhetherAFailedRequestMayHaveBeenSent) {
  one.service.faults().inject({.fault = fake::Fault::connectionRefused});
  one.service.faults().inject({.fault = fake::Fault::responseLost});
  const auto failure = [&] {
    return std::get<TransportFailure>(one.service.exchange(test::get(one.key, "/v1/payment_records")).result);
  };
  EXPECT_FALSE(failure().mayHaveBeenSent);
  EXPECT_TRUE(failure().mayHaveBeenSent);
}

TEST_F(ServiceTest, LogsEachRequestWithItsResult) {
  one.service.clock()->advance(std::chrono::seconds{7});
  const HttpResponse good = report("failed");
  handle({.url = "/v1/nothing"});
  const auto log = one.service.requests().list();
  ASSERT_EQ(log.size(), 2U);
  EXPECT_EQ(log[0].time, fake::ServiceOptions{}.start + std::chrono::seconds{7});
  EXPECT_EQ(log[0].account, one.account.id);
  EXPECT_FALSE(log[0].livemode);
  EXPECT_EQ(log[0].operation, "payment_records.report_failed");
  EXPECT_EQ(log[0].object, id);
  EXPECT_EQ(log[0].request.body, "failed_at=1700000000");
  EXPECT_EQ(log[0].status, 200);
  EXPECT_EQ(log[0].requestId, *good.header("Request-Id"));
  EXPECT_EQ(log[0].errorCode, "");
  EXPECT_EQ(log[1].account, "");
  EXPECT_EQ(log[1].operation, "");
  EXPECT_EQ(log[1].object, "");
  EXPECT_EQ(log[1].status, 401);
  EXPECT_EQ(log[1].errorCode, "key_missing");
}

/// All outputs of a short life of a service.
std::string life(fake::Service& service) {
  const auto account = service.addAccount();
  const auto id = service.insert<PaymentRecord>(account.sandboxKey).id.str();
  const HttpResponse retrieved = service.handle(test::get(account.sandboxKey, recordsPath + '/' + id));
  const HttpResponse missing = service.handle(test::get(account.sandboxKey, recordsPath + "/pr_1"));
  return account.id + account.liveKey + retrieved.body + *retrieved.header("Request-Id") + missing.body +
         *missing.header("Request-Id") + std::to_string(*service.clientOptions(account.liveKey).jitterSeed);
}

/// They exist at the same time, so nothing that depends on an address is equal.
TEST(Service, IsReproducibleFromItsSeed) {
  fake::Service first{{.seed = 5}};
  fake::Service same{{.seed = 5}};
  fake::Service other{{.seed = 6}};
  const std::string outputs = life(first);
  EXPECT_EQ(life(same), outputs);
  EXPECT_NE(life(other), outputs);
}

TEST(Service, GivesEachClientItsOwnJitter) {
  fake::Service service;
  const auto account = service.addAccount();
  EXPECT_NE(service.clientOptions(account.liveKey).jitterSeed,
            service.clientOptions(account.liveKey).jitterSeed);
}

TEST(Service, ProcessesEachRequestFromSeveralThreads) {
  // Prevents lock timeouts of threads that are not scheduled for a while.
  OneAccount one{.service = fake::Service{{.lockWait = std::chrono::hours{1}, .limits = false}}};
  const std::string id = one.insert();
  std::vector<std::jthread> threads;
  for (int n = 0; n < 4; ++n)
    threads.emplace_back([&one, &id, n] {
      for (int i = 0; i < 200; ++i) {
        const std::string key = std::to_string(n) + '_' + std::to_string(i);
        one.post(recordsPath + '/' + id + "/report_payment_attempt_failed",
                 "failed_at=1&metadata[" + key + "]=x");
        one.insert();
        one.get(recordsPath + "?limit=3");
      }
    });
  threads.clear();
  EXPECT_EQ(bodyOf(one.get(recordsPath + '/' + id)).at("metadata").as_object().size(), 800U);
  EXPECT_EQ(one.service.requests().size(), 1601U);
}

TEST(Service, CanBeDestroyedBeforeItsTransportAndHandles) {
  std::optional<fake::Service> service{std::in_place};
  const std::string key = service->addAccount().sandboxKey;
  const auto transport = service->transport();
  fake::Faults faults = service->faults();
  const fake::Requests requests = service->requests();
  service.reset();
  faults.inject({.error = "lock_timeout"});
  const TransportResult result = transport->send(test::get(key, "/v1/payouts"), {.deadline = Instant::max()});
  EXPECT_EQ(errorOf(std::get<HttpResponse>(result)), "429 lock_timeout");
  EXPECT_TRUE(faults.pending().empty());
  EXPECT_EQ(requests.list().back().errorCode, "lock_timeout");
}

}  // namespace

}  // namespace tally::test

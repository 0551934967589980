#include <concepts>
#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <tally/tally.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sdk/support/harness.h"

namespace tally {
namespace {

using namespace std::chrono_literals;
using test::Harness;

constexpr std::chrono::sys_seconds time{1'730'000'000s};

TEST(Client, SendsAReportAsOneFormPost) {
  Harness h;
  h.respond(test::ok(test::recordJson("pr_1")));
  const auto record =
      h.client.paymentRecords().reportFailed("pr_1", {.failedAt = time, .metadata = {{"a", "b"}}});
  ASSERT_TRUE(record) << record.error();
  EXPECT_EQ(record.value().id, "pr_1");
  const HttpRequest& request = h.transport->requests.at(0);
  EXPECT_EQ(request.method, Method::post);
  EXPECT_EQ(request.url, "https://service.test/v1/payment_records/pr_1/report_payment_attempt_failed");
  EXPECT_EQ(request.body, "failed_at=1730000000&metadata%5Ba%5D=b");
  EXPECT_EQ(*test::find(request.headers, "Authorization"), "Bearer sk_test_1");
  EXPECT_EQ(*test::find(request.headers, "Content-Type"), "application/x-www-form-urlencoded");
  EXPECT_EQ(test::find(request.headers, "Service-Account"), nullptr);
}

TEST(Client, PrefersRequestOptionsToClientOptions) {
  Harness h{{.apiKey = "sk_test_1",
             .connectedAccount = "acct_1",
             .timeout = 30s,
             .headers = {{"X-A", "1"}, {"X-B", "2"}}}};
  h.respond(test::ok(test::recordJson("pr_1")));
  ASSERT_TRUE(h.client.paymentRecords().retrieve(
      "pr_1",
      {.apiKey = "sk_test_2", .connectedAccount = "acct_2", .timeout = 5s, .headers = {{"x-a", "3"}}}));
  const HttpRequest& request = h.transport->requests.at(0);
  EXPECT_EQ(*test::find(request.headers, "Authorization"), "Bearer sk_test_2");
  EXPECT_EQ(*test::find(request.headers, "Service-Account"), "acct_2");
  EXPECT_EQ(*test::find(request.headers, "X-A"), "3");
  EXPECT_EQ(*test::find(request.headers, "X-B"), "2");
  EXPECT_EQ(h.transport->limits.at(0).deadline, h.clock->now() + 5s);
}

/// The `User-Agent` of a typed call, which a raw request and a further page have too.
std::string userAgentWith(const ClientOptions& options) {
  Harness h{options};
  h.respond(test::ok(test::recordJson("pr_1")));
  h.respond(test::ok("{}"));
  EXPECT_TRUE(h.client.paymentRecords().retrieve("pr_1"));
  EXPECT_TRUE(h.client.send({.path = "/v1/tea"}));
  EXPECT_EQ(*test::find(h.transport->requests.at(1).headers, "User-Agent"),
            *test::find(h.transport->requests.at(0).headers, "User-Agent"));
  return *test::find(h.transport->requests.at(0).headers, "User-Agent");
}

TEST(Client, NamesItselfAndTheApplicationInTheUserAgent) {
  const std::string own = "tally/" + std::string{version};
  EXPECT_EQ(userAgentWith({}), own);
  EXPECT_EQ(userAgentWith({.application = {.name = "shop"}}), own + " shop");
  EXPECT_EQ(userAgentWith({.application = {.name = "shop", .version = "1.4"}}), own + " shop/1.4");
  EXPECT_EQ(userAgentWith({.application = {.name = "shop"}, .headers = {{"user-agent", "till/2"}}}),
            "till/2");
}

TEST(Client, EncodesTheIdentifierInThePath) {
  Harness h;
  h.respond(test::ok(test::recordJson("pr_1")));
  (void)h.client.paymentRecords().retrieve("pr_../x?y");
  EXPECT_EQ(h.transport->requests.at(0).url, "https://service.test/v1/payment_records/pr_..%2Fx%3Fy");
}

struct Refused {
  const char* param;
  std::function<std::optional<Error>(Client&)> call;
};

template <class T>
std::optional<Error> errorOf(const Result<T>& result) {
  return result ? std::nullopt : std::optional{result.error()};
}

template <class T>
std::optional<Error> firstErrorOf(Pager<T> pager) {
  for (auto& item : pager)
    return errorOf(item);
  return std::nullopt;
}

TEST(Client, ReportsAMissingBaseUrl) {
  const auto transport = std::make_shared<test::CannedTransport>();
  const Client client{{.apiKey = "sk_test_1", .transport = transport}};
  const auto error = errorOf(client.paymentRecords().retrieve("pr_1"));
  ASSERT_TRUE(error);
  EXPECT_EQ(error->kind(), ErrorKind::invalidParameter);
  EXPECT_EQ(error->param(), "baseUrl");
  EXPECT_EQ(error->message(), "baseUrl is missing: set it to the address of the service");
  EXPECT_EQ(error->effect(), Effect::none);
  EXPECT_TRUE(transport->requests.empty());
}

TEST(Client, RefusesInvalidParametersAndOptionsBeforeSending) {
  const Refused cases[] = {
      {"id", [](Client& c) { return errorOf(c.paymentRecords().retrieve("")); }},
      {"id", [](Client& c) { return errorOf(c.paymentRecords().retrieve("par_1")); }},
      {"id", [](Client& c) { return errorOf(c.paymentRecords().reportFailed("pr_", {.failedAt = time})); }},
      {"failed_at", [](Client& c) { return errorOf(c.paymentRecords().reportFailed("pr_1", {})); }},
      {"canceled_at", [](Client& c) { return errorOf(c.paymentRecords().reportCanceled("pr_1", {})); }},
      {"guaranteed_at", [](Client& c) { return errorOf(c.paymentRecords().reportGuaranteed("pr_1", {})); }},
      {"limit", [](Client& c) { return firstErrorOf(c.paymentRecords().list({.limit = 0})); }},
      {"limit", [](Client& c) { return firstErrorOf(c.paymentRecords().list({.limit = 101})); }},
      {"starting_after",
       [](Client& c) {
         return firstErrorOf(c.paymentRecords().list({.startingAfter = "pr_1", .endingBefore = "pr_2"}));
       }},
      {"query", [](Client& c) { return firstErrorOf(c.paymentRecords().search({})); }},
      {"query", [](Client& c) { return firstErrorOf(c.paymentRecords().search({.query = ""})); }},
      {"apiKey", [](Client& c) { return errorOf(c.paymentRecords().retrieve("pr_1", {.apiKey = ""})); }},
      {"apiKey",
       [](Client& c) { return errorOf(c.paymentRecords().retrieve("pr_1", {.apiKey = "sk\r\nX: y"})); }},
      {"connectedAccount",
       [](Client& c) { return errorOf(c.paymentRecords().retrieve("pr_1", {.connectedAccount = "a\nb"})); }},
      {"headers",
       [](Client& c) { return errorOf(c.paymentRecords().retrieve("pr_1", {.headers = {{"X", "a\nb"}}})); }},
      {"maxNetworkRetries",
       [](Client& c) { return errorOf(c.paymentRecords().retrieve("pr_1", {.maxNetworkRetries = -1})); }},
  };
  for (const Refused& refused : cases) {
    Harness h;
    const auto error = refused.call(h.client);
    ASSERT_TRUE(error) << refused.param;
    EXPECT_EQ(error->kind(), ErrorKind::invalidParameter) << *error;
    EXPECT_EQ(error->param(), refused.param) << *error;
    EXPECT_EQ(error->effect(), Effect::none);
    EXPECT_EQ(error->attemptCount(), 0);
    EXPECT_TRUE(h.transport->requests.empty());
  }
}

TEST(Client, RecognizesALockTimeoutByItsCodeAndRetriesIt) {
  Harness h{{.maxNetworkRetries = 2}};
  h.respond(test::lockTimeout());
  h.respond(test::lockTimeout());
  h.respond(test::ok(test::recordJson("pr_1")));
  ASSERT_TRUE(h.client.paymentRecords().reportFailed("pr_1", {.failedAt = time}));
  ASSERT_EQ(h.clock->sleeps.size(), 2U);
  EXPECT_GE(h.clock->sleeps[0], 250ms);
  EXPECT_LE(h.clock->sleeps[0], 500ms);
  EXPECT_EQ(h.transport->requests[0].body, h.transport->requests[2].body);
}

TEST(Client, DoesNotRetryALockTimeoutUnlessConfigured) {
  Harness h;
  h.respond(test::lockTimeout());
  const auto error = h.client.paymentRecords().reportFailed("pr_1", {.failedAt = time}).error();
  EXPECT_EQ(error.kind(), ErrorKind::lockTimeout);
  EXPECT_EQ(error.effect(), Effect::none);
  EXPECT_EQ(error.requestId(), "");
  EXPECT_TRUE(h.clock->sleeps.empty());
}

TEST(Client, ReturnsTheRateLimitedReason) {
  Harness h{{.maxNetworkRetries = 5}};
  h.respond(test::refused(429, "rate_limit",
                          {{"service-rate-limited-reason", "endpoint-rate"}, {"Request-Id", "req_1"}}));
  const auto error = h.client.paymentRecords().retrieve("pr_1").error();
  EXPECT_EQ(error.kind(), ErrorKind::rateLimited);
  EXPECT_EQ(error.rateLimitedReason(), RateLimitedReason::endpointRate);
  EXPECT_EQ(error.requestId(), "req_1");
  EXPECT_EQ(error.attemptCount(), 1);
}

TEST(Client, KeepsAnUnknownRateLimitedReason) {
  Harness h;
  h.respond(test::refused(429, "rate_limit", {{"Service-Rate-Limited-Reason", "moon-phase"}}));
  const auto error = h.client.paymentRecords().retrieve("pr_1").error();
  EXPECT_EQ(error.kind(), ErrorKind::rateLimited);
  EXPECT_EQ(error.rateLimitedReason()->known(), std::nullopt);
  EXPECT_EQ(error.rateLimitedReason()->str(), "moon-phase");
}

TEST(Client, DoesNotReportA429ResponseWithoutAReasonAsARateLimit) {
  Harness h{{.maxNetworkRetries = 5}};
  h.respond(test::refused(429, "something_else"));
  const auto error = h.client.paymentRecords().retrieve("pr_1").error();
  EXPECT_EQ(error.kind(), ErrorKind::tooManyRequests);
  EXPECT_FALSE(error.rateLimitedReason());
}

TEST(Client, RetriesARateLimitedCallIfConfigured) {
  Harness h{{.maxNetworkRetries = 1, .retryRateLimited = true}};
  h.respond(test::refused(429, "rate_limit", {{"Service-Rate-Limited-Reason", "global-rate"}}));
  h.respond(test::ok(test::recordJson("pr_1")));
  EXPECT_TRUE(h.client.paymentRecords().reportFailed("pr_1", {.failedAt = time}));
}

TEST(Client, RetriesWhenTheConnectionFailsBeforeSending) {
  Harness h{{.maxNetworkRetries = 1}};
  h.respond(test::notSent());
  h.respond(test::ok(test::recordJson("pr_1")));
  EXPECT_TRUE(h.client.paymentRecords().reportFailed("pr_1", {.failedAt = time}));
}

TEST(Client, DoesNotRetryAReportWhoseResponseIsLost) {
  Harness h{{.maxNetworkRetries = 5}};
  h.respond(test::lostResponse());
  const auto error = h.client.paymentRecords().reportFailed("pr_1", {.failedAt = time}).error();
  EXPECT_EQ(error.kind(), ErrorKind::connection);
  EXPECT_EQ(error.effect(), Effect::unknown);
  EXPECT_EQ(error.attemptCount(), 1);
}

TEST(Client, RetriesAReadWhoseResponseIsLost) {
  Harness h{{.maxNetworkRetries = 1}};
  h.respond(test::lostResponse());
  h.respond(test::ok(test::recordJson("pr_1")));
  EXPECT_TRUE(h.client.paymentRecords().retrieve("pr_1"));
}

TEST(Client, ReportsAnUnknownEffectAfterA5xxResponse) {
  Harness h{{.maxNetworkRetries = 5}};
  h.respond(HttpResponse{.status = 502, .headers = {}, .body = "<html>"});
  const auto error = h.client.paymentRecords().reportFailed("pr_1", {.failedAt = time}).error();
  EXPECT_EQ(error.kind(), ErrorKind::server);
  EXPECT_EQ(error.status(), 502);
  EXPECT_EQ(error.effect(), Effect::unknown);
  EXPECT_EQ(error.message(), "the response body contains no readable error");
}

TEST(Client, SaysThatItDoesNotFollowARedirect) {
  for (const int status : {301, 302, 303, 307, 308}) {
    Harness h;
    h.respond(HttpResponse{.status = status, .headers = {{"Location", "https://a"}}, .body = "<html>"});
    const auto error = h.client.paymentRecords().reportFailed("pr_1", {.failedAt = time}).error();
    EXPECT_EQ(error.kind(), ErrorKind::malformedResponse);
    EXPECT_EQ(error.effect(), Effect::unknown);
    EXPECT_EQ(error.message(), "it redirects to another URL, which is not followed; check baseUrl");
  }
}

TEST(Client, ReportsWhereAResponseIsUnreadable) {
  Harness h{{.maxNetworkRetries = 5}};
  h.respond(test::ok(R"({"id":7})"));
  const auto error = h.client.paymentRecords().reportFailed("pr_1", {.failedAt = time}).error();
  EXPECT_EQ(error.kind(), ErrorKind::malformedResponse);
  EXPECT_EQ(error.message(), "id: expected a string");
  EXPECT_EQ(error.effect(), Effect::unknown);
}

TEST(Client, ReportsTheKindOfARefusalThatHadNoEffect) {
  const std::pair<int, ErrorKind> cases[] = {{400, ErrorKind::invalidRequest},
                                             {401, ErrorKind::authentication},
                                             {403, ErrorKind::permission},
                                             {404, ErrorKind::notFound},
                                             {409, ErrorKind::invalidRequest}};
  for (const auto& [status, kind] : cases) {
    Harness h;
    h.respond(test::refused(status, "some_code"));
    const auto error = h.client.paymentRecords().reportFailed("pr_1", {.failedAt = time}).error();
    EXPECT_EQ(error.kind(), kind);
    EXPECT_EQ(error.status(), status);
    EXPECT_EQ(error.code(), "some_code");
    EXPECT_EQ(error.type(), "invalid_request_error");
    EXPECT_EQ(error.effect(), Effect::none);
  }
}

TEST(Client, EndsACallInsteadOfSleepingBeyondTheDeadline) {
  Harness h{{.maxNetworkRetries = 5}};
  h.respond(test::lockTimeout());
  const auto error = h.client.paymentRecords()
                         .reportFailed("pr_1", {.failedAt = time}, {.deadline = h.clock->now() + 100ms})
                         .error();
  EXPECT_EQ(error.kind(), ErrorKind::deadlineExceeded);
  EXPECT_EQ(error.code(), "lock_timeout");
  EXPECT_TRUE(h.clock->sleeps.empty());
}

TEST(Client, InterruptsAWaitWhenTheCallIsStopped) {
  Harness h{{.maxNetworkRetries = 5}};
  h.respond(test::lockTimeout());
  std::stop_source source;
  h.clock->onSleep = [&] { source.request_stop(); };
  const auto error = h.client.paymentRecords()
                         .reportFailed("pr_1", {.failedAt = time}, {.stop = source.get_token()})
                         .error();
  EXPECT_EQ(error.kind(), ErrorKind::canceled);
  EXPECT_EQ(error.effect(), Effect::none);
}

TEST(Client, DoesNotSendACallThatIsAlreadyStopped) {
  Harness h;
  std::stop_source source;
  source.request_stop();
  const auto error = h.client.paymentRecords().retrieve("pr_1", {.stop = source.get_token()}).error();
  EXPECT_EQ(error.kind(), ErrorKind::canceled);
  EXPECT_TRUE(h.transport->requests.empty());
}

Result<std::string> descriptionOf(Client& client) {
  BOOST_OUTCOME_TRY(const auto record, client.paymentRecords().retrieve("pr_1"));
  return record.description;
}

TEST(Result, CanBeUsedWithOutcomeTry) {
  Harness h;
  h.respond(test::ok(test::recordJson("pr_1")));
  h.respond(test::refused(404, "resource_missing"));
  EXPECT_EQ(descriptionOf(h.client).value(), "Tea");
  EXPECT_EQ(descriptionOf(h.client).error().kind(), ErrorKind::notFound);
}

TEST(Result, ThrowsItsErrorIfThereIsNoValue) {
  Harness h;
  h.respond(test::refused(404, "resource_missing", {{"Request-Id", "req_9"}}));
  try {
    (void)h.client.paymentRecords().retrieve("pr_1").value();
    FAIL() << "value() returned";
  } catch (const Exception& exception) {
    EXPECT_EQ(exception.error().kind(), ErrorKind::notFound);
    EXPECT_STREQ(
        exception.what(),
        "payment_records.retrieve: not found: No. [status 404, code resource_missing, request req_9, "
        "attempts 1, effect none]");
  }
}

TEST(Result, ThrowsALogicErrorIfThereIsNoError) {
  const Result<int> result{7};
  EXPECT_THROW((void)result.error(), std::logic_error);
}

TEST(Error, ConvertsToAnErrorCode) {
  const Error error{{.kind = ErrorKind::lockTimeout}};
  const std::error_code code = make_error_code(error);
  EXPECT_EQ(code, ErrorKind::lockTimeout);
  EXPECT_EQ(code.message(), "lock timeout");
  EXPECT_STREQ(code.category().name(), "tally");
  EXPECT_TRUE(make_error_code(ErrorKind::invalidParameter)) << "no kind may mean success";
}

TEST(Error, EscapesLineBreaksAndControlCharactersWhenPrinted) {
  const Error error{{.message = "No.\r\n2026-01-01 paid\x1B[2J", .requestId = "req_1\n"}};
  EXPECT_EQ(error.toString(),
            R"(invalid request: No.\r\n2026-01-01 paid\x1b[2J [request req_1\n, effect none])");
}

struct Payout;

TEST(Id, DoesNotConvertToTheIdOfAnotherResource) {
  EXPECT_FALSE((std::is_convertible_v<Id<Payout>, Id<PaymentRecord>>));
  EXPECT_FALSE((std::is_constructible_v<Id<PaymentRecord>, Id<Payout>>));
  EXPECT_TRUE((std::is_convertible_v<const char*, Id<PaymentRecord>>));
  EXPECT_TRUE((std::is_convertible_v<std::string, Id<PaymentRecord>>));
  EXPECT_FALSE((std::equality_comparable_with<Id<Payout>, Id<PaymentRecord>>));
}

TEST(Id, IsUsableAsAString) {
  const Id<PaymentRecord> id{"pr_1"};
  const std::string copy = id;
  const std::string_view view = id;
  std::map<std::string, int> counts;
  ++counts[id];
  std::vector<std::string> all{copy};
  all.push_back(id);
  EXPECT_EQ(view.data(), id.str().data());
  EXPECT_EQ(counts.count("pr_1"), 1U);
  EXPECT_EQ(all, (std::vector<std::string>{"pr_1", "pr_1"}));
  EXPECT_EQ(id, "pr_1");
  EXPECT_EQ(copy, id);
  EXPECT_EQ(view, id);
  EXPECT_LT(id, "pr_2");
  EXPECT_GT("pr_2", id);
  const MetadataEdit edit{{"payment", id}};
  EXPECT_EQ(edit, (MetadataEdit{{"payment", "pr_1"}}));
}

class MockTransport : public Transport {
 public:
  MOCK_METHOD(TransportResult, send, (const HttpRequest&, const SendLimits&), (override));
};

TEST(Client, SendsThroughAMockTransport) {
  const auto transport = std::make_shared<MockTransport>();
  EXPECT_CALL(*transport, send(testing::Field(&HttpRequest::url, testing::EndsWith("/pr_1")), testing::_))
      .WillOnce(testing::Return(test::ok(test::recordJson("pr_1"))));
  const Client client{{.apiKey = "sk_test_1", .baseUrl = "https://service.test", .transport = transport}};
  EXPECT_TRUE(client.paymentRecords().retrieve("pr_1"));
}

}  // namespace
}  // namespace tally

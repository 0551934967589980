// Requests without a typed method, and extra parameters of typed calls.

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include <tally/client.h>
#include <tally/observer.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sdk/support/harness.h"

namespace tally {
namespace {

using namespace std::chrono_literals;
using test::Harness;
using testing::EndsWith;
using testing::HasSubstr;

const HttpResponse json{.status = 200, .headers = {{"Request-Id", "req_1"}}, .body = " {\"a\" : 1.50}\n"};

std::string faultOf(const RawRequest& request, const RequestOptions& options = {}) {
  Harness h;
  const auto response = h.client.send(request, options);
  EXPECT_TRUE(h.transport->requests.empty());
  if (response) return "";
  EXPECT_EQ(response.error().kind(), ErrorKind::invalidParameter);
  EXPECT_EQ(response.error().effect(), Effect::none);
  return response.error().param();
}

TEST(RawRequests, AreSentWithEncodedParameters) {
  Harness h;
  h.respond(json);
  const auto response = h.client.send({.path = "/v1/tea/1", .params = {{"a[b]", "x y"}, {"a[b]", "&"}}});
  ASSERT_TRUE(response) << response.error();
  EXPECT_EQ(response.value().json.text, R"({"a":1.50})");
  EXPECT_EQ(response.value().lastResponse.requestId(), "req_1");
  const HttpRequest& sent = h.transport->requests.at(0);
  EXPECT_EQ(sent.method, Method::get);
  EXPECT_THAT(sent.url, EndsWith("/v1/tea/1?a%5Bb%5D=x%20y&a%5Bb%5D=%26"));
  EXPECT_EQ(sent.body, "");
  EXPECT_EQ(*test::find(sent.headers, "Authorization"), "Bearer sk_test_1");
}

TEST(RawRequests, CanPostFormsOrJson) {
  Harness h;
  h.respond(json);
  h.respond(json);
  EXPECT_TRUE(h.client.send({.method = Method::post, .path = "/v1/tea", .params = {{"a", "1"}, {"b", "2"}}}));
  EXPECT_TRUE(h.client.send({.method = Method::post, .path = "/v2/tea", .json = {R"({ "a": [1] })"}}));
  const auto& requests = h.transport->requests;
  EXPECT_EQ(requests.at(0).body, "a=1&b=2");
  EXPECT_EQ(*test::find(requests.at(0).headers, "Content-Type"), "application/x-www-form-urlencoded");
  EXPECT_EQ(requests.at(1).body, R"({ "a": [1] })");
  EXPECT_EQ(*test::find(requests.at(1).headers, "Content-Type"), "application/json");
}

TEST(RawRequests, AreRetriedAfterALockTimeout) {
  Harness h{{.maxNetworkRetries = 1}};
  h.respond(test::lockTimeout());
  h.respond(json);
  std::vector<Attempt> attempts;
  EXPECT_TRUE(h.client.send({.path = "/v1/tea"}, {.attempts = &attempts}));
  EXPECT_EQ(attempts.size(), 2U);
  EXPECT_EQ(h.clock->sleeps.size(), 1U);
}

TEST(RawRequests, FailLikeTypedCalls) {
  Harness h{{.maxNetworkRetries = 0}};
  h.respond(test::lostResponse());
  h.respond(test::lostResponse());
  h.respond(test::refused(404, "resource_missing"));
  h.respond(HttpResponse{.status = 200, .body = "{} {}"});
  const Error lost = h.client.send({.method = Method::post, .path = "/v1/tea"}).error();
  EXPECT_EQ(lost.effect(), Effect::unknown);
  EXPECT_EQ(lost.operation(), "raw.post");
  EXPECT_EQ(h.client.send({.path = "/v1/tea"}).error().effect(), Effect::none);
  EXPECT_EQ(h.client.send({.path = "/v1/payouts/po_1"}).error(), ErrorKind::notFound);
  EXPECT_EQ(h.client.send({.path = "/v1/tea"}).error(), ErrorKind::malformedResponse);
}

TEST(RawRequests, SucceedWithoutABodyIfTheStatusAllowsIt) {
  for (const int status : {204, 205}) {
    Harness h;
    h.respond(HttpResponse{.status = status, .headers = {{"Request-Id", "req_1"}}});
    const auto closed = h.client.send({.method = Method::post, .path = "/v1/things/1/close"});
    ASSERT_TRUE(closed) << closed.error();
    EXPECT_EQ(closed.value().json.text, "");
    EXPECT_EQ(closed.value().lastResponse.status(), status);
    EXPECT_EQ(closed.value().lastResponse.requestId(), "req_1");
  }
}

TEST(RawRequests, FailWhenABodyIsMissingOrNotJson) {
  for (const HttpResponse& response :
       {test::ok(""), HttpResponse{.status = 201}, HttpResponse{.status = 204, .body = "no"}}) {
    Harness h{{.maxNetworkRetries = 0}};
    h.respond(response);
    const Error error = h.client.send({.method = Method::post, .path = "/v1/things/1/close"}).error();
    EXPECT_EQ(error, ErrorKind::malformedResponse);
    EXPECT_EQ(error.effect(), Effect::unknown);
  }
}

TEST(RawRequests, AreAttributedToTheirOperation) {
  const auto nameOf = [](Method method, const std::string& path) {
    Harness h{{.maxNetworkRetries = 0}};
    h.respond(test::refused(404, "resource_missing"));
    return h.client.send({.method = method, .path = path}).error().operation();
  };
  EXPECT_EQ(nameOf(Method::get, "/v1/payouts"), "payouts.list");
  EXPECT_EQ(nameOf(Method::post, "/v1/payouts"), "payouts.create");
  EXPECT_EQ(nameOf(Method::get, "/v1/payouts/po_1"), "payouts.retrieve");
  EXPECT_EQ(nameOf(Method::post, "/v1/payment_records/pr_1/report_payment_attempt_failed"),
            "payment_records.report_failed");
  EXPECT_EQ(nameOf(Method::get, "/v1/payouts/"), "raw.get");
  EXPECT_EQ(nameOf(Method::get, "/v1/payouts/po_1/more"), "raw.get");
}

struct LastObject final : Observer {
  void on(const Event& event) noexcept override { object = event.object; }
  std::string object{};
};

TEST(RawRequests, IdentifyTheObjectInTheirPath) {
  const auto objectOf = [](const RawRequest& request) {
    const auto observer = std::make_shared<LastObject>();
    Harness h{{.observer = observer}};
    h.respond(json);
    EXPECT_TRUE(h.client.send(request));
    return observer->object;
  };
  EXPECT_EQ(objectOf({.path = "/v1/payouts/po_1"}), "po_1");
  EXPECT_EQ(objectOf({.path = "/v1/payouts/po_%31"}), "po_1");
  EXPECT_EQ(objectOf({.method = Method::post, .path = "/v1/payouts/po_1/cancel"}), "po_1");
  EXPECT_EQ(objectOf({.path = "/v1/payouts"}), "");
  EXPECT_EQ(objectOf({.path = "/v1/tea/1"}), "");
}

TEST(RawRequests, CountAsReadsUnlessTheyArePosts) {
  Harness h;
  h.respond(json);
  h.respond(json);
  EXPECT_TRUE(h.client.send({.path = "/v1/tea"}));
  EXPECT_TRUE(h.client.send({.method = Method::post, .path = "/v1/tea"}));
  EXPECT_EQ(h.client.readsUsed().own, 1);
}

TEST(RawRequests, AreNotSentIfInvalid) {
  EXPECT_EQ(faultOf({.path = ""}), "path");
  EXPECT_EQ(faultOf({.path = "v1/tea"}), "path");
  EXPECT_EQ(faultOf({.path = "/v1/tea?a=1"}), "path");
  EXPECT_EQ(faultOf({.path = "/v1/tea#a"}), "path");
  EXPECT_EQ(faultOf({.path = "/v1/a b"}), "path");
  EXPECT_EQ(faultOf({.path = "/v1/tea\n"}), "path");
  EXPECT_EQ(faultOf({.method = static_cast<Method>(7), .path = "/v1/tea"}), "method");
  for (const char* name : {"", "a b", "a&b", "[a]", "a]", "a[b", "a[b]c", "a[[b]]", "a[\n]"})
    EXPECT_EQ(faultOf({.path = "/v1/tea", .params = {{name, "1"}}}), "params") << name;
  EXPECT_EQ(faultOf({.path = "/v1/tea", .json = {"{}"}}), "json");
  EXPECT_EQ(faultOf({.method = Method::post, .path = "/v1/tea", .params = {{"a", "1"}}, .json = {"{}"}}),
            "json");
  EXPECT_EQ(faultOf({.method = Method::post, .path = "/v1/tea", .json = {"{"}}), "json");
  EXPECT_EQ(faultOf({.method = Method::post, .path = "/v1/tea", .json = {"{} 1"}}), "json");
  EXPECT_EQ(faultOf({.path = "/v1/tea"}, {.extraParams = {{"a", "1"}}}), "extraParams");
  EXPECT_EQ(faultOf({.path = "/v1/tea"}, {.timeout = 0ms}), "timeout");
}

TEST(ExtraParams, AreAddedToTheQueryFormOrJson) {
  Harness h;
  for (int i = 0; i < 4; ++i)
    h.respond(test::refused(400, "x"));
  const RequestOptions options{.maxNetworkRetries = 0, .extraParams = {{"expand[]", "a\"b"}}};
  (void)h.client.payouts().retrieve("po_1", options);
  for (const auto& record : h.client.paymentRecords().list({.limit = 3}, options))
    EXPECT_FALSE(record);
  (void)h.client.payouts().create({.amount = 5, .currency = "eur"}, options);
  (void)h.client.coreAccounts().create({}, options);
  const auto& requests = h.transport->requests;
  ASSERT_EQ(requests.size(), 4U);
  EXPECT_THAT(requests[0].url, EndsWith("/v1/payouts/po_1?expand%5B%5D=a%22b"));
  EXPECT_THAT(requests[1].url, EndsWith("/v1/payment_records?limit=3&expand%5B%5D=a%22b"));
  EXPECT_EQ(requests[2].body, "amount=5&currency=eur&expand%5B%5D=a%22b");
  EXPECT_EQ(requests[3].body, R"({"expand[]":"a\"b"})");
}

TEST(ExtraParams, ArePartOfACheckpoint) {
  Harness h;
  const RequestOptions options{.extraParams = {{"tea", "green"}}};
  const std::string checkpoint = h.client.paymentRecords().list({}, options).checkpoint();
  h.respond(test::ok(test::pageJson({}, false)));
  auto same = h.client.paymentRecords().list({}, options).resumeFrom(checkpoint);
  EXPECT_EQ(same.begin(), same.end());
  auto other = h.client.paymentRecords().list().resumeFrom(checkpoint);
  ASSERT_NE(other.begin(), other.end());
  EXPECT_EQ(other.begin()->error().param(), "checkpoint");
}

TEST(ExtraParams, CannotReplaceParametersOfTheCall) {
  Harness h;
  const auto faultOfList = [&](const std::string& name) {
    for (const auto& record : h.client.paymentRecords().list({}, {.extraParams = {{name, "1"}}}))
      return record.error().message();
    return std::string{};
  };
  EXPECT_THAT(faultOfList("limit"), HasSubstr("extraParams can't contain limit"));
  EXPECT_THAT(faultOfList("starting_after"), HasSubstr("can't contain starting_after"));
  EXPECT_THAT(faultOfList(""), HasSubstr("empty name"));
  const auto created =
      h.client.payouts().create({.amount = 5, .currency = "eur"}, {.extraParams = {{"metadata[a]", "1"}}});
  EXPECT_EQ(created.error().param(), "extraParams");
  EXPECT_TRUE(h.transport->requests.empty());
}

TEST(ExtraParams, RequireValidNames) {
  Harness h;
  const auto error = h.client.payouts().retrieve("po_1", {.extraParams = {{"a b", "1"}}}).error();
  EXPECT_EQ(error.param(), "extraParams");
  EXPECT_THAT(error.message(), HasSubstr("\"a b\""));
  EXPECT_TRUE(h.transport->requests.empty());
}

TEST(ExtraParams, AreNotSentWhenTheRecordOfALostReportIsRead) {
  Harness h;
  for (int i = 0; i < 2; ++i)
    h.respond(test::ok(test::recordJson("pr_1")));
  const PaymentRecordReport report = PaymentRecordReportFailedParams{.failedAt = Timestamp{}};
  const RequestOptions options{.extraParams = {{"new", "1"}}};
  EXPECT_TRUE(h.client.paymentRecords().checkReport("pr_1", report, {}, options).has_value());
  EXPECT_TRUE(h.client.paymentRecords().resolveReport("pr_1", report, {}, options).has_value());
  ASSERT_EQ(h.transport->requests.size(), 2U);
  for (const HttpRequest& request : h.transport->requests)
    EXPECT_THAT(request.url, EndsWith("/v1/payment_records/pr_1"));
}

TEST(RawRequests, OccupyTheMutationQueueOfTheObjectInTheirPath) {
  const auto kindWithin = [](const std::string& path) {
    Harness h;
    std::optional<Error> within;
    h.transport->onSend = [&] {
      h.transport->onSend = {};
      h.respond(test::refused(400, "no"));
      within = h.client.paymentRecords().reportFailed("pr_1", {.failedAt = Timestamp{}}).error();
      h.respond(json);
    };
    h.respond(json);
    (void)h.client.send({.method = Method::post, .path = path});
    return within.value().kind();
  };
  EXPECT_EQ(kindWithin("/v1/payment_records/pr_1/report_something_new"), ErrorKind::queueFull);
  EXPECT_NE(kindWithin("/v1/payment_records/pr_2/report_something_new"), ErrorKind::queueFull);
  EXPECT_NE(kindWithin("/v1/tea"), ErrorKind::queueFull);
}

}  // namespace
}  // namespace tally

// The API key appears only in requests: never in an error or in printed text, whatever the other side
// responds.

#include "http/redaction.h"

#include <chrono>
#include <stdexcept>

#include <tally/async.h>
#include <tally/client.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sdk/support/harness.h"

namespace tally {
namespace {

using namespace std::chrono_literals;
using test::Harness;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using Kind = TransportFailure::Kind;

const std::string key = "sk_live_Tell0Nobody";

void expectNoKey(const Error& error) {
  for (const std::string& text : {error.toString(), error.message(), error.type(), error.code(),
                                  error.param(), error.requestId(), error.operation()})
    EXPECT_THAT(text, Not(HasSubstr(key)));
  const auto reason = error.rateLimitedReason().value_or(OpenEnum<RateLimitedReason>{});
  EXPECT_THAT(reason.str(), Not(HasSubstr(key)));
  EXPECT_THAT(std::string{Exception{error}.what()}, Not(HasSubstr(key)));
  if (error.response() != nullptr) {
    EXPECT_THAT(error.response()->body, Not(HasSubstr(key)));
    for (const Header& header : error.response()->headers)
      EXPECT_THAT(header.name + header.value, Not(HasSubstr(key)));
  }
  for (const Attempt& attempt : error.attempts())
    EXPECT_THAT(attempt.requestId + attempt.failure, Not(HasSubstr(key)));
}

Error errorWithKeyAfter(const TransportResult& response) {
  Harness h{{.apiKey = key}};
  h.respond(response);
  return h.client.paymentRecords().retrieve("pr_1").error();
}

/// Repeats the key in every part of a response.
HttpResponse echo(int status) {
  return {.status = status,
          .headers = {{"Request-Id", key}, {"Service-Rate-Limited-Reason", "it is " + key}},
          .body = R"({"error":{"type":")" + key + R"(","code":"x)" + key +
                  R"(y","message":"Authorization: Bearer )" + key + " and " + key +
                  R"( are no good.","param":")" + key + R"("}})"};
}

TEST(ApiKey, IsAbsentFromErrorsThatTheServiceReturns) {
  for (const int status : {302, 400, 401, 403, 404, 409, 429, 500, 503}) {
    const Error error = errorWithKeyAfter(echo(status));
    expectNoKey(error);
    EXPECT_THAT(error.message(), EndsWith("Authorization: Bearer [key] and [key] are no good."));
    EXPECT_EQ(error.code(), "x[key]y");
  }
}

TEST(ApiKey, IsMaskedInTheResponseThatAnErrorContains) {
  const Error error = errorWithKeyAfter(echo(401));
  ASSERT_NE(error.response(), nullptr);
  EXPECT_EQ(*error.response()->header("Request-Id"), "[key]");
  EXPECT_THAT(error.response()->body, HasSubstr("Bearer [key] and [key] are no good."));
}

TEST(ApiKey, IsMaskedInATruncatedBody) {
  for (std::size_t shown = 0; shown <= key.size(); ++shown) {
    const std::string before(detail::mostOfKeptBody - shown, '.');
    const Error error = errorWithKeyAfter(HttpResponse{.status = 500, .body = before + key + " and more"});
    ASSERT_NE(error.response(), nullptr);
    EXPECT_EQ(error.response()->body, before + (shown == 0 ? "" : "[key]")) << shown;
  }
}

/// As some writers of JSON do, even if they need not.
TEST(ApiKey, IsMaskedInABodyThatEscapesItsSlashes) {
  const std::string slashed = "oat/live/Nobody";
  const std::string escaped = R"(oat\/live\/Nobody)";
  for (std::size_t shown = 0; shown <= escaped.size(); ++shown) {
    const std::string before(detail::mostOfKeptBody - shown, '.');
    Harness h{{.apiKey = slashed}};
    h.respond(HttpResponse{.status = 500, .body = before + escaped + " and " + escaped});
    const Error error = h.client.paymentRecords().retrieve("pr_1").error();
    ASSERT_NE(error.response(), nullptr);
    EXPECT_EQ(error.response()->body, before + (shown == 0 ? "" : "[key]")) << shown;
  }
}

/// With quadratic complexity, this would take minutes.
TEST(ApiKey, IsMaskedQuicklyWhenRepeatedAMillionTimes) {
  constexpr int times = 1'000'000;
  const HttpRequest request{.headers = {{"Authorization", "Bearer " + key}}};
  std::string said;
  std::string expected;
  for (int i = 0; i < times; ++i) {
    said += key + ',';
    expected += "[key],";
  }
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(detail::withoutKey(said, request), expected);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 20s);
}

TEST(ApiKey, IsAbsentFromTransportErrors) {
  for (const Kind kind :
       {Kind::forbidden, Kind::couldNotResolve, Kind::couldNotConnect, Kind::tls, Kind::connection,
        Kind::truncated, Kind::malformed, Kind::tooLarge, Kind::timeout, Kind::canceled}) {
    const Error error = errorWithKeyAfter(TransportFailure{kind, true, "with " + key + " that went wrong"});
    expectNoKey(error);
    EXPECT_EQ(error.message(), "with [key] that went wrong");
  }
}

TEST(ApiKey, IsAbsentFromErrorsAboutUnreadableResponses) {
  expectNoKey(errorWithKeyAfter(test::ok(key)));
  expectNoKey(errorWithKeyAfter(test::ok(R"({")" + key + R"(":)")));
  expectNoKey(errorWithKeyAfter(test::ok(R"({"id":{")" + key + R"(":1}})")));
}

TEST(ApiKey, IsAbsentFromErrorsAboutTheLastAttempt) {
  Harness h{{.apiKey = key, .maxNetworkRetries = 3}};
  h.respond(TransportFailure{Kind::connection, false, key});
  const RequestOptions options{.deadline = h.clock->now() + 1ms};
  const Error error = h.client.paymentRecords().retrieve("pr_1", options).error();
  EXPECT_EQ(error.kind(), ErrorKind::deadlineExceeded);
  expectNoKey(error);
}

TEST(ApiKey, IsMaskedWhenGivenForASingleCall) {
  Harness h{{.apiKey = "sk_test_other"}};
  h.respond(echo(401));
  expectNoKey(h.client.paymentRecords().retrieve("pr_1", {.apiKey = key}).error());
}

TEST(ApiKey, IsMaskedInACustomHeader) {
  Harness h{{.apiKey = "sk_test_other"}};
  h.respond(echo(401));
  expectNoKey(
      h.client.paymentRecords().retrieve("pr_1", {.headers = {{"authorization", "Basic " + key}}}).error());
}

/// Recipients ignore blanks around the value of a header.
TEST(ApiKey, IsMaskedIfItIsRepeatedWithoutTheBlanksAroundIt) {
  for (const std::string& given : {key + ' ', ' ' + key, '\t' + key + " \t"}) {
    Harness h{{.apiKey = given}};
    h.respond(echo(401));
    expectNoKey(h.client.paymentRecords().retrieve("pr_1").error());
  }
}

TEST(ApiKey, IsAbsentFromErrorsAboutExceptionsOfATransport) {
  Harness h{{.apiKey = key}};
  h.transport->onSend = [] { throw std::runtime_error{"can't send 'Authorization: Bearer " + key + "'"}; };
  AsyncClient async{h.client};
  auto call = async.paymentRecords().retrieve("pr_1").future();
  async.run();
  const Error error = call.get().error();
  EXPECT_EQ(error.kind(), ErrorKind::exception);
  expectNoKey(error);
  EXPECT_THAT(error.message(), EndsWith("Bearer [key]'"));
}

TEST(ApiKey, IsAbsentFromErrorsThatPagesReturn) {
  Harness h{{.apiKey = key}};
  h.respond(echo(403));
  for (const auto& record : h.client.paymentRecords().list())
    expectNoKey(record.error());
}

TEST(ApiKey, IsAbsentFromErrorsOfCallsThatAreNotSent) {
  for (const std::string& bad : {key + "\n", key + '\0'})
    expectNoKey(Harness{{.apiKey = bad}}.client.paymentRecords().retrieve("pr_1").error());
  expectNoKey(Harness{{.apiKey = key}}.client.paymentRecords().retrieve("").error());
}

}  // namespace
}  // namespace tally

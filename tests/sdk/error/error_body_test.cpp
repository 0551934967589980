// The format of error bodies is not guaranteed: whatever is readable is used, regardless of what surrounds
// it.

#include "error/error_body.h"

#include <string>

#include <tally/client.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sdk/support/harness.h"

namespace tally::errorBodyTest {
namespace {

using namespace std::string_literals;
using test::Harness;

constexpr std::chrono::sys_seconds reportTime{std::chrono::seconds{1}};

Error::Details read(const std::string& body) {
  Error::Details details;
  detail::readErrorBody(body, details);
  return details;
}

TEST(ErrorBody, IsReadIntoTypeCodeMessageAndParam) {
  const auto error = read(R"({"error":{"type":"t","code":"c","message":"A \"b\" \u00e9.","param":"p[0]"}})");
  EXPECT_EQ(error.type, "t");
  EXPECT_EQ(error.code, "c");
  EXPECT_EQ(error.message, "A \"b\" \xC3\xA9.");
  EXPECT_EQ(error.param, "p[0]");
}

TEST(ErrorBody, MayHaveMembersOutsideTheErrorObject) {
  EXPECT_EQ(read(R"({"code":"c","message":"No."})").code, "c");
  EXPECT_EQ(read(R"({"code":"outer","error":{"code":"inner"}})").code, "inner");
  EXPECT_EQ(read(R"({"error":{"code":"inner"},"code":"outer"})").code, "inner");
  EXPECT_EQ(read(R"({"error":"not today"})").message, "not today");
}

TEST(ErrorBody, IsIgnoredIfNoKnownMemberIsReadable) {
  Error::Details details;
  for (const char* body :
       {"", "   ", "null", "[]", R"("code")", R"(<html>{"code":"c"}</html>)", "{}", "{", R"({"error":null})",
        R"({"error":{"code":null}})", R"({"data":{"code":"c"}})", R"({"error":{"inner":{"code":"c"}}})",
        R"({"error":{"code":["c"]}})", R"({"code":"c)"})
    EXPECT_FALSE(detail::readErrorBody(body, details)) << body;
}

/// Each reports a lock timeout and contains something unusual.
const std::string oddLockTimeouts[] = {
    R"({"error":{"code":"lock_timeout"}})",
    R"({"error":{"param":null,"code":"lock_timeout"}})",
    R"({"error":{"type":null,"message":null,"param":null,"code":"lock_timeout"}})",
    R"({"error":{"param":["a","b"],"code":"lock_timeout"}})",
    R"({"error":{"param":{"code":"other"},"code":"lock_timeout"}})",
    R"({"error":{"message":{"text":"In use."},"code":"lock_timeout"}})",
    R"({"error":{"type":7,"message":true,"code":"lock_timeout"}})",
    R"({"error":{"message":"a","message":"b","code":"lock_timeout"}})",
    R"({"error":{"code":null,"code":"lock_timeout"}})",
    R"({"error":{"code":"lock_timeout","code":null}})",
    R"({"error":{"code":"lock_timeout","code":"lock_timeout"}})",
    R"({"error":{"code":"other","code":"lock_timeout"}})",
    R"({"error":null,"error":{"code":"lock_timeout"}})",
    R"({"error":{"code":"lock_timeout"},"error":null})",
    R"({"code":"lock_timeout"})",
    R"({"code":"lock_timeout","error":{"message":"In use."}})",
    R"({"object":"error","error":{"code":"lock_timeout"},"more":[1,{"code":"other"}]})",
    R"(  {  "error" : { "code" : "lock_timeout" } }  )",
    R"({"error":{"code":"lock\u005ftimeout"}})",
    R"({"error":{"message":"\ud800","code":"lock_timeout"}})",
    R"({"error":{"message":"\x","code":"lock_timeout"}})",
    R"({"error":{"message":"a \"code\": \"other\" b\\","code":"lock_timeout"}})",
    "{\"error\":{\"message\":\"\xFF\xC0 \x01\n\",\"code\":\"lock_timeout\"}}",
    "{\"error\":{\"message\":\"a\0b\",\"code\":\"lock_timeout\"}}"s,
    "\xEF\xBB\xBF{\"error\":{\"code\":\"lock_timeout\"}}",
    R"({"error":{"code":"lock_timeout","message":"cut of)",
    R"({"error":{"code":"lock_timeout",}})",
    R"({"error":{"status":1e400,"code":"lock_timeout"}})",
    R"({"error":{"code":"lock_timeout"}} and more)",
    R"({"error":{"weight":NaN,"code":"lock_timeout"}})",
    R"({"error":{"code":"lock_timeout" "message":"no comma"}})",
};

TEST(ErrorBody, AllowsRetryingALockTimeoutDespiteUnexpectedContents) {
  for (const std::string& body : oddLockTimeouts) {
    Harness h{{.maxNetworkRetries = 1}};
    h.respond(HttpResponse{.status = 429, .headers = {}, .body = body});
    h.respond(test::ok(test::recordJson("pr_1")));
    EXPECT_TRUE(h.client.paymentRecords().reportFailed("pr_1", {.failedAt = reportTime})) << body;
    EXPECT_EQ(h.transport->requests.size(), 2U) << body;
  }
}

TEST(ErrorBody, KeepsReadableMembersAmongUnexpectedOnes) {
  const auto error = read(R"({"error":{"type":7,"param":null,"code":"c","message":false,"param":"p"}})");
  EXPECT_EQ(error.type, "7");
  EXPECT_EQ(error.param, "p");
  EXPECT_EQ(error.code, "c");
  EXPECT_EQ(error.message, "false");
  EXPECT_EQ(read(R"({}}]{"code":"c"})").code, "c") << "more brackets are closed than opened";
  EXPECT_EQ(read(R"x({"code":"c\/")x").code, "c/") << "ends right after it";
}

TEST(ErrorBody, MayHaveAnySizeAndDepth) {
  const std::string deep(2'000'000, '[');
  EXPECT_EQ(read(R"({"error":{"code":"c","param":)" + deep).code, "c");
  const std::string text(2'000'000, '"');
  EXPECT_EQ(read(R"({"error":{"code":"c","message":)" + text).code, "c");
}

/// The effect in a report's error.
Effect effectOf(int status) {
  Harness h;
  h.respond(test::refused(status, "some_code"));
  const auto result = h.client.paymentRecords().reportFailed("pr_1", {.failedAt = reportTime});
  EXPECT_EQ(result.error().status(), status);
  return result.error().effect();
}

TEST(EffectByStatus, IsNoneForRefusals) {
  for (const int status : {400, 401, 402, 403, 404, 405, 406, 407, 409, 410, 411, 412, 413, 414,
                           415, 416, 417, 418, 421, 422, 423, 424, 425, 426, 428, 429, 431, 451})
    EXPECT_EQ(effectOf(status), Effect::none) << status;
}

/// The error of a report that got this response.
Error errorOf(int status, const std::string& body) {
  Harness h;
  h.respond(HttpResponse{.status = status, .headers = {}, .body = body});
  return h.client.paymentRecords().reportFailed("pr_1", {.failedAt = reportTime}).error();
}

TEST(ErrorBody, IsAttributedToTheServiceOnlyIfItsTypeIsKnown) {
  for (const char* type :
       {"invalid_request_error", "authentication_error", "permission_error", "rate_limit_error", "api_error"})
    for (const int status : {302, 400, 401, 404, 429, 500})
      EXPECT_TRUE(errorOf(status, R"({"error":{"type":")" + std::string{type} + R"("}})").isFromService());
  for (const char* body :
       {"", "<html>", "{}", R"({"message":"no route"})", R"({"error":{"code":"path_unknown"}})",
        R"({"error":{"type":"Invalid_Request_Error"}})", R"({"type":"about:blank"})"})
    for (const int status : {302, 400, 401, 404, 429, 500})
      EXPECT_FALSE(errorOf(status, body).isFromService()) << status << body;
}

TEST(EffectByStatus, IsUnknownForGatewayRefusals) {
  for (const std::string body : {"", "<html>", R"({"message":"no route"})"})
    for (const int status : {400, 402, 403, 404, 405, 406, 409, 410, 411, 412, 413, 414, 415,
                             416, 417, 418, 421, 422, 423, 424, 425, 426, 428, 431, 451})
      EXPECT_EQ(errorOf(status, body).effect(), Effect::unknown) << status << body;
}

TEST(EffectByStatus, IsNoneWhenAGatewayDemandsCredentialsOrLimitsTheRate) {
  for (const int status : {401, 407, 429})
    EXPECT_EQ(errorOf(status, "<html>").effect(), Effect::none) << status;
}

TEST(GatewayPage, IsReportedAsMalformedRatherThanAsARefusal) {
  for (const int status : {400, 404, 405, 409, 499}) {
    Harness h;
    h.respond(HttpResponse{.status = status, .headers = {}, .body = "<html>"});
    const Error error = h.client.paymentRecords().retrieve("pr_1").error();
    EXPECT_EQ(error.kind(), ErrorKind::malformedResponse) << error;
    EXPECT_TRUE(error.isRetryable()) << error;
    EXPECT_THAT(error.message(), testing::HasSubstr("not from the service"));
  }
}

TEST(GatewayPage, DoesNotCauseAResendOfAReport) {
  Harness h{{.maxNetworkRetries = 3}};
  h.respond(HttpResponse{.status = 404, .headers = {}, .body = "<html>"});
  EXPECT_FALSE(h.client.paymentRecords().reportFailed("pr_1", {.failedAt = reportTime}));
  EXPECT_EQ(h.transport->requests.size(), 1U);
}

TEST(EffectByStatus, IsUnknownForIntermediaryTimeouts) {
  for (const int status : {408, 460, 499})
    EXPECT_EQ(effectOf(status), Effect::unknown) << status;
}

TEST(EffectByStatus, IsUnknownForRedirectsAndServerErrors) {
  for (const int status : {0,   100, 199, 300, 301, 302, 303, 304, 307, 308, 399, 500, 501,
                           502, 503, 504, 507, 511, 520, 522, 524, 529, 599, 600, 999})
    EXPECT_EQ(effectOf(status), Effect::unknown) << status;
}

TEST(Status408, DoesNotCauseAResendOfAReport) {
  Harness h{{.maxNetworkRetries = 3}};
  h.respond(test::refused(408, "request_timeout"));
  const auto result = h.client.paymentRecords().reportFailed("pr_1", {.failedAt = reportTime});
  EXPECT_EQ(result.error().kind(), ErrorKind::timeout);
  EXPECT_EQ(result.error().attemptCount(), 1);
}

TEST(Status408, CausesARetryOfARead) {
  Harness h{{.maxNetworkRetries = 1}};
  h.respond(test::refused(408, "request_timeout"));
  h.respond(test::ok(test::recordJson("pr_1")));
  EXPECT_TRUE(h.client.paymentRecords().retrieve("pr_1"));
  for (const int status : {302, 408, 460, 499, 500}) {
    Harness once;
    once.respond(test::refused(status, "some_code"));
    EXPECT_EQ(once.client.paymentRecords().retrieve("pr_1").error().effect(), Effect::none) << status;
  }
}

}  // namespace
}  // namespace tally::errorBodyTest

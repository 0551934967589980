#include <map>
#include <string>
#include <system_error>
#include <utility>

#include <tally/client.h>
#include <tally/error.h>

#include <gtest/gtest.h>

#include "sdk/support/harness.h"

namespace tally {
namespace {

/// Whether a call that ended in an error may succeed later or never.
std::string outlookOf(const Error::Details& details) {
  const Error error{details};
  EXPECT_FALSE(error.isRetryable() && error.isPermanent()) << error;
  return error.isRetryable() ? "later" : error.isPermanent() ? "never" : "neither";
}

TEST(ErrorTest, CanBeComparedWithAKind) {
  const Error error{{.kind = ErrorKind::lockTimeout}};
  EXPECT_TRUE(error == ErrorKind::lockTimeout);
  EXPECT_TRUE(ErrorKind::lockTimeout == error);
  EXPECT_TRUE(error != ErrorKind::rateLimited);
  EXPECT_TRUE(ErrorKind::rateLimited != error);
}

TEST(ErrorTest, ReportsThatACallWithAnUnknownEffectMayHaveTakenEffect) {
  EXPECT_TRUE(Error{{.effect = Effect::unknown}}.mayHaveTakenEffect());
  EXPECT_FALSE(Error{{.effect = Effect::none}}.mayHaveTakenEffect());
}

TEST(ErrorTest, ConvertsToAnErrorCode) {
  const Error error{{.kind = ErrorKind::notFound}};
  std::error_code code;
  code = error;
  EXPECT_EQ(code, ErrorKind::notFound);
  EXPECT_NE(code, ErrorKind::permission);
  EXPECT_EQ(&code.category(), &errorCategory());
  EXPECT_EQ(code.message(), "not found");
  const std::error_code initialized = error;
  EXPECT_EQ(initialized, code);
}

TEST(ErrorTest, IsEquivalentToStandardErrorConditions) {
  const std::map<ErrorKind, std::errc> conditions{
      {ErrorKind::deadlineExceeded, std::errc::timed_out},
      {ErrorKind::timeout, std::errc::timed_out},
      {ErrorKind::canceled, std::errc::operation_canceled},
      {ErrorKind::permission, std::errc::permission_denied},
      {ErrorKind::invalidParameter, std::errc::invalid_argument},
  };
  for (int i = 0; i <= static_cast<int>(ErrorKind::exception); ++i) {
    const auto kind = static_cast<ErrorKind>(i);
    for (const std::errc condition : {std::errc::timed_out, std::errc::operation_canceled,
                                      std::errc::permission_denied, std::errc::invalid_argument}) {
      const auto found = conditions.find(kind);
      const bool equal = found != conditions.end() && found->second == condition;
      EXPECT_EQ(make_error_code(kind) == condition, equal) << kind;
    }
  }
}

HttpResponse refusal(std::string body) {
  return {.status = 429, .headers = {{"X-Region", "eu"}, {"Retry-After", "3"}}, .body = std::move(body)};
}

Error errorAfter(const TransportResult& result) {
  test::Harness h{{.maxNetworkRetries = 0}};
  h.respond(result);
  return h.client.paymentRecords().retrieve("pr_1").error();
}

TEST(ErrorTest, KeepsARefusalAsItWasReceived) {
  const HttpResponse sent = refusal(R"({"error":{"code":"lock_timeout","advice":"wait"}})");
  const Error error = errorAfter(sent);
  ASSERT_NE(error.response(), nullptr);
  EXPECT_EQ(*error.response(), sent);
  const Error copy{error};
  EXPECT_EQ(copy.response(), error.response()) << "copies share it";
}

TEST(ErrorTest, KeepsTheFirst16KiBOfABody) {
  const std::string body(20'000, 'x');
  const Error error = errorAfter(refusal(body));
  ASSERT_NE(error.response(), nullptr);
  EXPECT_EQ(error.response()->body, body.substr(0, 16'384));
}

TEST(ErrorTest, KeepsAnUnreadableResponse) {
  const Error error = errorAfter(HttpResponse{.status = 200, .body = "<html>"});
  EXPECT_EQ(error.kind(), ErrorKind::malformedResponse);
  ASSERT_NE(error.response(), nullptr);
  EXPECT_EQ(error.response()->body, "<html>");
}

TEST(ErrorTest, HasNoResponseIfNoneArrived) {
  EXPECT_EQ(errorAfter(TransportFailure{}).response(), nullptr);
}

TEST(ErrorTest, HasNoAttemptsIfNothingWasSent) {
  const TransportFailure forbidden{TransportFailure::Kind::forbidden, false, "plain HTTP"};
  test::Harness h{{.maxNetworkRetries = 3}};
  h.respond(forbidden);
  std::vector<Attempt> attempts;
  const Error refused = h.client.paymentRecords().retrieve("pr_1", {.attempts = &attempts}).error();
  const Error invalid = h.client.paymentRecords().retrieve("").error();
  for (const Error& error : {refused, invalid}) {
    EXPECT_EQ(error.attemptCount(), 0) << error;
    EXPECT_THAT(error.attempts(), testing::IsEmpty()) << error;
    EXPECT_THAT(error.toString(), testing::Not(testing::HasSubstr("attempts"))) << error;
  }
  EXPECT_THAT(attempts, testing::IsEmpty());
}

/// The transport refuses the retry, for example since the proxy has changed.
TEST(ErrorTest, ExcludesAnAttemptRefusedByTheTransport) {
  test::Harness h{{.maxNetworkRetries = 3}};
  h.respond(test::lockTimeout());
  h.respond(TransportFailure{TransportFailure::Kind::forbidden, false, "plain HTTP"});
  const Error error = h.client.paymentRecords().retrieve("pr_1").error();
  EXPECT_EQ(error.attemptCount(), 1);
  EXPECT_EQ(error.attempts().size(), 1U);
}

TEST(Retryability, IsDefinedForEveryKind) {
  const std::map<ErrorKind, std::string> outlooks{
      {ErrorKind::invalidParameter, "never"},
      {ErrorKind::canceled, "neither"},
      {ErrorKind::deadlineExceeded, "later"},
      {ErrorKind::queueFull, "later"},
      {ErrorKind::connection, "later"},
      {ErrorKind::timeout, "later"},
      {ErrorKind::malformedResponse, "later"},
      {ErrorKind::responseTooLarge, "never"},
      {ErrorKind::pagination, "later"},
      {ErrorKind::invalidRequest, "never"},
      {ErrorKind::authentication, "never"},
      {ErrorKind::permission, "never"},
      {ErrorKind::notFound, "never"},
      {ErrorKind::rateLimited, "later"},
      {ErrorKind::lockTimeout, "later"},
      {ErrorKind::tooManyRequests, "later"},
      {ErrorKind::server, "later"},
      {ErrorKind::exception, "neither"},
  };
  EXPECT_EQ(outlooks.size(), static_cast<std::size_t>(ErrorKind::exception) + 1);
  for (const auto& [kind, outlook] : outlooks) {
    EXPECT_EQ(outlookOf({.kind = kind}), outlook) << kind;
    EXPECT_EQ(outlookOf({.kind = kind, .effect = Effect::unknown}), "neither") << kind;
  }
}

TEST(Retryability, IsRuledOutByAnUntrustedCertificate) {
  EXPECT_EQ(outlookOf({.kind = ErrorKind::connection, .failure = TransportFailure::Kind::tls}), "never");
  EXPECT_EQ(outlookOf({.kind = ErrorKind::connection, .failure = TransportFailure::Kind::couldNotResolve}),
            "later");
}

TEST(Retryability, IsNotRuledOutByTheTimeoutOfAnIntermediary) {
  for (const int status : {460, 499})
    EXPECT_EQ(outlookOf({.kind = ErrorKind::invalidRequest, .status = status}), "later") << status;
  for (const int status : {400, 402, 405, 409, 422})
    EXPECT_EQ(outlookOf({.kind = ErrorKind::invalidRequest, .status = status}), "never") << status;
}

}  // namespace
}  // namespace tally

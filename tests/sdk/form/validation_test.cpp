// Text that would break out of its place in a request is refused before anything is sent.

#include <ostream>

#include <tally/client.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sdk/support/harness.h"

namespace tally {
namespace {

using namespace std::string_literals;
using test::Harness;
using testing::HasSubstr;
using testing::Not;

/// Each ends a line, a text or a request.
const std::string breaks[] = {"\r", "\n", "\r\nX-Injected: 1", "\0"s, "\x01", "\033c", "\x7F"};

std::string broken(const std::string& text) {
  return "before" + text + "behind";
}

void expectRefused(const Harness& h, const Result<PaymentRecord>& result, const std::string& param) {
  ASSERT_TRUE(result.has_error()) << param;
  const Error& error = result.error();
  EXPECT_EQ(error.kind(), ErrorKind::invalidParameter) << error;
  EXPECT_EQ(error.param(), param) << error;
  EXPECT_EQ(error.effect(), Effect::none);
  EXPECT_EQ(error.attemptCount(), 0);
  EXPECT_THAT(error.toString(), HasSubstr(param));
  EXPECT_THAT(error.toString(), Not(HasSubstr("before"))) << "the error must not reveal the text";
  EXPECT_TRUE(h.transport->requests.empty());
}

void expectRefused(const RequestOptions& options, const std::string& param) {
  const Harness h;
  expectRefused(h, h.client.paymentRecords().retrieve("pr_1", options), param);
}

void expectRefused(ClientOptions options, const std::string& param) {
  const Harness h{std::move(options)};
  expectRefused(h, h.client.paymentRecords().retrieve("pr_1"), param);
}

TEST(UnsafeText, IsRefusedInAnApiKey) {
  for (const std::string& text : breaks) {
    expectRefused(ClientOptions{.apiKey = broken(text)}, "apiKey");
    expectRefused(RequestOptions{.apiKey = broken(text)}, "apiKey");
  }
}

TEST(UnsafeText, IsRefusedInAConnectedAccount) {
  for (const std::string& text : breaks) {
    expectRefused(ClientOptions{.connectedAccount = broken(text)}, "connectedAccount");
    expectRefused(RequestOptions{.connectedAccount = broken(text)}, "connectedAccount");
  }
}

TEST(UnsafeText, IsRefusedInAHeader) {
  for (const std::string& text : breaks) {
    expectRefused(ClientOptions{.headers = {{"X-A", broken(text)}}}, "headers");
    expectRefused(RequestOptions{.headers = {{"X-A", broken(text)}}}, "headers");
    expectRefused(ClientOptions{.headers = {{broken(text), "1"}}}, "headers");
    expectRefused(RequestOptions{.headers = {{broken(text), "1"}}}, "headers");
  }
  for (const char* name : {"", "X A", "X:", "X;", "Ü"})
    expectRefused(RequestOptions{.headers = {{name, "1"}}}, "headers");
}

TEST(UnsafeText, IsRefusedInTheBaseUrl) {
  for (const std::string& text : breaks)
    expectRefused(ClientOptions{.baseUrl = "https://" + broken(text)}, "baseUrl");
  for (const char* url :
       {"https://service.test/a b", "https://service.test?before", "https://service.test#before"})
    expectRefused(ClientOptions{.baseUrl = url}, "baseUrl");
}

// These headers could truncate the body or split one request into two.
TEST(FramingHeaders, AreRefused) {
  expectRefused(RequestOptions{.headers = {{"content-length", "7"}}}, "headers");
  expectRefused(ClientOptions{.headers = {{"Transfer-Encoding", "chunked"}}}, "headers");
}

// These texts are encoded in a URL or body.
TEST(UnsafeText, IsEncodedInAPathOrABody) {
  for (const std::string& text : breaks) {
    Harness h;
    auto record = fromJson<PaymentRecord>(test::recordJson("pr_1")).value();
    record.id = "pr_" + text;
    h.respond(test::ok(toJson(record)));
    const auto reported = h.client.paymentRecords().reportFailed(
        record.id, {.failedAt = std::chrono::sys_seconds{}, .metadata = {{"a" + text, "b" + text}}});
    ASSERT_TRUE(reported) << reported.error();
    const HttpRequest& request = h.transport->requests.at(0);
    for (const char c : request.url + request.body)
      EXPECT_TRUE(c > 0x20 && c < 0x7F) << request.url << request.body;
  }
}

}  // namespace
}  // namespace tally

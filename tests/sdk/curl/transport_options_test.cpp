// What the transport refuses, and the effect of its options.

#include <memory>
#include <stdexcept>

#include <tally/curl_transport.h>
#include <tally/fake/virtual_clock.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sdk/support/async_sends.h"
#include "sdk/support/wire_fault.h"
#include "system_calls.h"
#include "tls_front.h"

namespace tally {
namespace {

using namespace std::chrono_literals;
using namespace std::string_literals;

TransportResult sendWith(const CurlTransportOptions& options, const HttpRequest& request) {
  const auto clock = systemClock();
  return test::wireTransport(clock, options)->send(request, {.deadline = clock->now() + 30s});
}

void expectForbidden(const HttpRequest& request, const std::string& says) {
  const auto failure = std::get<TransportFailure>(sendWith({}, request));
  EXPECT_EQ(failure.kind, TransportFailure::Kind::forbidden) << failure.message;
  EXPECT_FALSE(failure.mayHaveBeenSent);
  EXPECT_THAT(failure.message, testing::HasSubstr(says));
  EXPECT_THAT(failure.message, testing::Not(testing::HasSubstr("before")));
}

TEST(CurlTransport, RefusesAMalformedRequest) {
  const std::string url = "http://127.0.0.1:1/";
  for (const std::string& text : {"before\r\nX: 1"s, "before\nX"s, "before\0"s, "before\x7F"s}) {
    expectForbidden({.url = url + text}, "the URL");
    expectForbidden({.url = url, .headers = {{"X-A", text}}}, "the header X-A");
    expectForbidden({.url = url, .headers = {{text, "1"}}}, "a header");
  }
}

TEST(CurlTransport, RefusesMalformedOptions) {
  EXPECT_THROW((void)curlTransport(systemClock(), {.caFile = "ca.pem\0.txt"s}), std::invalid_argument);
  EXPECT_THROW((void)curlTransport(systemClock(), {.proxy = "http://proxy\r\n"}), std::invalid_argument);
  EXPECT_THROW((void)curlTransport(systemClock(), {.noProxy = "a\r\n"}), std::invalid_argument);
}

void expectRefused(const CurlTransportOptions& options, const std::string& name) {
  try {
    (void)test::wireTransport(systemClock(), options);
    ADD_FAILURE() << name << " is taken";
  } catch (const std::invalid_argument& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("CurlTransportOptions::" + name + " must be positive"));
  }
}

TEST(CurlTransport, RefusesDurationsThatAreNotPositive) {
  for (const auto none : {0ms, -1ms, std::chrono::milliseconds::min()}) {
    expectRefused({.connectTimeout = none}, "connectTimeout");
    expectRefused({.maxIdleTime = none}, "maxIdleTime");
  }
}

TEST(CurlTransport, AcceptsTheLongestDurations) {
  const test::TlsFront front;
  constexpr auto longest = std::chrono::milliseconds::max();
  const auto transport = test::wireTransport(
      systemClock(), {.caFile = front.caFile(), .connectTimeout = longest, .maxIdleTime = longest});
  for (int i = 0; i < 2; ++i) {
    const auto result = transport->send({.url = front.url(1) + '/'}, {.deadline = Instant::max()});
    EXPECT_EQ(std::get<HttpResponse>(result).status, 502);
  }
}

/// For libcurl, a timeout of zero means none.
TEST(CurlTransport, RoundsDurationsUpToAMillisecond) {
  const test::MisbehavingServer server{test::keepSilent};
  const auto clock = std::make_shared<fake::VirtualClock>(Instant{1s});
  const auto result =
      test::wireTransport(clock)->send({.url = server.url() + '/'}, {.deadline = clock->now() + 1us});
  EXPECT_EQ(std::get<TransportFailure>(result).kind, TransportFailure::Kind::timeout);
}

TEST(CurlTransport, RefusesAUrlThatLibcurlWouldTruncate) {
  expectForbidden({.url = "http://127.0.0.1:1/" + std::string(8'000'000, 'a')}, "bytes");
}

TEST(CurlTransport, TrustsOnlyAuthoritiesInTheConfiguredFile) {
  const test::TlsFront front;
  const test::TrustedFolders folders;
  (void)sendWith({.caFile = front.caFile()}, {.url = front.url(1) + '/'});
  EXPECT_EQ(folders.count(), 0);
  (void)sendWith({}, {.url = front.url(1) + '/'});
  EXPECT_NE(folders.count(), 0) << "and the system's by default";
}

TEST(CurlTransport, ReportsAnUnreadableCaFile) {
  const test::TlsFront front;
  const auto failure =
      std::get<TransportFailure>(sendWith({.caFile = "/nowhere/ca.pem"}, {.url = front.url(1)}));
  EXPECT_EQ(failure.kind, TransportFailure::Kind::tls);
  EXPECT_FALSE(failure.mayHaveBeenSent);
  EXPECT_THAT(failure.message, testing::HasSubstr("/nowhere/ca.pem"));
}

}  // namespace
}  // namespace tally

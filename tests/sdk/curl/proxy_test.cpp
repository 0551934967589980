// A proxy only opens a tunnel to the service, and sees nothing of what passes through it.

#include <atomic>
#include <cstdlib>
#include <mutex>

#include <tally/curl_transport.h>
#include <tally/tally.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "http2_connection.h"
#include "sdk/support/async_sends.h"
#include "sdk/support/harness.h"
#include "sockets.h"
#include "tls_connection.h"

namespace tally {
namespace {

using namespace std::chrono_literals;
using test::MisbehavingServer;
using testing::HasSubstr;
using testing::Not;
using Kind = TransportFailure::Kind;

const std::string serviceUrl = "https://service.test";
const std::string password = "Tell0Nobody";

/// A proxy that gives every CONNECT the same response and, if that is a success, acts as the service.
class Proxy {
 public:
  explicit Proxy(std::string response) : response_(std::move(response)) {}

  /// With user name and password.
  [[nodiscard]] std::string url() const { return "http://user:" + password + '@' + server_.url().substr(7); }
  [[nodiscard]] const std::string& caFile() const { return authority_.caFile(); }
  [[nodiscard]] int connections() const { return connections_; }
  [[nodiscard]] std::string asked() const { return locked(asked_); }
  [[nodiscard]] std::string sentToService() const { return locked(sent_); }

 private:
  [[nodiscard]] std::string locked(const std::string& text) const {
    const std::lock_guard lock{mutex_};
    return text;
  }
  void note(std::string& text, std::string received) {
    const std::lock_guard lock{mutex_};
    text = std::move(received);
  }

  void serve(int connection) {
    ++connections_;
    note(asked_, test::receiveRequest(connection));
    test::sendAll(connection, response_);
    if (response_.find(" 200 ") == std::string::npos) return static_cast<void>(close(connection));
    test::TlsConnection tls{connection, authority_.issue({.names = "DNS:service.test"})};
    note(sent_, tls.receive());
    const std::string body = test::recordJson("pr_1");
    tls.send("HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
  }

  test::Authority authority_{};
  std::string response_;
  mutable std::mutex mutex_{};
  std::string asked_{};
  std::string sent_{};
  std::atomic<int> connections_ = 0;
  MisbehavingServer server_{[this](int connection) { serve(connection); }};
};

Result<PaymentRecord> reportTo(const std::string& url, const CurlTransportOptions& options, int retries = 0) {
  const Client client{{.apiKey = "sk_test_1",
                       .baseUrl = url,
                       .maxNetworkRetries = retries,
                       .backoff = {.initial = 1ms, .cap = 1ms},
                       .transport = test::wireTransport(systemClock(), options)}};
  return client.paymentRecords().reportFailed("pr_1", {.failedAt = std::chrono::sys_seconds{}});
}

/// Sets an environment variable during its lifetime.
class Environment {
 public:
  Environment(const char* name, const std::string& value) : name_(name) { setenv(name, value.c_str(), 1); }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;
  ~Environment() { unsetenv(name_); }

 private:
  const char* name_;
};

TEST(Proxy, TunnelsToTheService) {
  const Proxy proxy{"HTTP/1.1 200 Connection established\r\nX-Of: the proxy\r\n\r\n"};
  const auto reported = reportTo(serviceUrl, {.caFile = proxy.caFile(), .proxy = proxy.url()});
  ASSERT_TRUE(reported) << reported.error();
  EXPECT_EQ(reported.value().id, "pr_1");
  EXPECT_THAT(proxy.asked(), HasSubstr("CONNECT service.test:443 HTTP/1.1\r\n"));
  EXPECT_THAT(proxy.asked(), HasSubstr("\r\nProxy-Authorization: Basic "));
  EXPECT_THAT(proxy.asked(), Not(HasSubstr("sk_test_1")));
  EXPECT_THAT(proxy.sentToService(), HasSubstr("Authorization: Bearer sk_test_1\r\n"));
  EXPECT_THAT(proxy.sentToService(), Not(HasSubstr("Proxy-Authorization")));
}

TEST(Proxy, FromTheEnvironmentIsUsedByDefault) {
  const Proxy proxy{"HTTP/1.1 200 Connection established\r\n\r\n"};
  const Environment environment{"https_proxy", proxy.url()};
  EXPECT_TRUE(reportTo(serviceUrl, {.caFile = proxy.caFile()}));
  EXPECT_EQ(proxy.connections(), 1);
  const auto direct = reportTo("https://127.0.0.1:1", {.proxy = ""});
  EXPECT_EQ(direct.error().failure(), Kind::couldNotConnect) << direct.error();
  EXPECT_EQ(proxy.connections(), 1);
}

TEST(Proxy, FromTheOptionsOverridesTheEnvironment) {
  const Proxy proxy{"HTTP/1.1 200 Connection established\r\n\r\n"};
  const Environment environment{"no_proxy", "service.test"};
  EXPECT_TRUE(reportTo(serviceUrl, {.caFile = proxy.caFile(), .proxy = proxy.url()}));
  EXPECT_EQ(proxy.connections(), 1);
}

TEST(Proxy, IsBypassedForHostsExcludedByTheOptions) {
  const Proxy proxy{"HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n"};
  const CurlTransportOptions options{.proxy = proxy.url(), .noProxy = "elsewhere.test,127.0.0.1"};
  EXPECT_EQ(reportTo("https://127.0.0.1:1", options).error().failure(), Kind::couldNotConnect);
  EXPECT_EQ(proxy.connections(), 0);
  EXPECT_TRUE(reportTo(serviceUrl, options).has_error());
  EXPECT_EQ(proxy.connections(), 1);
}

TEST(Proxy, IsBypassedForHostsExcludedByTheEnvironment) {
  const Proxy proxy{"HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n"};
  const Environment environment{"https_proxy", proxy.url()};
  const Environment exceptions{"no_proxy", "127.0.0.1"};
  (void)reportTo("https://127.0.0.1:1", {});
  EXPECT_EQ(proxy.connections(), 0);
  (void)reportTo("https://127.0.0.1:1", {.noProxy = "elsewhere.test"});
  EXPECT_EQ(proxy.connections(), 1);
}

TEST(Proxy, IsBypassedForUnencryptedLoopbackRequests) {
  const Proxy proxy{"HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n"};
  const auto direct = reportTo("http://127.0.0.1:1", {.proxy = proxy.url()});
  EXPECT_EQ(direct.error().failure(), Kind::couldNotConnect) << direct.error();
  EXPECT_EQ(proxy.connections(), 0);
}

TEST(Proxy, ReceivesTheWholeUrlOfUnencryptedRequests) {
  const Proxy proxy{"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"};
  const auto reported = reportTo("http://service.test/api", {.proxy = proxy.url(), .allowPlainHttp = true});
  EXPECT_EQ(reported.error().status(), 404) << reported.error();
  EXPECT_THAT(proxy.asked(), HasSubstr("POST http://service.test/api/v1/payment_records/pr_1/"
                                       "report_payment_attempt_failed HTTP/1.1\r\n"));
}

void expectNotSent(const Error& error, Kind failure) {
  EXPECT_EQ(error.failure(), failure) << error;
  EXPECT_EQ(error.effect(), Effect::none);
  EXPECT_THAT(error.toString(), Not(HasSubstr(password)));
}

TEST(Proxy, LeavesTheReportUnsentWhenItRefusesATunnel) {
  for (const int status : {403, 502}) {
    const Proxy proxy{"HTTP/1.1 " + std::to_string(status) + " No\r\nContent-Length: 0\r\n\r\n"};
    const auto refused = reportTo(serviceUrl, {.proxy = proxy.url()}, 2);
    ASSERT_TRUE(refused.has_error());
    expectNotSent(refused.error(), Kind::couldNotConnect);
    EXPECT_EQ(refused.error().attemptCount(), 3);
    EXPECT_EQ(refused.error().message(),
              "could not connect: the proxy returned status " + std::to_string(status));
    EXPECT_EQ(proxy.connections(), 3);
  }
}

TEST(Proxy, IsNotAskedAgainWhenItDemandsCredentials) {
  const Proxy proxy{
      "HTTP/1.1 407 No\r\nProxy-Authenticate: Basic realm=\"x\"\r\nContent-Length: 2\r\n\r\nno"};
  const auto refused = reportTo(serviceUrl, {.proxy = proxy.url()}, 2);
  ASSERT_TRUE(refused.has_error());
  const Error& error = refused.error();
  EXPECT_EQ(error.kind(), ErrorKind::authentication) << error;
  EXPECT_EQ(error.status(), 407);
  EXPECT_EQ(error.effect(), Effect::none);
  EXPECT_TRUE(error.isPermanent());
  EXPECT_THAT(error.message(), HasSubstr("it demands credentials; check CurlTransportOptions::proxy"));
  EXPECT_THAT(error.toString(), Not(HasSubstr(password)));
  EXPECT_EQ(proxy.connections(), 1);
}

TEST(Proxy, LeavesTheReportUnsentWhenItsResponseIsInvalid) {
  for (const char* response : {"", "HTTP/1.1 200", "220 mail.example ESMTP\r\n\r\n"}) {
    const Proxy proxy{response};
    const auto refused = reportTo(serviceUrl, {.proxy = proxy.url()});
    ASSERT_TRUE(refused.has_error());
    expectNotSent(refused.error(), Kind::couldNotConnect);
  }
}

TEST(Proxy, LeavesTheReportUnsentWhenUnreachable) {
  const auto error = [](const std::string& address) {
    return reportTo(serviceUrl, {.proxy = address}).error();
  };
  const std::string credentials = "user:" + password + '@';
  expectNotSent(error("http://" + credentials + "127.0.0.1:1"), Kind::couldNotConnect);
  expectNotSent(error("http://" + credentials + std::string(64, 'a') + ".invalid"), Kind::couldNotResolve);
  expectNotSent(error("carrier-pigeon://" + credentials + "127.0.0.1:1"), Kind::couldNotConnect);
  expectNotSent(error("http://" + credentials + "127.0.0.1:no"), Kind::couldNotResolve);
}

/// Whether the next request uses another connection than one over which no response has come. libcurl keeps
/// the connection, which may be dead.
TEST(Proxy, IsAskedForAnotherTunnelAfterATimeoutOverHttp2) {
  test::Authority authority;
  std::atomic<int> tunnels = 0;
  const MisbehavingServer proxy{[&](int connection) {
    ++tunnels;
    (void)test::receiveRequest(connection);
    test::sendAll(connection, "HTTP/1.1 200 Connection established\r\n\r\n");
    test::Http2Connection service{connection, authority.issue({.names = "DNS:service.test"})};
    while (service.receiveRequest() != 0) {
    }
  }};
  const auto clock = systemClock();
  const auto transport = test::wireTransport(clock, {.caFile = authority.caFile(), .proxy = proxy.url()});
  for (int n = 0; n < 2; ++n) {
    const auto result = transport->send({.url = serviceUrl}, {.deadline = clock->now() + 300ms});
    EXPECT_EQ(std::get<TransportFailure>(result).kind, Kind::timeout);
    EXPECT_TRUE(std::get<TransportFailure>(result).mayHaveBeenSent);
  }
  EXPECT_EQ(tunnels, 2);
}

TEST(Proxy, IsAbandonedAtTheDeadlineWhenSilent) {
  MisbehavingServer silent{[](int connection) {
    char bytes[4'096];
    while (recv(connection, bytes, sizeof bytes, 0) > 0) {
    }
    close(connection);
  }};
  const auto clock = systemClock();
  const auto transport = test::wireTransport(clock, {.proxy = silent.url()});
  const auto result = transport->send({.url = serviceUrl}, {.deadline = clock->now() + 50ms});
  EXPECT_EQ(std::get<TransportFailure>(result).kind, Kind::timeout);
  EXPECT_FALSE(std::get<TransportFailure>(result).mayHaveBeenSent);
}

}  // namespace
}  // namespace tally

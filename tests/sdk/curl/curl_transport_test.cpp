#include <cstdlib>
#include <string>
#include <thread>

#include <tally/tally.h>

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "sdk/support/async_sends.h"
#include "sdk/support/harness.h"
#include "sockets.h"

namespace tally {
namespace {

using namespace std::chrono_literals;
using test::Listener;
using test::receiveRequest;

/// A server that responds once, on its own thread.
class OneResponse {
 public:
  explicit OneResponse(std::string response)
      : thread_([this, bytes = std::move(response)] {
          const int connection = listener_.acceptOne();
          request_ = receiveRequest(connection);
          send(connection, bytes.data(), bytes.size(), MSG_NOSIGNAL);
          close(connection);
        }) {}

  [[nodiscard]] std::string url() const { return listener_.url(); }
  std::string request() {
    thread_.join();
    return request_;
  }

 private:
  Listener listener_{};
  std::string request_{};
  std::jthread thread_;
};

TransportResult sendTo(const std::string& url, std::stop_token stop = {}) {
  const auto clock = systemClock();
  return test::wireTransport(clock)->send({.url = url},
                                          {.deadline = clock->now() + 30s, .stop = std::move(stop)});
}

std::string response(const std::string& body) {
  return "HTTP/1.1 200 OK\r\nrequest-id:  req_1 \r\nX-Empty:\r\nContent-Length: " +
         std::to_string(body.size()) + "\r\nConnection: close\r\n\r\n" + body;
}

/// libcurl reports that a socket can't be opened like a service that is not running.
TEST(CurlTransport, SaysThatTheProcessHasTooManyOpenFiles) {
  const auto clock = systemClock();
  const Listener listener;
  const auto transport = test::wireTransport(clock);
  const auto send = [&] {
    return transport->send({.url = listener.url()}, {.deadline = clock->now() + 30s});
  };
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  const rlimit standardStreams{.rlim_cur = 3, .rlim_max = before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &standardStreams), 0);
  const TransportResult result = send();
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
  const auto& failure = std::get<TransportFailure>(result);
  EXPECT_EQ(failure.kind, TransportFailure::Kind::couldNotConnect);
  EXPECT_EQ(failure.message, "could not connect to " + listener.url().substr(7) +
                                 ": Too many open files; raise this program's limit with ulimit -n");
}

TEST(CurlTransport, SendsTheRequestOfACall) {
  OneResponse server{response(test::recordJson("pr_1"))};
  const Client client{
      {.apiKey = "sk_test_1", .baseUrl = server.url(), .transport = test::wireTransport(systemClock())}};
  const auto record = client.paymentRecords().reportFailed(
      "pr_1", {.failedAt = std::chrono::sys_seconds{7s}, .metadata = {{"a", "b"}}},
      {.headers = {{"X-None", ""}}});
  ASSERT_TRUE(record) << record.error();
  EXPECT_EQ(record.value().id, "pr_1");
  const std::string request = server.request();
  EXPECT_TRUE(request.starts_with("POST /v1/payment_records/pr_1/report_payment_attempt_failed HTTP/1.1\r\n"))
      << request;
  EXPECT_NE(request.find("\r\nAuthorization: Bearer sk_test_1\r\n"), std::string::npos) << request;
  EXPECT_NE(request.find("\r\nContent-Type: application/x-www-form-urlencoded\r\n"), std::string::npos)
      << request;
  EXPECT_NE(request.find("\r\nX-None:\r\n"), std::string::npos) << request;
  EXPECT_TRUE(request.ends_with("\r\n\r\nfailed_at=7&metadata%5Ba%5D=b")) << request;
}

TEST(CurlTransport, ReadsStatusHeadersAndBody) {
  OneResponse server{response("{}")};
  const auto response = std::get<HttpResponse>(sendTo(server.url() + "/x"));
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.body, "{}");
  EXPECT_EQ(*response.header("Request-Id"), "req_1");
  EXPECT_EQ(*response.header("x-empty"), "");
  EXPECT_EQ(response.header("X-Missing"), nullptr);
}

TEST(CurlTransport, SendsABodyWithAGetRequest) {
  OneResponse server{response("{}")};
  const auto clock = systemClock();
  (void)test::wireTransport(clock)->send({.url = server.url() + "/x", .body = "of a get"},
                                         {.deadline = clock->now() + 30s});
  const std::string request = server.request();
  EXPECT_TRUE(request.starts_with("GET /x HTTP/1.1\r\n")) << request;
  EXPECT_TRUE(request.ends_with("\r\n\r\nof a get")) << request;
}

TEST(CurlTransport, DoesNotNormalizeTheUrl) {
  struct Sent {
    std::string behindHost;
    std::string target;
  };
  const auto clock = systemClock();
  const auto transport = test::wireTransport(clock);
  for (const auto& [behindHost, target] :
       {Sent{"/a/../b%2F?c=%5B/&d", "/a/../b%2F?c=%5B/&d"}, Sent{"", "/"}, Sent{"/", "/"},
        Sent{"?c=/d", "/?c=/d"}, Sent{"/a?b#/c", "/a?b"}, Sent{"#/c", "/"}, Sent{"//a", "//a"}}) {
    OneResponse server{response("{}")};
    const auto got = transport->send({.url = server.url() + behindHost}, {.deadline = clock->now() + 30s});
    EXPECT_TRUE(std::holds_alternative<HttpResponse>(got)) << behindHost;
    EXPECT_TRUE(server.request().starts_with("GET " + target + " HTTP/1.1\r\n")) << behindHost;
  }
}

TEST(CurlTransport, IgnoresTrailers) {
  OneResponse server{
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nRequest-Id: req_1\r\n\r\n2\r\n{}\r\n0\r\n"
      "Request-Id: req_2\r\n\r\n"};
  const auto response = std::get<HttpResponse>(sendTo(server.url()));
  EXPECT_EQ(response.body, "{}");
  EXPECT_EQ(response.headers.size(), 2U);
  EXPECT_EQ(*response.header("Request-Id"), "req_1");
}

TEST(CurlTransport, AcceptsLargeResponseHeaders) {
  std::string head = "HTTP/1.1 200 OK\r\nX-Long: " + std::string(60'000, 'x') + "\r\n";
  for (int i = 0; i < 60; ++i)
    head += "X-More: " + std::string(900, 'x') + "\r\n";
  OneResponse server{head + "Content-Length: 2\r\n\r\n{}"};
  const auto result = sendTo(server.url());
  const auto* got = std::get_if<HttpResponse>(&result);
  ASSERT_NE(got, nullptr) << std::get<TransportFailure>(result).message;
  EXPECT_EQ(got->headers.size(), 62U);
  EXPECT_EQ(got->body, "{}");
}

TEST(CurlTransport, DoesNotFollowARedirect) {
  OneResponse server{"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n"};
  EXPECT_EQ(std::get<HttpResponse>(sendTo(server.url())).status, 302);
}

TEST(CurlTransport, ReportsThatNothingWasSentWhenTheConnectionIsRefused) {
  std::string url;
  {
    const Listener gone;
    url = gone.url();
  }
  const auto failure = std::get<TransportFailure>(sendTo(url));
  EXPECT_EQ(failure.kind, TransportFailure::Kind::couldNotConnect);
  EXPECT_FALSE(failure.mayHaveBeenSent);
}

struct Departures final : detail::DepartureListener {
  void departs() noexcept override { ++count; }

  int count = 0;
};

TEST(CurlTransport, TellsTheCallingThreadThatARequestDeparts) {
  Departures departures;
  const detail::DepartureScope scope{&departures};
  const auto sendOnce = [](const std::string& url) {
    (void)curlTransport(systemClock())->send({.url = url}, {.deadline = systemClock()->now() + 30s});
  };
  std::string url;
  {
    const Listener gone;
    url = gone.url();
  }
  sendOnce(url);
  EXPECT_EQ(departures.count, 0);
  OneResponse server{""};
  sendOnce(server.url());
  EXPECT_EQ(departures.count, 1);
}

TEST(CurlTransport, ReportsThatARequestMayHaveBeenSentWhenTheConnectionCloses) {
  OneResponse server{""};
  const auto failure = std::get<TransportFailure>(sendTo(server.url()));
  EXPECT_EQ(failure.kind, TransportFailure::Kind::connection);
  EXPECT_TRUE(failure.mayHaveBeenSent);
}

TEST(CurlTransport, RefusesUrlsOtherThanHttpsAndLoopbackHttp) {
  for (const char* url : {"http://service.test/", "http://127.0.0.1.service.test/",
                          "http://127.0.0.1@service.test/", "ftp://127.0.0.1/", "file:///etc/hosts"}) {
    const auto failure = std::get<TransportFailure>(sendTo(url));
    EXPECT_EQ(failure.kind, TransportFailure::Kind::forbidden) << url;
    EXPECT_FALSE(failure.mayHaveBeenSent) << url;
  }
}

TEST(CurlTransport, SendsNothingAfterTheDeadline) {
  const auto clock = systemClock();
  const auto failure = std::get<TransportFailure>(
      test::wireTransport(clock)->send({.url = "http://127.0.0.1:1/"}, {.deadline = clock->now() - 1s}));
  EXPECT_EQ(failure.kind, TransportFailure::Kind::timeout);
  EXPECT_FALSE(failure.mayHaveBeenSent);
}

TEST(CurlTransport, EndsATransferWhenStopped) {
  const Listener silent;
  std::stop_source source;
  const std::jthread stopper{[&] {
    const int connection = silent.acceptOne();
    (void)receiveRequest(connection);
    source.request_stop();
    char byte = 0;
    (void)recv(connection, &byte, 1, 0);
    close(connection);
  }};
  const auto failure = std::get<TransportFailure>(sendTo(silent.url(), source.get_token()));
  EXPECT_EQ(failure.kind, TransportFailure::Kind::canceled);
  EXPECT_TRUE(failure.mayHaveBeenSent);
}

[[noreturn]] void exitWithAClientInAStaticObject() {
  static const auto* server = new test::MisbehavingServer{[](int connection) {
    (void)receiveRequest(connection);
    test::sendAll(connection, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
    (void)receiveRequest(connection);
    close(connection);
  }};
  static const Client client{{.apiKey = "sk_test_1", .baseUrl = server->url()}};
  (void)client.paymentRecords().retrieve("pr_1");
  std::exit(7);
}

TEST(ClientInAStaticObject, IsDestroyedSafelyAtExit) {
  EXPECT_EXIT(exitWithAClientInAStaticObject(), testing::ExitedWithCode(7), "");
}

// The label is too long for DNS, so no lookup is sent.
TEST(UnresolvableHost, IsReportedAsCouldNotResolve) {
  const Client client{{.apiKey = "sk_test_1",
                       .baseUrl = "https://" + std::string(64, 'a') + ".invalid",
                       .transport = test::wireTransport(systemClock())}};
  const auto record = client.paymentRecords().retrieve("pr_1");
  ASSERT_TRUE(record.has_error());
  EXPECT_EQ(record.error().failure(), TransportFailure::Kind::couldNotResolve) << record.error();
  EXPECT_EQ(record.error().effect(), Effect::none);
}

TEST(PlainHttp, IsRefusedWithTheNameOfTheOptionThatAllowsIt) {
  const Client client{{.apiKey = "sk_live_secret",
                       .baseUrl = "http://service.example",
                       .maxNetworkRetries = 3,
                       .transport = test::wireTransport(systemClock())}};
  const auto record = client.paymentRecords().retrieve("pr_1");
  ASSERT_TRUE(record.has_error());
  EXPECT_EQ(record.error().kind(), ErrorKind::invalidParameter);
  EXPECT_EQ(record.error().param(), "baseUrl");
  EXPECT_EQ(record.error().attemptCount(), 0);
  EXPECT_NE(record.error().message().find("allowPlainHttp"), std::string::npos) << record.error();
}

}  // namespace
}  // namespace tally

// Connections are reused. If a reused connection turns out to be dead, no request is sent twice.

#include <atomic>
#include <functional>
#include <future>
#include <memory>
#include <ostream>
#include <string>

#include <tally/curl_transport.h>
#include <tally/tally.h>

#include <gtest/gtest.h>

#include "http2_connection.h"
#include "sdk/support/async_sends.h"
#include "sdk/support/harness.h"
#include "sdk/support/wire_fault.h"
#include "sockets.h"
#include "tls_connection.h"

namespace tally {
namespace {

using namespace std::chrono_literals;
using test::Http2Connection;
using test::Http2Frame;
using test::MisbehavingServer;

/// What a server has seen, and how many requests it serves.
struct Seen {
  std::atomic<int> connections = 0;
  std::atomic<int> requests = 0;
  int responses = 0;

  bool respondsToNext() { return ++requests <= responses; }
};

/// Closes the connection instead of responding to the first excess request.
void closeInHttp1(int connection, Seen& seen) {
  const std::string body = test::recordJson("pr_1");
  const std::string response =
      "HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
  while (!test::receiveRequest(connection).empty() && seen.respondsToNext())
    test::sendAll(connection, response);
  close(connection);
}

/// Responds as often as allowed, and passes the first excess request to `otherwise`.
template <class Otherwise>
auto inHttp2(Otherwise otherwise) {
  return [otherwise](int socket, Seen& seen) {
    Http2Connection connection{socket, test::authority().issue()};
    std::uint32_t stream = connection.receiveRequest();
    for (; stream != 0 && seen.respondsToNext(); stream = connection.receiveRequest())
      connection.sendResponse(stream, test::recordJson("pr_1"));
    if (stream != 0) otherwise(connection, stream);
  };
}

void closeInHttp2(Http2Connection&, std::uint32_t) {}

void refuseStream(Http2Connection& connection, std::uint32_t stream) {
  connection.sendReset(stream, Http2Frame::refusedStream);
  (void)connection.receiveRequest();
}

void goAway(Http2Connection& connection, std::uint32_t stream) {
  connection.sendGoAway(stream > 1 ? stream - 2 : 0);
  (void)connection.receiveRequest();
}

struct Use {
  const char* name = "";
  std::function<void(int connection, Seen& seen)> serve{};
  const char* scheme = "https";
};

std::ostream& operator<<(std::ostream& out, const Use& use) {
  return out << use.name;
}

const Use uses[] = {{"http1_closed", closeInHttp1, "http"},
                    {"http2_closed", inHttp2(closeInHttp2)},
                    {"http2_stream_refused", inHttp2(refuseStream)},
                    {"http2_goaway", inHttp2(goAway)}};

class KeptConnections : public testing::TestWithParam<Use> {
 protected:
  Seen seen{};
  MisbehavingServer server{[this](int connection) {
    ++seen.connections;
    GetParam().serve(connection, seen);
  }};
  std::shared_ptr<Transport> transport =
      test::wireTransport(systemClock(), {.caFile = test::authority().caFile()});
  Client client{{.apiKey = "sk_test_1",
                 .baseUrl = server.url(GetParam().scheme),
                 .maxNetworkRetries = 2,
                 .backoff = {.initial = 1ms, .cap = 1ms},
                 .transport = transport}};

  [[nodiscard]] Result<PaymentRecord> report() const {
    return client.paymentRecords().reportFailed("pr_1", {.failedAt = std::chrono::sys_seconds{}});
  }
};

TEST_P(KeptConnections, AreReusedForReports) {
  seen.responses = 5;
  for (int i = 0; i < 5; ++i)
    EXPECT_TRUE(report());
  EXPECT_EQ(seen.connections, 1);
  EXPECT_EQ(seen.requests, 5);
}

TEST_P(KeptConnections, DoNotCauseAReportToBeSentTwice) {
  seen.responses = 1;
  EXPECT_TRUE(report());
  const auto lost = report();
  ASSERT_TRUE(lost.has_error());
  EXPECT_EQ(lost.error().kind(), ErrorKind::connection);
  EXPECT_EQ(lost.error().effect(), Effect::unknown);
  EXPECT_EQ(lost.error().attemptCount(), 1);
  EXPECT_EQ(seen.requests, 2);
}

TEST_P(KeptConnections, DoNotCauseAWriteWithoutABodyToBeSentTwice) {
  seen.responses = 1;
  const HttpRequest write{.method = Method::post, .url = server.url(GetParam().scheme)};
  EXPECT_TRUE(
      std::holds_alternative<HttpResponse>(transport->send(write, {.deadline = systemClock()->now() + 30s})));
  const auto lost = transport->send(write, {.deadline = systemClock()->now() + 30s});
  EXPECT_TRUE(std::get<TransportFailure>(lost).mayHaveBeenSent);
  EXPECT_EQ(seen.requests, 2);
}

/// Lets a number of requests pass.
class CountedFence final : public SendFence {
 public:
  explicit CountedFence(int requests) : left_(requests) {}
  bool maySend() const noexcept override { return left_-- > 0; }

 private:
  mutable std::atomic<int> left_;
};

TEST_P(KeptConnections, AreNotUsedForRequestsThatTheFenceForbids) {
  seen.responses = 5;
  transport = test::wireTransport(
      systemClock(), {.caFile = test::authority().caFile(), .fence = std::make_shared<CountedFence>(1)});
  const HttpRequest read{.url = server.url(GetParam().scheme)};
  const SendLimits limits{.deadline = systemClock()->now() + 30s};
  EXPECT_TRUE(std::holds_alternative<HttpResponse>(transport->send(read, limits)));
  for (int i = 0; i < 2; ++i) {
    const auto forbidden = std::get<TransportFailure>(transport->send(read, limits));
    EXPECT_EQ(forbidden.kind, TransportFailure::Kind::canceled);
    EXPECT_FALSE(forbidden.mayHaveBeenSent);
    EXPECT_EQ(forbidden.message, "CurlTransportOptions::fence does not permit the request");
  }
  EXPECT_EQ(seen.requests, 1);
}

TEST_P(KeptConnections, LeaveRetriesOfReadsToTheClient) {
  seen.responses = 1;
  EXPECT_TRUE(report());
  const auto lost = client.paymentRecords().retrieve("pr_1");
  ASSERT_TRUE(lost.has_error());
  EXPECT_EQ(lost.error().attemptCount(), 3);
  EXPECT_EQ(seen.requests, 4);
}

INSTANTIATE_TEST_SUITE_P(All, KeptConnections, testing::ValuesIn(uses),
                         [](const auto& tested) { return std::string{tested.param.name}; });

std::string responseWith(const std::string& requestId, const std::string& status = "200 OK") {
  const std::string body = test::recordJson("pr_1");
  return "HTTP/1.1 " + status + "\r\nRequest-Id: " + requestId +
         "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

/// What a server sends over an idle connection in HTTP/1.
struct Interjection {
  const char* name = "";
  std::string text{};
  bool ends = false;  // the connection
  const char* scheme = "http";
};

std::ostream& operator<<(std::ostream& out, const Interjection& interjection) {
  return out << interjection.name;
}

const Interjection interjections[] = {
    {"response", responseWith("req_unasked")},
    {"timeout", responseWith("req_unasked", "408 Request Timeout"), true},
    {"response_in_tls", responseWith("req_unasked"), false, "https"},
    {"end_of_tls", "", true, "https"},
};

/// Responds with the number of the connection as the request id. Once the first response has been received,
/// sends the interjection.
class InterjectingServer {
 public:
  explicit InterjectingServer(const Interjection& interjection) : interjection_(interjection) {}

  [[nodiscard]] std::string url() const { return server_.url(interjection_.scheme); }

  /// Call it between two calls of the client.
  void interject() {
    responded_.set_value();
    interjected_.get_future().wait();
  }

  std::atomic<int> connections = 0;
  std::atomic<int> requests = 0;
  std::atomic<int> closes = 0;  // how many further connections it closes at once

 private:
  void serve(int connection) {
    if (++connections > 1 && closes-- > 0) return static_cast<void>(close(connection));
    if (interjection_.scheme == std::string{"http"}) {
      serve([&] { return test::receiveRequest(connection); },
            [&](const std::string& text) { test::sendAll(connection, text); },
            [&] { shutdown(connection, SHUT_WR); });
      close(connection);
    } else {
      test::TlsConnection tls{connection, test::authority().issue()};
      serve([&] { return test::wholeRequest([&] { return tls.receive(); }); },
            [&](const std::string& text) { tls.send(text); }, [&] { tls.end(); });
    }
  }

  template <class Receive, class Send, class End>
  void serve(Receive receive, Send send, End end) {
    const std::string id = "req_" + std::to_string(connections);
    while (!receive().empty()) {
      const int number = ++requests;
      send(responseWith(id));
      if (number != 1) continue;
      responded_.get_future().wait();
      if (!interjection_.text.empty()) send(interjection_.text);
      if (interjection_.ends) end();
      interjected_.set_value();
    }
  }

  const Interjection& interjection_;
  std::promise<void> responded_{};
  std::promise<void> interjected_{};
  MisbehavingServer server_{[this](int connection) { serve(connection); }};
};

class Interjections : public testing::TestWithParam<Interjection> {
 protected:
  InterjectingServer server{GetParam()};
  Client client{{.apiKey = "sk_test_1",
                 .baseUrl = server.url(),
                 .transport = test::wireTransport(systemClock(), {.caFile = test::authority().caFile()})}};

  [[nodiscard]] Result<PaymentRecord> report() const {
    return client.paymentRecords().reportFailed("pr_1", {.failedAt = std::chrono::sys_seconds{}});
  }
};

TEST_P(Interjections, AreNotTakenForTheResponseToTheNextRequest) {
  ASSERT_TRUE(report());
  server.interject();
  const auto next = report();
  ASSERT_TRUE(next) << next.error();
  EXPECT_EQ(next.value().lastResponse.requestId(), "req_2") << "on a connection of its own";
  EXPECT_EQ(server.requests, 2);
}

TEST_P(Interjections, AreFollowedByOneAttemptToConnect) {
  ASSERT_TRUE(report());
  server.closes = 5;
  server.interject();
  const auto next = report();
  ASSERT_FALSE(next);
  EXPECT_EQ(next.error().kind(), ErrorKind::connection) << next.error();
  EXPECT_EQ(server.connections, 2);
}

TEST_P(Interjections, DoNotCauseTheFenceToBeAskedTwice) {
  const Client fenced{
      {.apiKey = "sk_test_1",
       .baseUrl = server.url(),
       .transport = test::wireTransport(systemClock(), {.caFile = test::authority().caFile(),
                                                        .fence = std::make_shared<CountedFence>(2)})}};
  const auto retrieve = [&fenced] { return fenced.paymentRecords().retrieve("pr_1"); };
  ASSERT_TRUE(retrieve());
  server.interject();
  const auto next = retrieve();
  ASSERT_TRUE(next) << next.error();
  EXPECT_EQ(next.value().lastResponse.requestId(), "req_2");
  const auto forbidden = retrieve();
  ASSERT_FALSE(forbidden);
  EXPECT_EQ(forbidden.error().kind(), ErrorKind::canceled);
}

INSTANTIATE_TEST_SUITE_P(All, Interjections, testing::ValuesIn(interjections),
                         [](const auto& tested) { return std::string{tested.param.name}; });

}  // namespace
}  // namespace tally

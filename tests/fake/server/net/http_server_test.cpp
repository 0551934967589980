#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <tally/fake/http_server.h>
#include <tally/tally.h>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fake/server/support/served.h"
#include "platform/sockets.h"
#include "support/no_more_threads.h"

namespace tally::test {

namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

const std::string records = "/v1/payment_records";

class HttpServerTest : public testing::Test {
 protected:
  /// The response of the in-process service, without the HTTP/1.1 headers.
  static std::string bytes(const HttpResponse& response) {
    std::string text = std::to_string(response.status) + '\n';
    for (const Header& header : response.headers)
      if (header.name != "Content-Length") text += header.name + ": " + header.value + '\n';
    return text + '\n' + response.body;
  }

  std::string overHttp(HttpRequest request) {
    request.url = served.server.url() + request.url;
    const auto clock = systemClock();
    auto result = transport->send(request, {.deadline = clock->now() + std::chrono::seconds{30}, .stop = {}});
    if (const auto* failure = std::get_if<TransportFailure>(&result)) return failure->message;
    return bytes(std::get<HttpResponse>(result));
  }

  Served served{};
  OneAccount& one = served.one;
  std::shared_ptr<Transport> transport = curlTransport(systemClock());
  Peer peer{served.server.port()};
};

TEST_F(HttpServerTest, PassesNoSocketToTheProgramsThatItsProcessStarts) {
  ASSERT_TRUE(peer.send(served.listBytes()));
  ASSERT_THAT(peer.response(), StartsWith("HTTP/1.1 200 OK\r\n"));
  int sockets = 0;
  for (int socket = 0; socket < 256; ++socket) {
    if (tally::detail::localPort(socket) != served.server.port()) continue;
    ++sockets;
    EXPECT_NE(::fcntl(socket, F_GETFD) & FD_CLOEXEC, 0) << "socket " << socket;
  }
  EXPECT_EQ(sockets, 2) << "one that listens, and one connection";
}

TEST_F(HttpServerTest, RespondsLikeTheServiceInProcess) {
  std::vector<std::string> ids;
  for (int i = 0; i < 25; ++i)
    ids.push_back(one.insert());
  fake::Service twin = one.service.fork();
  const std::string report = records + '/' + ids[3] + "/report_payment_attempt_";
  const std::vector<HttpRequest> requests{
      test::get(one.key, records + '/' + ids[0]),
      test::get(one.key, records + "/pr_missing"),
      test::get(one.key, records + "/pr_%00%20"),
      test::get(one.key, records),
      test::get(one.key, records + "?limit=3&starting_after=" + ids[9]),
      test::get(one.key, records + "?limit=0"),
      test::get(one.key, records + "/search?query=currency%3A%22usd%22&expand%5B0%5D=total_count"),
      test::get(one.key, records + "/search?query=currency%3A%22usd%22&expand[]=total_count"),
      test::get(one.key, records + "/search?query=%3F"),
      test::get("sk_test_unknown", records),
      test::get(one.key, "/v1/unheard_of"),
      test::post(one.key, report + "failed", "failed_at=1767225600&metadata[a]=b"),
      test::post(one.key, report + "canceled", "canceled_at=soon"),
      test::post(one.key, report + "guaranteed", "guaranteed_at=1767225600&metadata%5Ba%5D="),
      test::post(one.key, report + "failed", "failed_at=1767225600"),
      test::post(one.key, records + '/' + ids[0], "a=b"),
      test::post(one.key, "/v1/payment_intents", "amount=5&currency=usd")};
  for (const HttpRequest& request : requests)
    EXPECT_EQ(overHttp(request), bytes(twin.handle(request))) << request.url;
  EXPECT_EQ(one.service.requests().size(), requests.size());
}

TEST_F(HttpServerTest, ServesEveryPageOfAListToAClient) {
  for (int i = 0; i < 25; ++i)
    one.insert();
  const Client client{{.apiKey = one.key, .baseUrl = served.server.url()}};
  int listed = 0;
  for (const auto& record : client.paymentRecords().list({.limit = 10})) {
    ASSERT_TRUE(record) << record.error();
    ++listed;
  }
  EXPECT_EQ(listed, 25);
}

TEST_F(HttpServerTest, KeepsAConnectionOpenForManyRequests) {
  const std::string request = served.listBytes();
  for (int i = 0; i < 1'000; ++i) {
    ASSERT_TRUE(peer.send(request));
    ASSERT_THAT(peer.response(), StartsWith("HTTP/1.1 200 OK\r\n")) << i;
  }
  EXPECT_EQ(one.service.requests().size(), 1'000U);
}

TEST_F(HttpServerTest, RespondsToPipelinedRequestsInOrder) {
  const std::string id = one.insert();
  std::string requests;
  for (int i = 0; i < 50; ++i)
    requests += served.listBytes() + served.reportBytes(id) + getBytes(records + "/pr_none", one.key);
  ASSERT_TRUE(peer.send(requests));
  for (int i = 0; i < 50; ++i) {
    EXPECT_THAT(peer.response(), HasSubstr(R"("object":"list")"));
    EXPECT_THAT(peer.response(), HasSubstr(R"("object":"payment_record")"));
    EXPECT_THAT(peer.response(), StartsWith("HTTP/1.1 404 "));
  }
}

TEST_F(HttpServerTest, AcceptsARequestThatArrivesByteByByte) {
  const std::string id = one.insert();
  for (const char c : served.reportBytes(id))
    ASSERT_TRUE(peer.send({&c, 1}));
  EXPECT_THAT(peer.response(), StartsWith("HTTP/1.1 200 OK\r\n"));
}

TEST_F(HttpServerTest, AcceptsChunkedBodiesAndTheExpectHeader) {
  const std::string id = one.insert();
  const std::string head = "POST " + records + '/' + id +
                           "/report_payment_attempt_failed HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer " +
                           one.key + "\r\nContent-Type: application/x-www-form-urlencoded\r\n";
  ASSERT_TRUE(peer.send(head + "Transfer-Encoding: chunked\r\n\r\n7\r\nfailed_\r\n4\r\nat=1\r\n0\r\n\r\n"));
  EXPECT_THAT(peer.response(), StartsWith("HTTP/1.1 200 OK\r\n"));
  ASSERT_TRUE(peer.send(head + "Expect: 100-continue\r\nContent-Length: 11\r\n\r\n"));
  EXPECT_EQ(peer.response(), "HTTP/1.1 100 Continue\r\n\r\n");
  ASSERT_TRUE(peer.send("failed_at=1"));
  EXPECT_THAT(peer.response(), StartsWith("HTTP/1.1 200 OK\r\n"));
}

TEST_F(HttpServerTest, AcceptsAnAbsoluteUrlBasicAuthenticationAndUnknownHeaders) {
  one.insert();
  ASSERT_TRUE(peer.send(
      "GET http://localhost" + records +
      "?limit=1 HTTP/1.1\r\nHOST: localhost\r\nUser-Agent: x\r\n"
      "Authorization: Basic " +
      std::string{"c2tfdGVzdF91bmtub3duOg=="} +
      "\r\nContent-Type: application/x-www-form-urlencoded\r\nX-Stripe-Client-User-Agent: {}\r\n\r\n"));
  EXPECT_THAT(peer.response(), HasSubstr("key_unknown"));
  ASSERT_TRUE(peer.send(served.listBytes(
      "Content-Type: application/x-www-form-urlencoded\r\nX-Unheard-Of: {}\r\nContent-Length: 0\r\n")));
  const std::string response = peer.response();
  EXPECT_THAT(response, StartsWith("HTTP/1.1 200 OK\r\n"));
  EXPECT_THAT(response, HasSubstr("\r\nRequest-Id: req_"));
}

TEST_F(HttpServerTest, RefusesUnsupportedMethodsAsTheServiceDoes) {
  for (const std::string method : {"PUT", "PATCH", "DELETE", "OPTIONS"}) {
    ASSERT_TRUE(peer.send(method + served.listBytes().substr(3)));
    const std::string response = peer.response();
    EXPECT_THAT(response, StartsWith("HTTP/1.1 405 Method Not Allowed\r\n"));
    EXPECT_THAT(response, HasSubstr("There is no operation " + method + " /v1/payment_records;"));
    EXPECT_THAT(response, HasSubstr("\r\nAllow: GET, HEAD\r\n"));
    EXPECT_EQ(one.service.requests().list().back().method, method);
  }
}

TEST_F(HttpServerTest, OmitsTheBodyOfTheResponseToAHeadRequest) {
  one.insert();
  ASSERT_TRUE(peer.send(served.listBytes()));
  const std::string whole = peer.response();
  ASSERT_TRUE(peer.send("HEAD" + served.listBytes().substr(3) + served.listBytes("Connection: close\r\n")));
  const std::string both = peer.rest();
  const std::string head = both.substr(0, both.find("\r\n\r\n") + 4);
  EXPECT_THAT(head, StartsWith("HTTP/1.1 200 OK\r\n"));
  const std::string length = "Content-Length: " + std::to_string(whole.size() - whole.find("\r\n\r\n") - 4);
  EXPECT_THAT(head, HasSubstr(length + "\r\n"));
  EXPECT_THAT(both.substr(head.size()), StartsWith("HTTP/1.1 200 OK\r\n"));
  EXPECT_THAT(both, EndsWith("}"));
  EXPECT_EQ(one.service.requests().list().at(1).method, "HEAD");
}

TEST_F(HttpServerTest, OmitsTheBodyWhenItRefusesAHeadRequest) {
  ASSERT_TRUE(peer.send("HEAD" + getBytes("/v1/unheard_of", one.key, "Connection: close\r\n").substr(3)));
  const std::string response = peer.rest();
  EXPECT_THAT(response, StartsWith("HTTP/1.1 404 "));
  EXPECT_THAT(response, EndsWith("\r\n\r\n"));
}

/// `100 Continue` applies to a single body.
TEST_F(HttpServerTest, SendsAContinueResponseForEachExpectHeader) {
  const std::string id = one.insert();
  const std::string head = "POST " + records + '/' + id +
                           "/report_payment_attempt_failed HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer " +
                           one.key + "\r\nContent-Type: application/x-www-form-urlencoded\r\n";
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(peer.send(head + "Expect: 100-continue\r\nContent-Length: 11\r\n\r\n"));
    ASSERT_EQ(peer.response(), "HTTP/1.1 100 Continue\r\n\r\n") << i;
    ASSERT_TRUE(peer.send("failed_at=1"));
    ASSERT_THAT(peer.response(), StartsWith("HTTP/1.1 200 OK\r\n")) << i;
  }
}

TEST_F(HttpServerTest, IgnoresAnEmptyLineBeforeARequest) {
  const std::string request = "\r\n" + served.listBytes();
  ASSERT_TRUE(peer.send(request + request));
  for (int i = 0; i < 2; ++i)
    EXPECT_THAT(peer.response(), StartsWith("HTTP/1.1 200 OK\r\n"));
  for (const char c : request)
    ASSERT_TRUE(peer.send({&c, 1}));
  EXPECT_THAT(peer.response(), StartsWith("HTTP/1.1 200 OK\r\n"));
}

TEST_F(HttpServerTest, ClosesTheConnectionWhenAskedTo) {
  ASSERT_TRUE(peer.send(served.listBytes("Connection: close\r\n")));
  const std::string response = peer.rest();
  EXPECT_THAT(response, HasSubstr("\r\nConnection: close\r\n"));
  EXPECT_THAT(response, EndsWith("}"));
  Peer old{served.server.port()};
  ASSERT_TRUE(old.send("GET " + records + " HTTP/1.0\r\nAuthorization: Bearer " + one.key + "\r\n\r\n"));
  EXPECT_THAT(old.rest(), StartsWith("HTTP/1.1 200 OK\r\n"));
}

TEST_F(HttpServerTest, RespondsAfterAHalfClose) {
  ASSERT_TRUE(peer.send(served.listBytes()));
  peer.finish();
  EXPECT_THAT(peer.rest(), StartsWith("HTTP/1.1 200 OK\r\n"));
}

TEST_F(HttpServerTest, BreaksTheConnectionWhenAFaultRequiresIt) {
  const std::string id = one.insert();
  const auto failWith = [&](fake::Fault fault) {
    one.service.faults().inject({.fault = fault});
    Peer victim{served.server.port()};
    EXPECT_TRUE(victim.send(served.reportBytes(id)));
    EXPECT_EQ(victim.rest(), "");
    EXPECT_TRUE(victim.wasReset());
    return *one.service.objects().stateOf(one.key, id);
  };
  EXPECT_EQ(failWith(fake::Fault::connectionRefused), "unreported");
  EXPECT_EQ(failWith(fake::Fault::reset), "unreported");
  EXPECT_EQ(failWith(fake::Fault::responseLost), "failed");
  EXPECT_TRUE(one.service.faults().pending().empty());
}

TEST_F(HttpServerTest, CausesAConnectionErrorWhenItBreaksTheConnection) {
  const std::string id = one.insert();
  const Client client{{.apiKey = one.key, .baseUrl = served.server.url()}};
  one.service.faults().inject({.fault = fake::Fault::responseLost});
  const auto reported = client.paymentRecords().reportFailed(id, {.failedAt = std::chrono::sys_seconds{}});
  ASSERT_FALSE(reported);
  EXPECT_EQ(reported.error().kind(), ErrorKind::connection) << reported.error();
  EXPECT_EQ(reported.error().effect(), Effect::unknown);
}

TEST_F(HttpServerTest, CorrectsTheFramingOfInjectedResponses) {
  one.service.faults().inject(
      {.response = HttpResponse{.status = 299,
                                .headers = {{"content-length", "7000"}, {"Transfer-Encoding", "chunked"}},
                                .body = std::string{"a\0b", 3}}});
  one.service.faults().inject({.response = HttpResponse{.status = 204}});
  ASSERT_TRUE(peer.send(served.listBytes() + served.listBytes() + served.listBytes()));
  EXPECT_THAT(peer.response(), EndsWith("Content-Length: 3\r\n\r\n" + std::string{"a\0b", 3}));
  EXPECT_EQ(peer.response(), "HTTP/1.1 204 No Content\r\n\r\n");
  EXPECT_THAT(peer.response(), StartsWith("HTTP/1.1 200 OK\r\n"));
}

TEST_F(HttpServerTest, DelaysResponsesOnTheClockOfTheService) {
  const Instant before = one.service.clock()->now();
  one.service.durations().set("payment_records.list", std::chrono::hours{1});
  ASSERT_TRUE(peer.send(served.listBytes()));
  EXPECT_THAT(peer.response(), StartsWith("HTTP/1.1 200 OK\r\n"));
  EXPECT_EQ(one.service.clock()->now(), before + std::chrono::hours{1});
}

TEST_F(HttpServerTest, DoesNotAdvanceTheClockIfResponsesTakeNoTime) {
  const fake::HttpServer still{one.service, {.responsesTakeTime = false}};
  Peer other{still.port()};
  const Instant before = one.service.clock()->now();
  one.service.durations().set("payment_records.list", std::chrono::hours{1});
  ASSERT_TRUE(other.send(served.listBytes()));
  EXPECT_THAT(other.response(), StartsWith("HTTP/1.1 200 OK\r\n"));
  EXPECT_EQ(one.service.clock()->now(), before);
}

TEST_F(HttpServerTest, AdvancesTheClockByTheLatencyOfAFaultIfConfiguredTo) {
  const fake::HttpServer onItsClock{one.service, {.latencyTakesRealTime = false}};
  Peer other{onItsClock.port()};
  const Instant before = one.service.clock()->now();
  one.service.durations().set("payment_records.list", std::chrono::seconds{1});
  one.service.faults().inject(
      {.latency = std::chrono::hours{1}, .chunks = 2, .pause = std::chrono::hours{1}});
  ASSERT_TRUE(other.send(served.listBytes()));
  EXPECT_THAT(other.response(), StartsWith("HTTP/1.1 200 OK\r\n"));
  EXPECT_EQ(one.service.clock()->now(), before + std::chrono::hours{2} + std::chrono::seconds{1});
}

/// A fault that lasts longer than the timeout of the client, on a clock that stands still.
class SlowFault : public HttpServerTest {
 protected:
  const std::chrono::hours longer{1};

  /// The client of another process, whose timeout is real.
  [[nodiscard]] Result<PaymentRecord> report(const fake::HttpServer& server, const std::string& id) const {
    const Client client{{.apiKey = one.key, .baseUrl = server.url()}};
    return client.paymentRecords().reportFailed(
        id, {.failedAt = std::chrono::sys_seconds{}},
        {.timeout = std::chrono::milliseconds{100}, .maxNetworkRetries = 0});
  }

  void expectTimeout(const fake::HttpServer& server) {
    const std::string id = one.insert();
    const Instant before = one.service.clock()->now();
    const auto reported = report(server, id);
    ASSERT_FALSE(reported);
    EXPECT_EQ(reported.error().kind(), ErrorKind::timeout) << reported.error();
    EXPECT_EQ(reported.error().effect(), Effect::unknown);
    EXPECT_TRUE(comesTrue([&] { return one.service.objects().stateOf(one.key, id) == "failed"; }));
    EXPECT_TRUE(one.service.faults().pending().empty());
    EXPECT_LT(one.service.clock()->now(), before + longer);
  }
};

TEST_F(SlowFault, CausesAClientTimeout) {
  one.service.faults().inject({.latency = longer});
  expectTimeout(served.server);
  one.service.faults().inject({.fault = fake::Fault::responseLost, .latency = longer});
  expectTimeout(served.server);
  one.service.faults().inject({.chunks = 2, .pause = longer});
  expectTimeout(served.server);
}

TEST_F(SlowFault, CausesAClientTimeoutWhileTheTestControlsTheClock) {
  const fake::HttpServer still{one.service, {.responsesTakeTime = false}};
  one.service.faults().inject({.latency = longer});
  expectTimeout(still);
  one.service.clock()->freeze();
  one.service.faults().inject({.latency = longer});
  expectTimeout(served.server);
  one.service.faults().inject({.chunks = 2, .pause = longer});
  expectTimeout(served.server);
  one.service.clock()->run();
  one.service.faults().inject({.latency = longer});
  expectTimeout(served.server);
}

TEST_F(SlowFault, DelaysTheResponseInRealTimeAndThenMovesTheClock) {
  using std::chrono::milliseconds;
  one.service.faults().inject({.latency = milliseconds{30}, .chunks = 3, .pause = milliseconds{15}});
  one.service.durations().set("payment_records.list", std::chrono::hours{1});
  const Instant before = one.service.clock()->now();
  const auto begin = std::chrono::steady_clock::now();
  ASSERT_TRUE(peer.send(served.listBytes()));
  EXPECT_THAT(peer.response(), EndsWith("}"));
  EXPECT_GE(std::chrono::steady_clock::now() - begin, milliseconds{60});
  EXPECT_EQ(one.service.clock()->now(), before + std::chrono::hours{1} + milliseconds{60});
}

TEST_F(SlowFault, DoesNotOccupyAThread) {
  const fake::HttpServer still{one.service, {.responsesTakeTime = false}};
  Peer other{still.port()};
  one.service.faults().inject(
      {.latency = std::chrono::milliseconds{1}, .chunks = 2, .pause = std::chrono::milliseconds{1}});
  const NoMoreThreads noMore;
  ASSERT_TRUE(other.send(served.listBytes()));
  EXPECT_THAT(other.response(), EndsWith("}"));
}

TEST_F(SlowFault, EndsAsSoonAsTheServerStopsIfItOutlastsTheDrainTime) {
  fake::HttpServer draining{one.service, {.drain = longer / 2}};
  Peer waiting{draining.port()};
  Peer reading{draining.port()};
  one.service.faults().inject({.latency = longer});
  ASSERT_TRUE(waiting.send(served.listBytes()));
  EXPECT_TRUE(comesTrue([&] { return one.service.faults().pending().empty(); }));
  one.service.faults().inject({.chunks = 2, .pause = longer});
  ASSERT_TRUE(reading.send(served.listBytes()));
  EXPECT_THAT(reading.until("object"), StartsWith("HTTP/1.1 200 OK\r\n"));
  draining.stop();
  EXPECT_EQ(waiting.rest(), "");
}

TEST_F(HttpServerTest, DelaysResponsesInRealTimeOnARunningClock) {
  using std::chrono::milliseconds;
  const std::string id = one.insert();
  one.service.clock()->run();
  one.service.durations().set("payment_records.list", milliseconds{30});
  const auto took = [&](const std::string& request) {
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_TRUE(peer.send(request));
    EXPECT_THAT(peer.response(), StartsWith("HTTP/1.1 200 OK\r\n"));
    return std::chrono::steady_clock::now() - begin;
  };
  EXPECT_GE(took(served.listBytes()), milliseconds{30});
  const Instant locked = one.service.clock()->now();
  const fake::Hold lock = one.service.holds().lockObject(one.key, id, milliseconds{30});
  (void)took(served.reportBytes(id));
  EXPECT_GE(one.service.clock()->now(), locked + milliseconds{30});
}

/// The I/O thread does not wait for locks.
TEST_F(HttpServerTest, ServesOtherRequestsWhileOneWaitsForALock) {
  const std::string id = one.insert();
  fake::Hold lock = one.service.holds().lockObject(one.key, id);
  one.service.clock()->freeze();
  ASSERT_TRUE(peer.send(served.reportBytes(id)));
  one.service.clock()->waitForSleepers(1);
  Peer other{served.server.port()};
  ASSERT_TRUE(other.send(served.listBytes()));
  EXPECT_THAT(other.response(), StartsWith("HTTP/1.1 200 OK\r\n"));
  lock.release();
  EXPECT_THAT(peer.response(), StartsWith("HTTP/1.1 200 OK\r\n"));
}

TEST_F(HttpServerTest, ServesManyClientsInSeveralThreads) {
  fake::HttpServer wide{one.service, {.threads = 3}};
  const std::string id = one.insert();
  std::vector<std::jthread> threads;
  std::atomic<int> right = 0;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&] {
      const Client client{{.apiKey = one.key, .baseUrl = wide.url()}};
      for (int call = 0; call < 50; ++call)
        if (client.paymentRecords().retrieve(id)) ++right;
    });
  threads.clear();
  EXPECT_EQ(right, 400);
}

TEST_F(HttpServerTest, ExplainsWhyItCannotListen) {
  const auto refusal = [&](const fake::HttpServerOptions& options) {
    try {
      const fake::HttpServer server{one.service, options};
    } catch (const std::system_error& error) {
      return std::string{error.what()};
    }
    return std::string{"listens"};
  };
  const std::uint16_t taken = served.server.port();
  EXPECT_THAT(refusal({.port = taken}),
              StartsWith("can't listen on 127.0.0.1 port " + std::to_string(taken)));
  EXPECT_THAT(refusal({.address = "nowhere"}), StartsWith("can't listen on nowhere port 0"));
}

TEST_F(HttpServerTest, ReturnsItsUrl) {
  EXPECT_EQ(served.server.url(), "http://127.0.0.1:" + std::to_string(served.server.port()));
  EXPECT_NE(served.server.port(), 0);
}

}  // namespace

}  // namespace tally::test

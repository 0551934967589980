#include "record/recorder.h"

#include <csignal>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include "certificates.h"
#include "fake/server/support/peer.h"
#include "fake/server/support/recorded.h"
#include "fake/server/support/served.h"
#include "sockets.h"
#include "text/find_header.h"

namespace tally::fake::detail {

namespace {

using tally::detail::Exchange;
using tally::detail::findHeader;
using test::getBytes;
using test::Peer;
using test::postBytes;
using test::RunningRecorder;
using test::ScriptedServer;
using test::Served;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;

constexpr const char* payouts = "/v1/payouts";
constexpr const char* clientKey = "sk_test_secret";

Reply anyPayout(const Incoming& /*incoming*/) {
  return responseWith("application/json", R"({"id":"po_1"})");
}

FaultRule faulty(fake::Fault fault) {
  return {.fault = fault};
}

auto withFault(FaultRule rule) {
  return [rule = std::move(rule)](RecorderOptions& options) { options.faults.push_back(rule); };
}

TEST(Recorder, ForwardsRequestsAndResponses) {
  ScriptedServer upstream{[](const Incoming&) {
    HttpResponse response = responseWith("application/json", R"({"id":"po_1"})", 402);
    response.headers.push_back({"Request-Id", "req_1"});
    response.headers.push_back({"Keep-Alive", "timeout=5"});
    return Reply{response};
  }};
  RunningRecorder recorder{upstream.url() + "/base/"};
  Peer peer{recorder.port()};
  peer.send(
      "POST /v1/payouts?a=%20b HTTP/1.1\r\nHost: here\r\nAuthorization: Bearer sk_test_secret\r\nX-A: "
      "1\r\nX-A: 2\r\n"
      "Connection: keep-alive, X-Hop\r\nX-Hop: 1\r\nAccept-Encoding: gzip\r\nTE: trailers\r\n"
      "Transfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n0\r\n\r\n");
  const std::string response = peer.response();
  EXPECT_THAT(response, StartsWith("HTTP/1.1 402 "));
  EXPECT_THAT(response, HasSubstr("Request-Id: req_1\r\n"));
  EXPECT_THAT(response, Not(HasSubstr("Keep-Alive")));
  EXPECT_THAT(response, testing::EndsWith("\r\n\r\n{\"id\":\"po_1\"}"));

  ASSERT_THAT(upstream.received(), SizeIs(1));
  const HttpRequest received = upstream.received()[0].request;
  EXPECT_EQ(received.method, Method::post);
  EXPECT_EQ(received.url, "/base/v1/payouts?a=%20b");
  EXPECT_EQ(received.body, "abcde");
  std::string names;
  for (const Header& header : received.headers)
    names += header.name + '=' + header.value + ' ';
  EXPECT_EQ(names, "Host=127.0.0.1:" + std::to_string(upstream.port()) +
                       " Authorization=Bearer sk_test_secret X-A=1 X-A=2 Content-Length=5 ");
}

TEST(Recorder, RecordsExchangesWithoutSecrets) {
  ScriptedServer upstream{[](const Incoming& incoming) {
    return responseWith("application/json",
                        R"({"echo":")" + incoming.request.body + R"(","description":"mine-alone"})");
  }};
  RunningRecorder recorder{upstream.url(),
                           [](RecorderOptions& options) { options.redact = {"description"}; }};
  Peer peer{recorder.port()};
  peer.send(postBytes(payouts, clientKey,
                      "amount=5&card[number]=4242424242424242&description=mine-alone&note=sk_test_secret"));
  EXPECT_THAT(peer.response(), HasSubstr("4242424242424242")) << "the client receives everything";
  const auto exchanges = recorder.exchanges();
  ASSERT_THAT(exchanges, SizeIs(1));
  EXPECT_EQ(exchanges[0].method, "POST");
  EXPECT_EQ(exchanges[0].url, upstream.url() + payouts);
  EXPECT_EQ(*findHeader(exchanges[0].requestHeaders, "Authorization"), "Bearer sk_test_recorded1");
  EXPECT_EQ(exchanges[0].status, 200);
  EXPECT_GT(exchanges[0].startedAt.time_since_epoch(), std::chrono::hours{24 * 365 * 50});
  std::ostringstream text;
  text << std::ifstream{recorder.file()}.rdbuf();
  EXPECT_THAT(text.str(), Not(HasSubstr("42424242")));  // a time or port may have 4242
  EXPECT_THAT(text.str(), Not(HasSubstr("alone")));
  EXPECT_THAT(text.str(), Not(HasSubstr("sk_test_secret")));
  EXPECT_THAT(text.str(), HasSubstr(R"("_redacted":["description"])"));
}

TEST(Recorder, ForwardsResponsesOfTheFakeUnchanged) {
  Served served;
  served.one.insert();
  RunningRecorder recorder{served.server.url()};
  Peer direct{served.server.port()};
  Peer through{recorder.port()};
  direct.send(getBytes("/v1/payment_records", served.one.key));
  through.send(getBytes("/v1/payment_records", served.one.key));
  const auto bodyIn = [](const std::string& response) { return response.substr(response.find("\r\n\r\n")); };
  EXPECT_EQ(bodyIn(through.response()), bodyIn(direct.response()));
}

TEST(Recorder, ForwardsEveryMethod) {
  ScriptedServer upstream{anyPayout};
  RunningRecorder recorder{upstream.url()};
  for (const std::string method : {"HEAD", "DELETE", "PUT", "OPTIONS"}) {
    Peer peer{recorder.port()};
    peer.send(method + " /v1/payouts HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    EXPECT_THAT(peer.rest(), StartsWith("HTTP/1.1 200 ")) << method;
    EXPECT_EQ(upstream.received().back().otherMethod, method);
    EXPECT_EQ(recorder.exchanges().back().method, method);
  }
}

TEST(Recorder, ForwardsTheContentLengthOfAResponseToAHeadRequest) {
  ScriptedServer upstream{anyPayout};
  RunningRecorder recorder{upstream.url()};
  Peer peer{recorder.port()};
  peer.send("HEAD /v1/payouts HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
  const std::string response = peer.rest();
  EXPECT_THAT(response, HasSubstr("\r\nContent-Length: 13\r\n"));
  EXPECT_THAT(response, EndsWith("\r\n\r\n"));
  const std::vector<Exchange> exchanges = recorder.exchanges();
  const std::string* const recorded = findHeader(exchanges.back().responseHeaders, "Content-Length");
  ASSERT_NE(recorded, nullptr);
  EXPECT_EQ(*recorded, "13");
}

TEST(Recorder, ForwardsTheContentLengthOfANotModifiedResponse) {
  ScriptedServer upstream{[](const Incoming& /*incoming*/) {
    return Reply{HttpResponse{.status = 304, .headers = {{"Content-Length", "13"}}}};
  }};
  RunningRecorder recorder{upstream.url()};
  Peer peer{recorder.port()};
  peer.send("GET /v1/payouts HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
  const std::string response = peer.rest();
  EXPECT_THAT(response, StartsWith("HTTP/1.1 304 "));
  EXPECT_THAT(response, HasSubstr("\r\nContent-Length: 13\r\n"));
  EXPECT_THAT(response, EndsWith("\r\n\r\n"));
}

TEST(Recorder, ReusesTheConnectionToTheUpstream) {
  ScriptedServer upstream{anyPayout};
  RunningRecorder recorder{upstream.url()};
  for (int i = 0; i < 3; ++i) {
    Peer peer{recorder.port()};
    for (int sent = 0; sent < 5; ++sent) {
      peer.send(getBytes(payouts, clientKey));
      EXPECT_THAT(peer.response(), HasSubstr("po_1"));
    }
  }
  EXPECT_EQ(upstream.connections(), 1U);
  EXPECT_THAT(recorder.exchanges(), SizeIs(15));
}

TEST(Recorder, ReconnectsWhenTheUpstreamHasClosedTheConnection) {
  auto upstream = std::make_unique<ScriptedServer>(anyPayout);
  const std::uint16_t port = upstream->port();
  RunningRecorder recorder{upstream->url()};
  Peer peer{recorder.port()};
  peer.send(getBytes(payouts, clientKey));
  EXPECT_THAT(peer.response(), HasSubstr("po_1"));
  upstream.reset();
  upstream = std::make_unique<ScriptedServer>(anyPayout, HttpServerOptions{.port = port});
  peer.send(postBytes(payouts, clientKey, "amount=5"));
  EXPECT_THAT(peer.response(), HasSubstr("po_1"));
}

TEST(Recorder, RepeatsAReadIfTheUpstreamClosesTheConnectionAtThatMoment) {
  for (const std::string method : {"GET", "HEAD"}) {
    std::atomic<int> received = 0;
    ScriptedServer upstream{[&](const Incoming& incoming) {
      if (++received != 2) return anyPayout(incoming);
      return Reply{ScheduledResult{.result = TransportFailure{.kind = TransportFailure::Kind::connection}}};
    }};
    RunningRecorder recorder{upstream.url()};
    for (int sent = 0; sent < 2; ++sent) {
      Peer peer{recorder.port()};
      peer.send(method + ' ' + payouts + " HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n");
      EXPECT_THAT(peer.rest(), StartsWith("HTTP/1.1 200 ")) << method;
    }
    EXPECT_EQ(received, 3) << method;
  }
}

TEST(Recorder, ServesManyClientsInSeveralThreads) {
  ScriptedServer upstream{
      [](const Incoming& incoming) { return responseWith("text/plain", incoming.request.url); }};
  RunningRecorder recorder{upstream.url(), {}, 2};
  constexpr int clients = 6;
  constexpr int requests = 40;
  std::vector<std::thread> threads;
  for (int client = 0; client < clients; ++client)
    threads.emplace_back([&, client] {
      Peer peer{recorder.port()};
      for (int i = 0; i < requests; ++i) {
        const std::string target = "/" + std::to_string(client) + "/" + std::to_string(i);
        peer.send(getBytes(target, clientKey));
        EXPECT_THAT(peer.response(), testing::EndsWith("\r\n\r\n" + target));
      }
    });
  for (std::thread& thread : threads)
    thread.join();
  const auto exchanges = recorder.exchanges();
  EXPECT_THAT(exchanges, SizeIs(clients * requests));
  for (const Exchange& exchange : exchanges)
    EXPECT_EQ(exchange.url, upstream.url() + exchange.responseBody);
}

TEST(Recorder, RecordsARequestWhoseClientHasDisconnected) {
  std::atomic<bool> arrived = false;
  Served served;
  const std::string id = served.one.insert();
  ScriptedServer upstream{[&](const Incoming&) {
    arrived = true;
    Reply reply = responseWith("text/plain", "late");
    reply.delay = std::chrono::milliseconds{300};
    return reply;
  }};
  RunningRecorder recorder{upstream.url()};
  {
    const Peer peer{recorder.port()};
    peer.send(getBytes(payouts, clientKey));
    ASSERT_TRUE(test::comesTrue([&] { return arrived.load(); }));
  }
  ASSERT_TRUE(test::comesTrue([&] { return recorder.recorder().count() == 1; }));
  EXPECT_EQ(recorder.exchanges()[0].responseBody, "late");
}

TEST(Recorder, ReportsThatTheUpstreamCannotBeReached) {
  std::string url;
  {
    const ScriptedServer gone{anyPayout};
    url = gone.url();
  }
  RunningRecorder recorder{url};
  Peer peer{recorder.port()};
  peer.send(getBytes(payouts, clientKey));
  const std::string response = peer.response();
  EXPECT_THAT(response, StartsWith("HTTP/1.1 502 "));
  EXPECT_THAT(response, HasSubstr(R"("message":"tally-fake record: can't connect to 127.0.0.1:)"));
  const auto exchanges = recorder.exchanges();
  ASSERT_THAT(exchanges, SizeIs(1));
  EXPECT_EQ(exchanges[0].status, 0);
  EXPECT_THAT(exchanges[0].failure, HasSubstr("Connection refused"));
  EXPECT_EQ(exchanges[0].fault, "");
}

TEST(Recorder, ReportsABrokenUpstreamConnection) {
  ScriptedServer upstream{[](const Incoming&) {
    return Reply{ScheduledResult{.result = TransportFailure{.kind = TransportFailure::Kind::connection}}};
  }};
  RunningRecorder recorder{upstream.url()};
  Peer peer{recorder.port()};
  peer.send(postBytes(payouts, clientKey, "amount=5"));
  EXPECT_THAT(peer.response(), HasSubstr("broke before the response"));
  EXPECT_THAT(upstream.received(), SizeIs(1)) << "a POST is not sent twice";
}

/// What the recorder responds if an upstream sends these bytes, and closes the connection.
std::string responseTo(std::string_view bytes) {
  const test::MisbehavingServer upstream{[bytes](int connection) {
    test::receiveRequest(connection);
    (void)test::sendAll(connection, bytes);
    close(connection);
  }};
  RunningRecorder recorder{upstream.url()};
  Peer peer{recorder.port()};
  peer.send(getBytes(payouts, clientKey));
  return peer.response();
}

TEST(Recorder, ReportsAResponseThatIsNotHttp) {
  const std::string response = responseTo("SSH-2.0-OpenSSH\r\n");
  EXPECT_THAT(response, StartsWith("HTTP/1.1 502 "));
  EXPECT_THAT(response, HasSubstr(" is not HTTP/1.1: bad version"));
}

TEST(Recorder, ReportsAResponseThatBreaksOff) {
  for (const std::string_view bytes :
       {"HTTP/1.1 200 OK\r\nContent-", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab"}) {
    const std::string response = responseTo(bytes);
    EXPECT_THAT(response, StartsWith("HTTP/1.1 502 "));
    EXPECT_THAT(response, HasSubstr(" broke during the response"));
  }
}

TEST(Recorder, ForwardsAResponseThatEndsWithItsConnection) {
  const std::string response = responseTo("HTTP/1.1 200 OK\r\n\r\nabc");
  EXPECT_THAT(response, StartsWith("HTTP/1.1 200 "));
  EXPECT_THAT(response, EndsWith("\r\n\r\nabc"));
}

TEST(Recorder, ForwardsARefusalThatArrivesBeforeTheRequestIsSent) {
  const test::MisbehavingServer upstream{[](int connection) {
    char first = '\0';
    (void)recv(connection, &first, 1, 0);
    (void)test::sendAll(connection, "HTTP/1.1 413 Content Too Large\r\nContent-Length: 2\r\n\r\n{}");
    close(connection);  // a reset, as the rest of the request is unread
  }};
  RunningRecorder recorder{upstream.url()};
  Peer peer{recorder.port()};
  peer.send(postBytes(payouts, clientKey, std::string(std::size_t{16} * 1'024 * 1'024, 'x')));
  EXPECT_THAT(peer.response(), StartsWith("HTTP/1.1 413 "));
  EXPECT_EQ(recorder.exchanges()[0].status, 413);
}

TEST(Recorder, ReportsAResponseThatIsTooLarge) {
  const auto repeated = [](const std::string& begin, std::string_view piece) {
    std::string text = begin;
    while (text.size() < 300'000)
      text += piece;
    return text;
  };
  for (const std::string& bytes :
       {repeated("HTTP/1.1 200 OK\r\n", "X-Name: value\r\n"),
        repeated("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;", "name"),
        repeated("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n", "X-Name: value\r\n")})
    EXPECT_THAT(responseTo(bytes), HasSubstr(" has more than 256 KiB of headers"));
  EXPECT_THAT(responseTo("HTTP/1.1 200 OK\r\nContent-Length: 268435457\r\n\r\n"),
              HasSubstr("the body of the response from 127.0.0.1:"));
}

TEST(Recorder, ReportsEachUpstreamTimeout) {
  ScriptedServer upstream{[](const Incoming&) {
    Reply reply = responseWith("text/plain", "late");
    reply.delay = std::chrono::hours{1};
    return reply;
  }};
  RunningRecorder recorder{upstream.url(), [](RecorderOptions& options) {
                             options.upstream.timeout = std::chrono::milliseconds{1};
                           }};
  Peer peer{recorder.port()};
  for (int request = 0; request < 2; ++request) {
    peer.send(getBytes(payouts, clientKey));
    EXPECT_THAT(peer.response(), HasSubstr("in time")) << request;
    EXPECT_EQ(recorder.exchanges().back().status, 0);
  }
}

TEST(Recorder, ForwardsAResponseThatArrivesInParts) {
  Served served;
  served.one.insert();
  // The fake sends this body in chunks.
  FaultRule slow{.chunks = 3};
  served.one.service.faults().inject(slow);
  RunningRecorder recorder{served.server.url()};
  Peer peer{recorder.port()};
  peer.send("GET /v1/payment_records HTTP/1.0\r\nAuthorization: Bearer " + served.one.key + "\r\n\r\n");
  EXPECT_THAT(peer.rest(), HasSubstr(R"("object":"list")"));
}

TEST(Recorder, RefusesToServeIfItCannotRecord) {
  std::signal(SIGXFSZ, SIG_IGN);
  ScriptedServer upstream{anyPayout};
  RunningRecorder recorder{upstream.url()};
  Peer peer{recorder.port()};
  peer.send(getBytes(payouts, clientKey));
  EXPECT_THAT(peer.response(), StartsWith("HTTP/1.1 200 "));
  rlimit unlimited{};
  getrlimit(RLIMIT_FSIZE, &unlimited);
  const rlimit full{1, unlimited.rlim_max};
  setrlimit(RLIMIT_FSIZE, &full);
  peer.send(getBytes(payouts, clientKey));
  const std::string response = peer.response();
  setrlimit(RLIMIT_FSIZE, &unlimited);
  EXPECT_THAT(response, StartsWith("HTTP/1.1 503 "));
  EXPECT_THAT(response, HasSubstr("can't write " + recorder.file() + ": File too large"));
  EXPECT_EQ(recorder.problems, 1);
  peer.send(getBytes(payouts, clientKey));
  EXPECT_THAT(peer.response(), StartsWith("HTTP/1.1 503 "));
  EXPECT_THAT(upstream.received(), SizeIs(2)) << "later requests are not forwarded";
  EXPECT_THAT(recorder.exchanges(), SizeIs(1));
}

class RecorderOverTls : public testing::Test {
 protected:
  [[nodiscard]] static auto trusting(const std::string& file) {
    return [file](RecorderOptions& options) { options.upstream.trust = loadTrust(file); };
  }
  [[nodiscard]] std::string responseThrough(const std::string& url, const std::string& authorities) const {
    RunningRecorder recorder{url, trusting(authorities)};
    Peer peer{recorder.port()};
    peer.send(getBytes(payouts, clientKey));
    return peer.response();
  }

  test::Authority authority{};
  test::Identity identity = authority.issue();
  test::TemporaryFolder folder{};
  ScriptedServer upstream{anyPayout,
                          {.tlsCertificate = folder.write("cert.pem", identity.certificate),
                           .tlsKey = folder.write("key.pem", identity.key)}};
};

TEST_F(RecorderOverTls, AcceptsATrustedUpstreamByAddressAndName) {
  EXPECT_THAT(responseThrough(upstream.url(), authority.caFile()), HasSubstr("po_1"));
  const std::string byName = "https://localhost:" + std::to_string(upstream.port());
  EXPECT_THAT(responseThrough(byName, authority.caFile()), HasSubstr("po_1"));
}

TEST_F(RecorderOverTls, RefusesAnUpstreamThatItDoesNotTrust) {
  EXPECT_THAT(responseThrough(upstream.url(), test::Authority{}.caFile()),
              testing::AllOf(StartsWith("HTTP/1.1 502 "), HasSubstr("the TLS handshake with 127.0.0.1:")));
  EXPECT_THAT(responseThrough(upstream.url(), ""), HasSubstr("certificate")) << "the system's authorities";
  EXPECT_THAT(upstream.received(), IsEmpty());
}

TEST_F(RecorderOverTls, RefusesACertificateForAnotherHostName) {
  const test::Identity other = authority.issue({.names = "DNS:other.test"});
  ScriptedServer wrong{anyPayout,
                       {.tlsCertificate = folder.write("other.pem", other.certificate),
                        .tlsKey = folder.write("other_key.pem", other.key)}};
  EXPECT_THAT(responseThrough(wrong.url(), authority.caFile()), HasSubstr("IP address mismatch"));
  EXPECT_THAT(responseThrough("https://localhost:" + std::to_string(wrong.port()), authority.caFile()),
              HasSubstr("ostname mismatch"));
}

TEST(RecorderFault, DropsTheResponseOfTheUpstream) {
  Served served;
  const std::string id = served.one.insert();
  RunningRecorder recorder{served.server.url(), withFault({.operation = "payment_records.report_failed",
                                                           .object = id,
                                                           .fault = fake::Fault::responseLost})};
  Peer peer{recorder.port()};
  peer.send(served.reportBytes(id));
  EXPECT_EQ(peer.response(), "");
  EXPECT_TRUE(peer.wasReset());
  EXPECT_EQ(served.one.service.objects().stateOf(served.one.key, id), "failed") << "it was processed";
  const auto exchanges = recorder.exchanges();
  ASSERT_THAT(exchanges, SizeIs(1));
  EXPECT_EQ(exchanges[0].status, 0);
  EXPECT_EQ(exchanges[0].fault, "response_lost");
  ASSERT_TRUE(exchanges[0].upstream);
  EXPECT_EQ(exchanges[0].upstream->status, 200);
  EXPECT_THAT(exchanges[0].upstream->body, HasSubstr(id));
  Peer again{recorder.port()};
  again.send(served.reportBytes(id));
  EXPECT_THAT(again.response(), StartsWith("HTTP/1.1 200 ")) << "once";
}

TEST(RecorderFault, BreaksTheConnectionBeforeForwardingTheRequest) {
  ScriptedServer upstream{anyPayout};
  RunningRecorder recorder{upstream.url(), withFault(faulty(fake::Fault::reset))};
  Peer peer{recorder.port()};
  peer.send(getBytes(payouts, clientKey));
  EXPECT_EQ(peer.response(), "");
  EXPECT_TRUE(peer.wasReset());
  EXPECT_THAT(upstream.received(), IsEmpty());
  EXPECT_EQ(recorder.exchanges()[0].fault, "reset");
  EXPECT_EQ(recorder.exchanges()[0].failure, "injected fault: reset");
  EXPECT_EQ(recorder.exchanges()[0].upstream, std::nullopt);
}

TEST(RecorderFault, RespondsWithAnErrorInsteadOfForwardingTheRequest) {
  ScriptedServer upstream{anyPayout};
  RunningRecorder recorder{upstream.url(),
                           withFault({.error = "rate_limit", .headers = {{"Retry-After", "1"}}})};
  Peer peer{recorder.port()};
  peer.send(getBytes(payouts, clientKey));
  const std::string response = peer.response();
  EXPECT_THAT(response, StartsWith("HTTP/1.1 429 "));
  EXPECT_THAT(response, HasSubstr("Service-Rate-Limited-Reason: global-rate\r\n"));
  EXPECT_THAT(response, HasSubstr("Retry-After: 1\r\n"));
  EXPECT_THAT(upstream.received(), IsEmpty());
  EXPECT_EQ(recorder.exchanges()[0].status, 429);
  EXPECT_EQ(recorder.exchanges()[0].fault, "rate_limit");
}

TEST(RecorderFault, RespondsWithTheResponseOfTheRule) {
  ScriptedServer upstream{anyPayout};
  RunningRecorder recorder{upstream.url(),
                           withFault({.response = HttpResponse{.status = 418, .body = "tea"}})};
  Peer peer{recorder.port()};
  peer.send(getBytes(payouts, clientKey));
  const std::string response = peer.response();
  EXPECT_THAT(response, StartsWith("HTTP/1.1 418 "));
  EXPECT_THAT(response, EndsWith("\r\n\r\ntea"));
  EXPECT_THAT(upstream.received(), IsEmpty());
  EXPECT_EQ(recorder.exchanges()[0].status, 418);
  EXPECT_EQ(recorder.exchanges()[0].fault, "response");
}

TEST(RecorderFault, ChangesTheResponse) {
  struct Case {
    fake::Fault fault;
    const char* name;
    int status;
  };
  for (const auto& [fault, name, status] :
       {Case{fake::Fault::truncatedBody, "truncated_body", 200},
        Case{fake::Fault::garbledBody, "garbled_body", 200}, Case{fake::Fault::emptyPage, "empty_page", 200},
        Case{fake::Fault::errorAfterProcessing, "error_after_processing", 500}}) {
    ScriptedServer upstream{anyPayout};
    RunningRecorder recorder{upstream.url(), withFault(faulty(fault))};
    Peer peer{recorder.port()};
    peer.send(getBytes(payouts, clientKey));
    EXPECT_THAT(peer.response(), Not(HasSubstr("po_1"))) << name;
    EXPECT_THAT(upstream.received(), SizeIs(1));
    const Exchange exchange = recorder.exchanges()[0];
    EXPECT_EQ(exchange.fault, name);
    EXPECT_EQ(exchange.status, status);
    EXPECT_NE(exchange.responseBody, R"({"id":"po_1"})");
    ASSERT_TRUE(exchange.upstream);
    EXPECT_EQ(exchange.upstream->body, R"({"id":"po_1"})");
  }
}

TEST(RecorderFault, DelaysTheResponse) {
  ScriptedServer upstream{anyPayout};
  RunningRecorder recorder{upstream.url(), withFault({.latency = std::chrono::milliseconds{30}})};
  Peer peer{recorder.port()};
  const auto before = std::chrono::steady_clock::now();
  peer.send(getBytes(payouts, clientKey));
  EXPECT_THAT(peer.response(), HasSubstr("po_1"));
  EXPECT_GE(std::chrono::steady_clock::now() - before, std::chrono::milliseconds{30});
  EXPECT_EQ(recorder.exchanges()[0].fault, "latency");
}

TEST(RecorderFault, PausesWithinTheResponse) {
  ScriptedServer upstream{anyPayout};
  RunningRecorder recorder{upstream.url(), withFault({.chunks = 2, .pause = std::chrono::milliseconds{30}})};
  Peer peer{recorder.port()};
  const auto before = std::chrono::steady_clock::now();
  peer.send(getBytes(payouts, clientKey));
  EXPECT_THAT(peer.response(), HasSubstr("po_1"));
  EXPECT_GE(std::chrono::steady_clock::now() - before, std::chrono::milliseconds{30});
}

std::string sent(const RunningRecorder& recorder, const std::string& method, const std::string& target,
                 const std::string& body = "") {
  Peer peer{recorder.port()};
  peer.send(method + ' ' + target + " HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: " +
            std::to_string(body.size()) + "\r\nConnection: close\r\n\r\n" + body);
  return peer.rest();
}

TEST(RecorderFault, IsInjectedAndRemovedOverHttp) {
  ScriptedServer upstream{anyPayout};
  RunningRecorder recorder{upstream.url()};
  EXPECT_THAT(sent(recorder, "POST", "/_fake/faults", R"({"fault":"response_lost","times":3})"),
              HasSubstr(R"({"id":1})"));
  EXPECT_THAT(sent(recorder, "GET", "/_fake/faults"), HasSubstr("response_lost"));
  EXPECT_THAT(sent(recorder, "GET", payouts), IsEmpty());
  EXPECT_THAT(sent(recorder, "DELETE", "/_fake/faults/1"), StartsWith("HTTP/1.1 200 "));
  EXPECT_THAT(sent(recorder, "DELETE", "/_fake/faults/1"), HasSubstr("unknown fault '1'"));
  EXPECT_THAT(sent(recorder, "GET", payouts), HasSubstr("po_1"));
  EXPECT_THAT(sent(recorder, "POST", "/_fake/faults", R"({"error":"api_error"})"), HasSubstr(R"({"id":2})"));
  EXPECT_THAT(sent(recorder, "DELETE", "/_fake/faults"), StartsWith("HTTP/1.1 200 "));
  EXPECT_THAT(sent(recorder, "GET", payouts), HasSubstr("po_1"));
  EXPECT_THAT(recorder.exchanges(), SizeIs(3)) << "the control requests are not recorded";
}

TEST(RecorderFault, IsRefusedIfInvalidOrFromAForeignHost) {
  ScriptedServer upstream{anyPayout};
  RunningRecorder recorder{upstream.url()};
  EXPECT_THAT(sent(recorder, "POST", "/_fake/faults", R"({"fault":"response_list"})"),
              StartsWith("HTTP/1.1 400 "));
  EXPECT_THAT(sent(recorder, "POST", "/_fake/faults", "{"), StartsWith("HTTP/1.1 400 "));
  EXPECT_THAT(sent(recorder, "GET", "/_fake/limits"), HasSubstr("a recorder has only"));
  Peer peer{recorder.port()};
  peer.send("GET /_fake/faults HTTP/1.1\r\nHost: evil.test\r\nConnection: close\r\n\r\n");
  EXPECT_THAT(peer.rest(), HasSubstr("evil.test")) << "a web site must not control it";
  EXPECT_THAT(upstream.received(), IsEmpty());
}

}  // namespace

}  // namespace tally::fake::detail

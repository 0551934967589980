#include <deque>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fake/server/support/served.h"

namespace tally::test {

namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

using std::chrono::milliseconds;

/// Long enough that a slow machine does not fail tests that are not about time.
constexpr milliseconds patient{60'000};

fake::HttpServerOptions strict() {
  return {.headerLimit = 4'096, .bodyLimit = 10'000, .requestTimeout = patient, .idleTimeout = patient};
}

class HostilePeers : public testing::Test {
 protected:
  /// The response to these bytes, if the sender then keeps the connection open.
  std::string responseTo(std::string_view bytes) {
    Peer peer{served.server.port()};
    peer.send(bytes);
    return peer.response();
  }

  void expectStillWell() { EXPECT_THAT(responseTo(served.listBytes()), StartsWith("HTTP/1.1 200 OK\r\n")); }

  Served served{strict()};
};

TEST_F(HostilePeers, ReceiveABadRequestResponseToGarbage) {
  using namespace std::string_literals;
  const std::string id = served.one.insert();
  for (const std::string& bytes :
       {"\r\n\r\n\r\n\r\n"s, "\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03 is TLS\r\n\r\n"s,
        "GET / HTTP/9.9\r\n\r\n"s, "GET /a b HTTP/1.1\r\n\r\n"s, "GET /\0 HTTP/1.1\r\nHost: a\r\n\r\n"s,
        "GET / HTTP/1.1\r\nHost: a\r\nA\0: b\r\n\r\n"s, "GET / HTTP/1.1\r\nHost: a\r\nA: b\0c\r\n\r\n"s,
        "GET / HTTP/1.1\r\nHost: a\r\nA : b\r\n\r\n"s, "GET / HTTP/1.1\r\nHost: a\rA: b\r\n\r\n"s,
        "GET / HTTP/1.1\r\n\r\n"s, "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"s,
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n"s,
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab"s,
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"s,
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"s}) {
    Peer peer{served.server.port()};
    peer.send(bytes + served.reportBytes(id));
    peer.finish();
    const std::string all = peer.rest();
    EXPECT_THAT(all, StartsWith("HTTP/1.1 400 Bad Request\r\n")) << bytes;
    EXPECT_THAT(all, EndsWith(R"("message":"the request is not valid HTTP/1.1."}})")) << bytes;
  }
  EXPECT_EQ(served.one.service.objects().stateOf(served.one.key, id), "unreported");
  expectStillWell();
}

/// Clients of other protocols get a response immediately, without waiting for the end of a request.
TEST_F(HostilePeers, ReceiveAnImmediateResponseToOtherProtocols) {
  using namespace std::string_literals;
  for (const std::string& bytes :
       {"\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03"s, "\x80\x2e\x01\x03\x01"s, "GET /\r\n"s,
        "PRI * HTTP/2.0\r\n"s, "GET / HTTP/1.1\nHost: a\n\n"s, "GET / HTTP/1.1\r\nHost: a\n\n"s,
        "\x05\x01\x00"s, "<policy-file-request/>\0"s})
    EXPECT_THAT(responseTo(bytes), StartsWith("HTTP/1.1 400 Bad Request\r\n")) << bytes;
  expectStillWell();
}

TEST_F(HostilePeers, CannotHaveAnIncompleteRequestProcessed) {
  const std::string id = served.one.insert();
  const std::string whole = served.reportBytes(id);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    Peer peer{served.server.port()};
    ASSERT_TRUE(peer.send(std::string_view{whole}.substr(0, size)));
    peer.finish();
    EXPECT_EQ(peer.rest(), "") << size;
  }
  EXPECT_TRUE(served.one.service.requests().list().empty());
  expectStillWell();
}

TEST_F(HostilePeers, CannotSendHeadersThatAreTooLarge) {
  const std::string fits = "X: " + std::string(3'000, 'x') + "\r\n";
  const std::string tooLong = "X: " + std::string(5'000, 'x') + "\r\n";
  std::string tooMany;
  for (int i = 0; i < 1'000; ++i)
    tooMany += "X: y\r\n";
  EXPECT_THAT(responseTo(served.listBytes(fits)), StartsWith("HTTP/1.1 200 "));
  EXPECT_THAT(responseTo(served.listBytes(tooLong)), StartsWith("HTTP/1.1 431 "));
  EXPECT_THAT(responseTo(served.listBytes(tooMany)), StartsWith("HTTP/1.1 431 "));
  EXPECT_THAT(responseTo("GET /" + std::string(5'000, 'x')), StartsWith("HTTP/1.1 431 "));
  EXPECT_THAT(responseTo(std::string(1'000'000, 'x')), StartsWith("HTTP/1.1 431 "));
  expectStillWell();
}

/// Even if the service never sees the request.
TEST_F(HostilePeers, ReceiveARequestIdWithEveryRefusal) {
  const auto idIn = [](const std::string& response) {
    const std::string name = "\r\nRequest-Id: ";
    const std::size_t at = response.find(name);
    return at == std::string::npos
               ? ""
               : response.substr(at + name.size(), response.find('\r', at + 2) - at - name.size());
  };
  std::set<std::string> ids;
  for (int i = 0; i < 2; ++i)
    for (const std::string& bytes :
         {std::string{"GET / HTTP/9.9\r\n\r\n"}, "GET /" + std::string(5'000, 'x'),
          std::string{"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10001\r\n\r\n"}}) {
      const std::string id = idIn(responseTo(bytes));
      EXPECT_THAT(id, StartsWith("req_")) << bytes.substr(0, 50);
      EXPECT_TRUE(ids.insert(id).second) << id;
    }
}

/// The limit exceeds the size of one read.
TEST(HostilePeersOfADefaultServer, CannotSendHeadersThatAreTooLarge) {
  Served served;
  std::string lines;
  while (lines.size() < 70'000)
    lines += "X: y\r\n";
  Peer peer{served.server.port()};
  ASSERT_TRUE(peer.send(served.listBytes(lines)));
  EXPECT_THAT(peer.response(), StartsWith("HTTP/1.1 431 "));
}

TEST_F(HostilePeers, CannotSendABodyThatIsTooLarge) {
  const auto post = [&](const std::string& head, const std::string& body) {
    return responseTo("POST /v1/payment_intents HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer " +
                      served.one.key + "\r\nContent-Type: application/x-www-form-urlencoded\r\n" + head +
                      "\r\n\r\n" + body);
  };
  const auto chunks = [](int count) {
    std::string text;
    for (int i = 0; i < count; ++i)
      text += "3e8\r\n" + std::string(1'000, 'x') + "\r\n";
    return text;
  };
  EXPECT_THAT(post("Content-Length: 10000", std::string(10'000, 'x')), HasSubstr("parameter_unknown"));
  EXPECT_THAT(post("Content-Length: 10001", ""), StartsWith("HTTP/1.1 413 "));
  EXPECT_THAT(post("Content-Length: 10001\r\nExpect: 100-continue", ""), StartsWith("HTTP/1.1 413 "));
  EXPECT_THAT(post("Content-Length: 18446744073709551615", ""), StartsWith("HTTP/1.1 413 "));
  EXPECT_THAT(post("Transfer-Encoding: chunked", chunks(5) + "0\r\n\r\n"), HasSubstr("parameter_unknown"));
  EXPECT_THAT(post("Transfer-Encoding: chunked", chunks(20)), StartsWith("HTTP/1.1 413 "));
  expectStillWell();
}

TEST_F(HostilePeers, CannotSendChunkExtensionsOrTrailersThatAreTooLong) {
  const std::string head = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";
  EXPECT_THAT(responseTo(head + "1;" + std::string(50'000, 'x')), StartsWith("HTTP/1.1 431 "));
  EXPECT_THAT(responseTo(head + "0\r\nX: " + std::string(50'000, 'x')), StartsWith("HTTP/1.1 431 "));
  expectStillWell();
}

/// The response arrives even if the sender continues to send.
TEST_F(HostilePeers, ReceiveARefusalWhileStillSendingTheBody) {
  Peer peer{served.server.port()};
  EXPECT_TRUE(peer.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5000000\r\n\r\n" +
                        std::string(5'000'000, 'x')));
  peer.finish();
  EXPECT_THAT(peer.rest(), StartsWith("HTTP/1.1 413 "));
  EXPECT_FALSE(peer.wasReset());
}

TEST(SlowPeers, AreDisconnectedDuringAnEndlessRequest) {
  Served served{{.headerLimit = 1'000'000'000, .requestTimeout = milliseconds{50}, .idleTimeout = patient}};
  Peer peer{served.server.port()};
  peer.send("GET /v1/payment_records HTTP/1.1\r\nHost: a\r\n");
  while (peer.send("X: y\r\n")) {
  }
  EXPECT_EQ(peer.rest(), "");
  EXPECT_TRUE(served.one.service.requests().list().empty());
}

TEST(SlowPeers, AreDisconnectedDuringAnIncompleteSecondRequest) {
  Served served{{.requestTimeout = milliseconds{50}, .idleTimeout = patient}};
  for (const std::size_t size : {std::size_t{1}, std::size_t{10}, served.listBytes().size() - 1}) {
    Peer atOnce{served.server.port()};
    ASSERT_TRUE(atOnce.send(served.listBytes() + served.listBytes().substr(0, size)));
    EXPECT_THAT(atOnce.response(), StartsWith("HTTP/1.1 200 OK\r\n"));
    EXPECT_EQ(atOnce.rest(), "") << size;
    Peer later{served.server.port()};
    ASSERT_TRUE(later.send(served.listBytes()));
    EXPECT_THAT(later.response(), StartsWith("HTTP/1.1 200 OK\r\n"));
    ASSERT_TRUE(later.send(served.listBytes().substr(0, size)));
    EXPECT_EQ(later.rest(), "") << size;
  }
}

TEST(SlowPeers, AreDisconnectedDuringAnIncompleteEmptyLine) {
  Served served{{.requestTimeout = milliseconds{50}, .idleTimeout = patient}};
  Peer peer{served.server.port()};
  ASSERT_TRUE(peer.send("\r"));
  EXPECT_EQ(peer.rest(), "");
}

/// A line break after a body, as sent by old clients, does not start a request.
TEST(SlowPeers, CountAsIdleAfterAnEmptyLine) {
  Served served{{.requestTimeout = patient, .idleTimeout = milliseconds{50}}};
  Peer peer{served.server.port()};
  ASSERT_TRUE(peer.send("\r\n"));
  EXPECT_EQ(peer.rest(), "");
  Peer second{served.server.port()};
  ASSERT_TRUE(second.send(served.listBytes() + "\r\n"));
  EXPECT_THAT(second.rest(), StartsWith("HTTP/1.1 200 OK\r\n"));
}

TEST(SlowPeers, AreDisconnectedWhenIdle) {
  Served served{{.requestTimeout = patient, .idleTimeout = milliseconds{50}}};
  Peer peer{served.server.port()};
  EXPECT_EQ(peer.rest(), "");
  Peer second{served.server.port()};
  ASSERT_TRUE(second.send(served.listBytes()));
  EXPECT_THAT(second.rest(), StartsWith("HTTP/1.1 200 OK\r\n"));
}

TEST(SlowPeers, AreDisconnectedIfTheyDoNotReadTheResponse) {
  Served served{{.requestTimeout = milliseconds{50}, .idleTimeout = patient}};
  served.one.service.faults().inject(
      {.response = HttpResponse{.status = 200, .headers = {}, .body = std::string(64'000'000, 'x')}});
  Peer peer{served.server.port()};
  ASSERT_TRUE(peer.send(served.listBytes()));
  while (peer.send("x")) {
  }
  EXPECT_LT(peer.rest().size(), 64'000'000U);
}

TEST(ManyPeers, WaitWhileTheMaximumNumberIsConnected) {
  Served served{{.maxConnections = 2}};
  std::deque<Peer> peers;
  for (int i = 0; i < 3; ++i) {
    peers.emplace_back(served.server.port());
    ASSERT_TRUE(peers.back().send(served.listBytes()));
  }
  for (int i = 0; i < 100; ++i) {
    EXPECT_THAT(peers[0].response(), StartsWith("HTTP/1.1 200 OK\r\n"));
    ASSERT_TRUE(peers[0].send(served.listBytes()));
  }
  EXPECT_THAT(peers[0].response(), StartsWith("HTTP/1.1 200 OK\r\n"));
  EXPECT_THAT(peers[1].response(), StartsWith("HTTP/1.1 200 OK\r\n"));
  EXPECT_EQ(served.one.service.requests().size(), 102U);
  peers.pop_front();
  EXPECT_THAT(peers[1].response(), StartsWith("HTTP/1.1 200 OK\r\n"));
}

TEST(ManyPeers, AreAdmittedOnceIdlePeersTimeOut) {
  Served served{{.requestTimeout = patient, .idleTimeout = milliseconds{20}, .maxConnections = 2}};
  std::deque<Peer> idle;
  for (int i = 0; i < 10; ++i)
    idle.emplace_back(served.server.port());
  Peer last{served.server.port()};
  ASSERT_TRUE(last.send(served.listBytes()));
  EXPECT_THAT(last.response(), StartsWith("HTTP/1.1 200 OK\r\n"));
}

TEST(ManyPeers, CanConnectAndDisconnectRepeatedly) {
  Served served{{.maxConnections = 2}};
  for (int i = 0; i < 300; ++i) {
    const Peer peer{served.server.port()};
    peer.send(i % 2 == 0 ? "GET / HT" : "");
  }
  Peer last{served.server.port()};
  ASSERT_TRUE(last.send(served.listBytes()));
  EXPECT_THAT(last.response(), StartsWith("HTTP/1.1 200 OK\r\n"));
}

}  // namespace

}  // namespace tally::test

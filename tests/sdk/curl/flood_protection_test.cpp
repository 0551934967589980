// The protection against floods of HTTP/2 frames acts on floods only, and on no socket but the flooded one.

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <variant>

#include <tally/curl_transport.h>
#include <tally/tally.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include "curl/curl_transfer.h"
#include "http2_connection.h"
#include "sdk/support/async_sends.h"
#include "sdk/support/harness.h"
#include "sdk/support/libcurl_version.h"
#include "sdk/support/wire_fault.h"
#include "sockets.h"

namespace tally::floodTest {
namespace {

using namespace std::chrono_literals;
using test::Http2Connection;
using test::Http2Frame;
using test::MisbehavingServer;
using testing::AnyOf;

constexpr std::size_t mostEvents = detail::CurlTransfer::mostEventsInVain;

/// A port of this machine at which connections are refused.
class ClosedPort {
 public:
  ClosedPort() {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    EXPECT_EQ(bind(socket_, reinterpret_cast<sockaddr*>(&address), size), 0);
    EXPECT_EQ(getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &size), 0);
    port_ = ntohs(address.sin_port);
  }
  ClosedPort(const ClosedPort&) = delete;
  ClosedPort& operator=(const ClosedPort&) = delete;
  ~ClosedPort() { close(socket_); }

  [[nodiscard]] std::string url() const { return "https://127.0.0.1:" + std::to_string(port_); }

 private:
  int socket_ = socket(AF_INET, SOCK_STREAM, 0);
  int port_ = 0;
};

/// Two connected sockets of the application. They get the lowest free numbers.
class SocketPair {
 public:
  SocketPair() { EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets_.data()), 0); }
  SocketPair(const SocketPair&) = delete;
  SocketPair& operator=(const SocketPair&) = delete;
  ~SocketPair() {
    for (const int socket : sockets_)
      close(socket);
  }

  [[nodiscard]] bool isOpen() const {
    char byte = 'x';
    return send(sockets_[0], &byte, 1, MSG_NOSIGNAL) == 1 && recv(sockets_[1], &byte, 1, 0) == 1 &&
           send(sockets_[1], &byte, 1, MSG_NOSIGNAL) == 1 && recv(sockets_[0], &byte, 1, 0) == 1;
  }

 private:
  std::array<int, 2> sockets_{-1, -1};
};

/// libcurl says several things about each connection that is refused, in more than 4,096 lines altogether.
TEST(FloodProtection, IsNotTriggeredWhenConnectionsAreRefused) {
  const ClosedPort closed;
  const Client client{{.apiKey = "sk_test_1",
                       .baseUrl = closed.url(),
                       .maxNetworkRetries = 0,
                       .transport = test::wireTransport(systemClock())}};
  auto held = std::make_unique<SocketPair>();
  constexpr int calls = 1'500;
  for (int call = 0; call < calls; ++call) {
    const auto result = client.paymentRecords().retrieve("pr_1");
    ASSERT_FALSE(result);
    ASSERT_EQ(result.error().kind(), ErrorKind::connection) << call << ": " << result.error();
    ASSERT_TRUE(held->isOpen()) << call;
    held = std::make_unique<SocketPair>();  // has the number of the latest connection, or the one before
  }
}

/// Once the client has used its windows, lets it send one byte after the other, and then responds.
void dripWindows(int socket, std::size_t size) {
  constexpr std::size_t initialWindow = 65'535;
  Http2Connection connection{socket, test::authority().issue()};
  const std::uint32_t stream = connection.receiveHead();
  const std::string one{"\0\0\0\1", 4};
  const std::string windows =
      Http2Frame{.type = Http2Frame::windowUpdate, .payload = one}.bytes() +
      Http2Frame{.type = Http2Frame::windowUpdate, .stream = stream, .payload = one}.bytes();
  for (std::size_t received = 0; received < size;) {
    const auto frame = connection.receive();
    if (!frame) return;
    received += frame->payload.size();
    if (received >= initialWindow) connection.sendBytes(windows);
  }
  connection.sendResponse(stream, "{}");
  (void)connection.receive();
}

TEST(FloodProtection, IsNotTriggeredWhenALargeBodyNeedsManyWindowUpdates) {
  if (test::isLibcurl8())
    GTEST_SKIP() << "libcurl 8 counts the bytes that it buffers as sent, so it shows no progress";
  const std::string body(65'535 + mostEvents + 100, 'x');
  const MisbehavingServer server{[&](int socket) { dripWindows(socket, body.size()); }};
  const auto result =
      test::wireTransport(systemClock(), {.caFile = test::authority().caFile()})
          ->send({.method = Method::post, .url = server.url("https") + "/x", .headers = {}, .body = body},
                 {.deadline = systemClock()->now() + 60s});
  ASSERT_TRUE(std::holds_alternative<HttpResponse>(result)) << std::get<TransportFailure>(result).message;
  EXPECT_EQ(std::get<HttpResponse>(result).body, "{}");
}

/// Sends frames of an unknown type without waiting for the preface of the client.
void floodAtOnce(int socket) {
  test::TlsConnection tls{socket, test::authority().issue(), "h2"};
  std::string frames = Http2Frame{.type = Http2Frame::settings}.bytes();
  while (frames.size() < 8'192)
    frames += Http2Frame{.type = Http2Frame::Type{0xFA}, .payload = "what?"}.bytes();
  while (tls.send(frames)) {
  }
}

TEST(FloodProtection, EndsAFloodThatPrecedesTheRequest) {
  std::atomic<int> connections = 0;
  const MisbehavingServer server{[&](int socket) {
    if (connections++ == 0) return floodAtOnce(socket);
    Http2Connection connection{socket, test::authority().issue()};
    while (const std::uint32_t stream = connection.receiveRequest())
      connection.sendResponse(stream, test::recordJson("pr_1"));
  }};
  const Client client{
      {.apiKey = "sk_test_1",
       .baseUrl = server.url("https"),
       .maxNetworkRetries = 0,
       .transport = test::wireTransport(systemClock(), {.caFile = test::authority().caFile()})}};
  const auto flooded = client.paymentRecords().retrieve("pr_1", {.timeout = 500ms});
  ASSERT_FALSE(flooded);
  EXPECT_THAT(flooded.error().kind(), AnyOf(ErrorKind::malformedResponse, ErrorKind::timeout));
  const auto next = client.paymentRecords().retrieve("pr_1", {.timeout = 60'000ms});
  EXPECT_TRUE(next) << next.error();
}

}  // namespace
}  // namespace tally::floodTest

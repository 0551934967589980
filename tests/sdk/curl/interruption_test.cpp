// A stop token, the deadline, and, before a connection is established, the connect timeout end an attempt in
// every phase. Nothing else would end it, because the other side waits longer.

#include <chrono>
#include <latch>
#include <memory>
#include <ostream>
#include <semaphore>
#include <thread>
#include <variant>

#include <tally/curl_transport.h>

#include <gtest/gtest.h>

#include "curl/curl_handle.h"
#include "http2_connection.h"
#include "sdk/support/async_sends.h"
#include "sdk/support/wire_fault.h"
#include "sockets.h"
#include "system_calls.h"

namespace tally {
namespace {

using namespace std::chrono_literals;
using test::Http2Connection;
using test::Http2Frame;
using test::Listener;
using test::MisbehavingServer;
using Kind = TransportFailure::Kind;

/// Something that blocks an attempt.
class Obstacle {
 public:
  Obstacle() = default;
  Obstacle(const Obstacle&) = delete;
  Obstacle& operator=(const Obstacle&) = delete;
  virtual ~Obstacle() = default;

  [[nodiscard]] virtual std::string url() const = 0;
  virtual void awaitReached() = 0;
  /// Whether it still blocks after the attempt has ended.
  [[nodiscard]] virtual bool stands() const { return true; }
};

class NoAddress final : public Obstacle {
 public:
  [[nodiscard]] std::string url() const override { return std::string{"https://"} + host_.name; }
  void awaitReached() override { host_.awaitLookup(); }
  [[nodiscard]] bool stands() const override { return host_.awaited(); }

 private:
  test::BlockedHost host_{};
};

/// The system drops every connection attempt.
class FullBacklog final : public Obstacle {
 public:
  FullBacklog() { listener_.wake(); }
  [[nodiscard]] std::string url() const override { return listener_.url("https"); }
  void awaitReached() override { test::awaitConnect(static_cast<std::uint16_t>(listener_.port())); }

 private:
  Listener listener_{0};
};

/// A server that stops cooperating at some point.
class StuckServer final : public Obstacle {
 public:
  using Serve = void (*)(int connection, StuckServer& self);

  StuckServer(const char* scheme, Serve serve)
      : scheme_(scheme), server_([this, serve](int connection) { serve(connection, *this); }) {}
  ~StuckServer() override { over_.release(); }

  /// Blocks the server.
  void getStuck() {
    constexpr auto patience = 30s;
    reached_.count_down();
    (void)over_.try_acquire_for(patience);
  }

  [[nodiscard]] std::string url() const override { return server_.url(scheme_); }
  void awaitReached() override { reached_.wait(); }

 private:
  const char* scheme_;
  std::latch reached_{1};
  std::binary_semaphore over_{0};
  MisbehavingServer server_;
};

template <StuckServer::Serve Serve>
std::unique_ptr<Obstacle> plain() {
  return std::make_unique<StuckServer>("http", Serve);
}

template <StuckServer::Serve Serve>
std::unique_ptr<Obstacle> secure() {
  return std::make_unique<StuckServer>("https", Serve);
}

void sayNothing(int connection, StuckServer& self) {
  char byte = 0;
  (void)recv(connection, &byte, 1, 0);
  self.getStuck();
  close(connection);
}

void neverRespond(int connection, StuckServer& self) {
  (void)test::receiveRequest(connection);
  self.getStuck();
  close(connection);
}

void neverEndTheResponse(int connection, StuckServer& self) {
  (void)test::receiveRequest(connection);
  test::sendAll(connection, "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n{");
  self.getStuck();
  close(connection);
}

/// Never extends the initial flow-control window of a stream.
void takeNothingInHttp2(int socket, StuckServer& self) {
  Http2Connection connection{socket, test::authority().issue()};
  (void)connection.receiveHead();
  self.getStuck();
}

void neverRespondInHttp2(int socket, StuckServer& self) {
  Http2Connection connection{socket, test::authority().issue()};
  (void)connection.receiveRequest();
  self.getStuck();
}

void neverEndTheResponseInHttp2(int socket, StuckServer& self) {
  Http2Connection connection{socket, test::authority().issue()};
  const std::uint32_t stream = connection.receiveRequest();
  connection.sendHead(stream, 10);
  connection.send({.stream = stream, .payload = "{"});
  self.getStuck();
}

struct Phase {
  const char* name = "";
  std::unique_ptr<Obstacle> (*obstacle)() = nullptr;
  std::size_t bodySize = 10;
};

std::ostream& operator<<(std::ostream& out, const Phase& phase) {
  return out << phase.name;
}

/// More than an unread connection accepts.
constexpr std::size_t large = std::size_t{16} * 1024 * 1024;

const Phase phasesBefore[] = {
    {"resolving", [] { return std::unique_ptr<Obstacle>{std::make_unique<NoAddress>()}; }},
    {"connecting", [] { return std::unique_ptr<Obstacle>{std::make_unique<FullBacklog>()}; }},
    {"shaking_hands", secure<sayNothing>},
};

const Phase phasesAfter[] = {
    {"sending", plain<sayNothing>, large},          {"waiting", plain<neverRespond>},
    {"receiving", plain<neverEndTheResponse>},      {"http2_sending", secure<takeNothingInHttp2>, large},
    {"http2_waiting", secure<neverRespondInHttp2>}, {"http2_receiving", secure<neverEndTheResponseInHttp2>},
};

struct Limits {
  std::chrono::milliseconds connectTimeout = 1h;
  std::chrono::milliseconds timeout = 1h;
};

class Interruption : public testing::TestWithParam<Phase> {
 protected:
  std::unique_ptr<Obstacle> obstacle = GetParam().obstacle();

  [[nodiscard]] TransportFailure stopped() const {
    const test::EndlessPolls onlyTheStop;
    std::stop_source source;
    const std::jthread stopper{[&] {
      obstacle->awaitReached();
      source.request_stop();
    }};
    return interrupted({}, source.get_token());
  }

  [[nodiscard]] TransportFailure interrupted(const Limits& limits, std::stop_token stop = {}) const {
    const auto clock = systemClock();
    const auto transport = test::wireTransport(
        clock, {.caFile = test::authority().caFile(), .connectTimeout = limits.connectTimeout});
    const HttpRequest request{
        .method = Method::post, .url = obstacle->url(), .body = std::string(GetParam().bodySize, 'x')};
    const auto result =
        transport->send(request, {.deadline = clock->now() + limits.timeout, .stop = std::move(stop)});
    EXPECT_TRUE(obstacle->stands());
    return std::get<TransportFailure>(result);
  }
};

class InterruptionBeforeSending : public Interruption {};
class InterruptionAfterSending : public Interruption {};

TEST_P(InterruptionBeforeSending, OccursWhenAStopIsRequested) {
  const TransportFailure failure = stopped();
  EXPECT_EQ(failure.kind, Kind::canceled) << failure.message;
  EXPECT_FALSE(failure.mayHaveBeenSent);
}

TEST_P(InterruptionBeforeSending, OccursAtTheDeadline) {
  const TransportFailure failure = interrupted({.timeout = 50ms});
  EXPECT_EQ(failure.kind, Kind::timeout) << failure.message;
  EXPECT_FALSE(failure.mayHaveBeenSent);
}

TEST_P(InterruptionBeforeSending, OccursAfterTheConnectTimeout) {
  const TransportFailure failure = interrupted({.connectTimeout = 50ms});
  EXPECT_EQ(failure.kind, Kind::timeout) << failure.message;
  EXPECT_FALSE(failure.mayHaveBeenSent);
}

TEST_P(InterruptionAfterSending, OccursWhenAStopIsRequested) {
  const TransportFailure failure = stopped();
  EXPECT_EQ(failure.kind, Kind::canceled) << failure.message;
  EXPECT_TRUE(failure.mayHaveBeenSent);
}

TEST_P(InterruptionAfterSending, OccursAtTheDeadline) {
  const TransportFailure failure = interrupted({.timeout = 250ms});
  EXPECT_EQ(failure.kind, Kind::timeout) << failure.message;
  EXPECT_TRUE(failure.mayHaveBeenSent);
}

/// As after a suspension of the process.
TEST(CurlTransfer, SendsNothingIfItConnectsTooLate) {
  const Listener server;
  const CurlTransportOptions options{};
  const HttpRequest request{Method::post, server.url() + "/v1/payment_records", {}, "a=b"};
  detail::CurlHandle handle{options, server.url()};
  detail::CurlTransfer transfer{.maxResponseBytes = 1'000};
  detail::CurlConnection connection;
  transfer.connection = &connection;
  handle.prepare(transfer, request, 1min);
  transfer.latest = std::chrono::steady_clock::now();
  const TransportResult result = handle.result(curl_easy_perform(handle.easy()), transfer);
  const auto& failure = std::get<TransportFailure>(result);
  EXPECT_EQ(failure.kind, Kind::timeout) << failure.message;
  EXPECT_FALSE(failure.mayHaveBeenSent);
}

std::string nameOfPhase(const testing::TestParamInfo<Phase>& tested) {
  return tested.param.name;
}

INSTANTIATE_TEST_SUITE_P(While, InterruptionBeforeSending, testing::ValuesIn(phasesBefore), nameOfPhase);
INSTANTIATE_TEST_SUITE_P(While, InterruptionAfterSending, testing::ValuesIn(phasesAfter), nameOfPhase);

}  // namespace
}  // namespace tally

// Idle connections: how many are kept, and for how long.

#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include <tally/async.h>
#include <tally/curl_transport.h>
#include <tally/tally.h>

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include "sdk/support/async_sends.h"
#include "sdk/support/wire_fault.h"
#include "system_calls.h"

namespace tally {
namespace {

using namespace std::chrono_literals;

/// Serves many connections concurrently, and counts the open ones.
class ManyConnections {
 public:
  [[nodiscard]] std::string url() const { return server_.url(); }

  /// From now on, that many requests at a time get their responses together.
  void respondTogether(int requests) {
    const std::lock_guard lock{mutex_};
    arrived_ = 0;
    together_ = requests;
  }

  [[nodiscard]] int made() const {
    const std::lock_guard lock{mutex_};
    return made_;
  }

  /// Waits until at most `count` are open. False after 30 seconds.
  [[nodiscard]] bool awaitAtMostOpen(std::size_t count) {
    std::unique_lock lock{mutex_};
    return changed_.wait_for(lock, 30s, [&] { return open_.size() <= count; });
  }

  /// Waits until exactly `count` are open. False after 30 seconds.
  [[nodiscard]] bool awaitOpen(std::size_t count) {
    std::unique_lock lock{mutex_};
    return changed_.wait_for(lock, 30s, [&] { return open_.size() == count; });
  }

  /// Shuts down the sending side of all open connections.
  void end() {
    const std::lock_guard lock{mutex_};
    for (const int connection : open_)
      shutdown(connection, SHUT_WR);
  }

 private:
  void serve(int connection) {
    while (!test::receiveRequest(connection).empty()) {
      awaitTogether();
      test::sendAll(connection, test::goodResponse("{}"));
    }
    const std::lock_guard lock{mutex_};
    std::erase(open_, connection);
    close(connection);
    changed_.notify_all();
  }

  void awaitTogether() {
    std::unique_lock lock{mutex_};
    const int last = (arrived_++ / together_ + 1) * together_;
    changed_.notify_all();
    changed_.wait_for(lock, 30s, [&] { return arrived_ >= last; });
  }

  void accept(int connection) {
    const std::lock_guard lock{mutex_};
    ++made_;
    open_.push_back(connection);
    threads_.emplace_back([this, connection] { serve(connection); });
  }

  mutable std::mutex mutex_{};
  std::condition_variable changed_{};
  std::vector<int> open_{};
  int made_ = 0;
  int arrived_ = 0;
  int together_ = 1;
  std::vector<std::jthread> threads_{};
  test::MisbehavingServer server_{[this](int connection) { accept(connection); }};
};

/// The real clock, with an adjustable offset.
class LeapingClock final : public Clock {
 public:
  [[nodiscard]] Instant now() const override { return system_->now() + std::chrono::nanoseconds{ahead_}; }
  bool sleepUntil(Instant time, std::stop_token stop) override {
    return system_->sleepUntil(time - std::chrono::nanoseconds{ahead_}, std::move(stop));
  }
  bool waitUntil(Instant time, std::stop_token stop) override {
    return system_->waitUntil(time - std::chrono::nanoseconds{ahead_}, std::move(stop));
  }
  void leap(std::chrono::nanoseconds time) { ahead_ += time.count(); }

 private:
  std::shared_ptr<Clock> system_ = systemClock();
  std::atomic<std::int64_t> ahead_ = 0;
};

/// Sockets of this process whose peer has closed.
int halfClosed() {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator{"/proc/self/fd"}) {
    tcp_info info{};
    socklen_t size = sizeof info;
    const int descriptor = std::stoi(entry.path().filename().string());
    if (getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, &info, &size) == 0 && info.tcpi_state == TCP_CLOSE_WAIT)
      ++count;
  }
  return count;
}

struct IdleConnections : testing::Test {
  ManyConnections server{};
  std::shared_ptr<LeapingClock> clock = std::make_shared<LeapingClock>();
  std::shared_ptr<Transport> transport =
      test::wireTransport(clock, {.maxIdleConnections = 3, .maxIdleTime = 10s});

  void call() const {
    const auto result = transport->send({.url = server.url()}, {.deadline = clock->now() + 60s});
    EXPECT_TRUE(std::holds_alternative<HttpResponse>(result));
  }

  /// Makes `count` concurrent calls, each on its own connection.
  void callTogether(int count) {
    server.respondTogether(count);
    {
      std::vector<std::jthread> threads;
      for (int i = 0; i < count; ++i)
        threads.emplace_back([this] { call(); });
    }
    server.respondTogether(1);
  }
};

TEST_F(IdleConnections, AreLimitedToTheConfiguredMaximum) {
  callTogether(20);
  EXPECT_EQ(server.made(), 20);
  EXPECT_TRUE(server.awaitAtMostOpen(3));
}

TEST_F(IdleConnections, AreReused) {
  callTogether(3);
  clock->leap(5s);
  callTogether(3);
  EXPECT_EQ(server.made(), 3);
}

TEST_F(IdleConnections, AreClosedWhenTheyAreTooOld) {
  callTogether(3);
  clock->leap(11s);
  call();
  EXPECT_EQ(server.made(), 4) << "the most recently used one is also too old";
  EXPECT_TRUE(server.awaitOpen(1));
}

TEST_F(IdleConnections, StayOpenIfTheMaximumIdleTimeIsTheLongestPossible) {
  transport = test::wireTransport(clock, {.maxIdleTime = std::chrono::milliseconds::max()});
  call();
  clock->leap(24h);
  call();
  EXPECT_EQ(server.made(), 1);
  transport.reset();
}

TEST_F(IdleConnections, AreClosedAtTheNextCallAfterThePeerHasClosedThem) {
  callTogether(3);
  server.end();
  EXPECT_EQ(halfClosed(), 3);
  call();
  EXPECT_EQ(halfClosed(), 0);
  EXPECT_TRUE(server.awaitOpen(1));
}

TEST_F(IdleConnections, AreKeptWhenOtherHostsAreUsed) {
  ManyConnections other;
  for (int i = 0; i < 3; ++i) {
    call();
    const auto result = transport->send({.url = other.url()}, {.deadline = clock->now() + 60s});
    EXPECT_TRUE(std::holds_alternative<HttpResponse>(result));
  }
  EXPECT_EQ(server.made(), 1);
  EXPECT_EQ(other.made(), 1);
  transport.reset();
}

TEST_F(IdleConnections, AreEvictedStartingWithTheLeastRecentlyUsed) {
  transport = test::wireTransport(clock, {.maxIdleConnections = 1});
  ManyConnections other;
  (void)transport->send({.url = other.url()}, {.deadline = clock->now() + 60s});
  call();
  call();
  EXPECT_EQ(server.made(), 1);
  transport.reset();
}

TEST_F(IdleConnections, AgeFromTheEndOfTheirLastTransfer) {
  std::atomic<int> connections = 0;
  const test::MisbehavingServer slow{[&](int connection) {
    ++connections;
    while (!test::receiveRequest(connection).empty()) {
      clock->leap(1h);
      test::sendAll(connection, test::goodResponse("{}"));
    }
    close(connection);
  }};
  for (int i = 0; i < 2; ++i)
    (void)transport->send({.url = slow.url()}, {.deadline = clock->now() + 60s});
  EXPECT_EQ(connections, 1);
  transport.reset();
}

TEST_F(IdleConnections, AreClosedImmediatelyWhenNoneAreAllowed) {
  transport = test::wireTransport(clock, {.maxIdleConnections = 0});
  call();
  EXPECT_TRUE(server.awaitOpen(0));
}

/// Between the end of a call and the start of the next one, connections are not idle, even if there are more
/// than may be idle. Otherwise, each burst of responses would close them.
TEST(IdleConnectionsOfAnAsyncClient, StayOpenForLaterCalls) {
  constexpr int inFlight = 10;
  constexpr int rounds = 5;
  ManyConnections server;
  server.respondTogether(inFlight);
  AsyncClient async{{.apiKey = "sk_test_1",
                     .baseUrl = server.url(),
                     .transport = curlTransport(systemClock(), {.maxIdleConnections = 3})}};
  std::atomic<int> left = inFlight * rounds;
  const std::function<void()> callNext = [&] {
    if (left-- > 0)
      async.paymentRecords().retrieve("pr_1").then([&](const Result<PaymentRecord>&) { callNext(); });
  };

  for (int n = 0; n < inFlight; ++n)
    callNext();
  async.run();

  EXPECT_EQ(server.made(), inFlight);
}

/// Accepts one connection at 127.0.0.2. Further attempts to connect get no response.
class FullListener {
 public:
  explicit FullListener(std::uint16_t port) {
    constexpr in_addr_t other = INADDR_LOOPBACK + 1;
    address_.sin_family = AF_INET;
    address_.sin_port = htons(port);
    address_.sin_addr.s_addr = htonl(other);
    const auto* address = reinterpret_cast<const sockaddr*>(&address_);
    if (bind(socket_, address, sizeof address_) != 0 || listen(socket_, 0) != 0 ||
        connect(first_, address, sizeof address_) != 0)
      throw std::system_error{errno, std::generic_category(), "listen"};
  }
  FullListener(const FullListener&) = delete;
  FullListener& operator=(const FullListener&) = delete;
  ~FullListener() {
    close(first_);
    close(socket_);
  }

 private:
  sockaddr_in address_{};
  int socket_ = socket(AF_INET, SOCK_STREAM, 0);
  int first_ = socket(AF_INET, SOCK_STREAM, 0);
};

/// libcurl tries both addresses and closes the slower socket without calling the close callback.
TEST(IdleConnectionsOfAnAsyncClient, StayOpenIfAnotherAddressOfTheHostDoesNotRespond) {
  ManyConnections server;
  const std::string port = server.url().substr(server.url().rfind(':') + 1);
  const FullListener other{static_cast<std::uint16_t>(std::stoi(port))};
  const CurlTransportOptions options{.maxIdleConnections = 1, .allowPlainHttp = true};
  AsyncClient async{{.apiKey = "sk_test_1",
                     .baseUrl = std::string{"http://"} + test::hostWithTwoAddresses + ':' + port,
                     .transport = curlTransport(systemClock(), options)}};

  for (int n = 0; n < 5; ++n) {
    (void)async.paymentRecords().retrieve("pr_1").future().get();
    async.run();
  }

  EXPECT_EQ(server.made(), 1);
}

}  // namespace
}  // namespace tally

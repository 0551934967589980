#include <atomic>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fake/server/support/peer.h"
#include "fake/server/support/served.h"
#include "net/listener.h"
#include "support/no_more_threads.h"

namespace tally::fake::detail {

namespace {

using std::chrono::hours;
using test::comesTrue;
using test::Peer;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

/// A body that a test fills.
class TestBody final : public BodyStream {
 public:
  void onMore(std::function<void()> wake) override {
    const std::lock_guard lock{mutex_};
    wake_ = std::move(wake);
  }
  std::optional<std::string> take(Time /*now*/) override {
    const std::lock_guard lock{mutex_};
    if (pieces_.empty()) return ended_ ? std::nullopt : std::optional{std::string{}};
    std::string first = std::move(pieces_.front());
    pieces_.pop_front();
    return first;
  }
  [[nodiscard]] Time nextTake() const override { return Time::max(); }

  void push(std::string piece) {
    change([&] { pieces_.push_back(std::move(piece)); });
  }
  void end() {
    change([&] { ended_ = true; });
  }

 private:
  template <class Edit>
  void change(const Edit& edit) {
    std::function<void()> wake;
    {
      const std::lock_guard lock{mutex_};
      edit();
      wake = wake_;
    }
    if (wake) wake();
  }

  std::mutex mutex_{};
  std::function<void()> wake_{};
  std::deque<std::string> pieces_{};
  bool ended_ = false;
};

/// Responds to `/stream` with a new TestBody, and to others with `next`.
class TestHandler final : public Handler {
 public:
  [[nodiscard]] bool mayBlock(const HttpRequest& request) const override {
    return request.url == "/elsewhere";
  }
  [[nodiscard]] Reply handle(const Incoming& incoming, const std::stop_token& /*stop*/) override {
    if (incoming.request.url != "/stream") return next;
    auto body = std::make_shared<TestBody>();
    {
      const std::lock_guard lock{mutex_};
      bodies_.push_back(body);
    }
    return {{.status = 200, .headers = {{"Content-Type", "text/plain"}}, .body = {}}, std::move(body)};
  }

  [[nodiscard]] std::weak_ptr<TestBody> body(std::size_t number = 0) {
    const std::lock_guard lock{mutex_};
    return bodies_.at(number);
  }
  [[nodiscard]] std::size_t bodies() {
    const std::lock_guard lock{mutex_};
    return bodies_.size();
  }

  ScheduledResult next{.result = HttpResponse{.status = 200, .headers = {}, .body = "whole"}};

 private:
  std::mutex mutex_{};
  std::vector<std::weak_ptr<TestBody>> bodies_{};
};

class Streaming : public testing::Test {
 protected:
  static std::string bytesOf(const std::string& method, const std::string& target,
                             const char* version = "1.1") {
    return method + ' ' + target + " HTTP/" + version + "\r\nHost: localhost\r\n\r\n";
  }

  /// Opens a stream and reads its head.
  std::string open(const char* version = "1.1") {
    EXPECT_TRUE(peer->send(bytesOf("GET", "/stream", version)));
    return peer->until("\r\n\r\n");
  }

  Traffic traffic{};
  TestHandler handler{};
  std::optional<Listener> server{std::in_place, handler,
                                 HttpServerOptions{.requestTimeout = std::chrono::milliseconds{400},
                                                   .drain = std::chrono::milliseconds{50}},
                                 traffic};
  std::optional<Peer> peer{std::in_place, server->port()};
};

TEST_F(Streaming, SendsChunksAsTheyArrive) {
  const std::string start = open();
  EXPECT_THAT(start, StartsWith("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n"));
  EXPECT_THAT(start, HasSubstr("\r\nTransfer-Encoding: chunked\r\n"));
  EXPECT_THAT(start, Not(HasSubstr("Content-Length")));
  const auto body = handler.body().lock();
  body->push("first");
  EXPECT_EQ(peer->until("first\r\n"), "5\r\nfirst\r\n");
  body->push(std::string(300, 'x'));
  EXPECT_EQ(peer->until("x\r\n"), "12c\r\n" + std::string(300, 'x') + "\r\n");
  EXPECT_EQ(traffic.streams, 1);
  EXPECT_EQ(traffic.inFlight, 1);
  body->end();
  EXPECT_EQ(peer->rest(), "0\r\n\r\n");
  EXPECT_TRUE(comesTrue([&] { return traffic.streams == 0 && traffic.inFlight == 0; }));
}

TEST_F(Streaming, ClosesTheConnectionAfterTheBodyInHttp10) {
  EXPECT_THAT(open("1.0"), Not(HasSubstr("chunked")));
  handler.body().lock()->push("first");
  handler.body().lock()->end();
  EXPECT_EQ(peer->rest(), "first");
}

TEST_F(Streaming, OmitsTheBodyInResponseToAHeadRequest) {
  ASSERT_TRUE(peer->send(bytesOf("HEAD", "/stream") + bytesOf("GET", "/whole")));
  EXPECT_THAT(peer->until("\r\n\r\n"), StartsWith("HTTP/1.1 200 OK\r\n"));
  EXPECT_THAT(peer->response(), EndsWith("whole"));
  EXPECT_TRUE(handler.body().expired());
}

TEST_F(Streaming, EndsWhenThePeerDisconnects) {
  (void)open();
  peer.reset();
  EXPECT_TRUE(comesTrue([&] { return handler.body().expired(); }));
  EXPECT_TRUE(comesTrue([&] { return traffic.streams == 0 && traffic.connections == 0; }));
}

TEST_F(Streaming, EndsWhenThePeerFinishesSending) {
  (void)open();
  peer->finish();
  EXPECT_EQ(peer->rest(), "");
}

TEST_F(Streaming, ContinuesWhileThePeerIsStillSending) {
  (void)open();
  const auto body = handler.body().lock();
  ASSERT_TRUE(peer->send(std::string(100'000, 'x')));
  body->push("first");
  EXPECT_EQ(peer->until("first\r\n"), "5\r\nfirst\r\n");
}

TEST_F(Streaming, EndsCleanlyWhenTheServerStops) {
  (void)open();
  handler.body().lock()->push("first");
  (void)peer->until("first\r\n");
  server->stop();
  EXPECT_EQ(peer->rest(), "0\r\n\r\n");
}

/// Another thread may be calling the stream's function while the server ends.
TEST_F(Streaming, CanBeWokenAfterTheServerIsDestroyed) {
  (void)open();
  const auto body = handler.body().lock();
  server.reset();
  const std::deque<std::string> overwriting(16, std::string(sizeof(EventLoop) - 1, '\xA5'));
  body->push("late");
  EXPECT_EQ(overwriting.size(), 16U);
}

TEST_F(Streaming, DisconnectsAPeerThatDoesNotRead) {
  (void)open();
  const auto body = handler.body();
  const std::string piece(1'000'000, 'x');
  EXPECT_TRUE(comesTrue([&] {
    if (const auto open = body.lock()) open->push(piece);
    return body.expired();
  }));
}

/// No thread waits for a stream: there are none left.
TEST_F(Streaming, DoesNotOccupyThreads) {
  const test::NoMoreThreads none;
  std::deque<Peer> peers;
  for (std::size_t i = 0; i < 100; ++i) {
    peers.emplace_back(server->port());
    ASSERT_TRUE(peers.back().send(bytesOf("GET", "/stream")));
    (void)peers.back().until("\r\n\r\n");
  }
  ASSERT_EQ(handler.bodies(), 100U);
  for (std::size_t i = 0; i < 100; ++i)
    handler.body(i).lock()->push("piece");
  for (Peer& each : peers)
    EXPECT_EQ(each.until("piece\r\n"), "5\r\npiece\r\n");
}

/// A response in 3 parts, an hour apart, on a frozen clock.
class SlowBodies : public Streaming {
 protected:
  SlowBodies() {
    clock->freeze();
    respondWith("abcdefghi");
  }

  void respondWith(const std::string& body, int status = 200) {
    handler.next = {.result = HttpResponse{.status = status, .headers = {}, .body = body},
                    .due = clock->now() + hours{2},
                    .clock = clock,
                    .chunks = 3,
                    .pause = hours{1}};
  }

  std::shared_ptr<VirtualClock> clock = std::make_shared<VirtualClock>(Instant{});
};

TEST_F(SlowBodies, ArriveInParts) {
  for (const char* target : {"/here", "/elsewhere"}) {
    respondWith("abcdefghi");
    ASSERT_TRUE(peer->send(bytesOf("GET", target)));
    EXPECT_THAT(peer->until("abc"), HasSubstr("Content-Length: 9\r\n\r\nabc"));
    clock->waitForSleepers(1);
    clock->advance(hours{1});
    EXPECT_EQ(peer->until("def"), "def");
    clock->waitForSleepers(1);
    clock->advance(hours{1});
    EXPECT_EQ(peer->until("ghi"), "ghi");
  }
}

TEST_F(SlowBodies, StartAfterTheirDelay) {
  handler.next.due += hours{1};
  ASSERT_TRUE(peer->send(bytesOf("GET", "/")));
  clock->waitForSleepers(1);
  clock->advance(hours{3});
  EXPECT_THAT(peer->until("ghi"), EndsWith("abcdefghi"));
}

TEST_F(SlowBodies, ReachAPeerThatHasFinishedSending) {
  ASSERT_TRUE(peer->send(bytesOf("GET", "/")));
  (void)peer->until("abc");
  peer->finish();
  clock->waitForSleepers(1);
  clock->advance(hours{2});
  EXPECT_EQ(peer->until("ghi"), "defghi");
}

/// No thread waits for the parts, or for the first one: there is one worker, which other requests need.
TEST_F(SlowBodies, DoNotOccupyThreads) {
  const test::NoMoreThreads none;
  std::deque<Peer> begun;
  std::deque<Peer> waiting;
  for (const char* target : {"/here", "/elsewhere"})
    for (std::size_t i = 0; i < 20; ++i) {
      respondWith("abcdefghi");
      begun.emplace_back(server->port());
      ASSERT_TRUE(begun.back().send(bytesOf("GET", target)));
      ASSERT_THAT(begun.back().until("abc"), EndsWith("abc"));
      handler.next.due += hours{1};
      waiting.emplace_back(server->port());
      ASSERT_TRUE(waiting.back().send(bytesOf("GET", target)));
      clock->waitForSleepers(begun.size() + waiting.size());
    }
  handler.next = {.result = HttpResponse{.status = 200, .headers = {}, .body = "whole"}};
  for (const char* target : {"/here", "/elsewhere"}) {
    ASSERT_TRUE(peer->send(bytesOf("GET", target)));
    EXPECT_THAT(peer->response(), EndsWith("whole"));
  }
  clock->advance(hours{3});
  for (Peer& each : begun)
    EXPECT_EQ(each.until("ghi"), "defghi");
  for (Peer& each : waiting)
    EXPECT_THAT(each.until("ghi"), EndsWith("abcdefghi"));
}

/// A clock that runs again does not announce the times that it reaches.
TEST_F(SlowBodies, ContinueInRealTimeOnceTheClockIsThawed) {
  clock->run();
  ASSERT_TRUE(peer->send(bytesOf("GET", "/")));
  (void)peer->until("abc");
  clock->waitForSleepers(1);
  clock->advance(hours{1} - std::chrono::milliseconds{20});
  clock->thaw();
  EXPECT_EQ(peer->until("def"), "def");
  clock->waitForSleepers(1);
  clock->advance(hours{1} - std::chrono::milliseconds{20});
  EXPECT_EQ(peer->until("ghi"), "ghi");
}

TEST_F(SlowBodies, AdvanceAClockThatIsNotFrozen) {
  clock->thaw();
  ASSERT_TRUE(peer->send(bytesOf("GET", "/")));
  EXPECT_THAT(peer->until("ghi"), EndsWith("abcdefghi"));
  EXPECT_EQ(clock->now(), Instant{} + hours{2});
}

TEST_F(SlowBodies, CanHaveFewerBytesThanParts) {
  respondWith("a");
  ASSERT_TRUE(peer->send(bytesOf("GET", "/")));
  (void)peer->until("\r\n\r\n");
  clock->waitForSleepers(1);
  clock->advance(hours{2});
  EXPECT_EQ(peer->until("a"), "a");
  respondWith(std::string(500, 'x'), 204);
  ASSERT_TRUE(peer->send(bytesOf("GET", "/")));
  clock->waitForSleepers(1);
  clock->advance(hours{2});
  EXPECT_EQ(peer->until("\r\n\r\n"), "HTTP/1.1 204 No Content\r\n\r\n");
}

TEST_F(SlowBodies, EndWhenTheServerStops) {
  ASSERT_TRUE(peer->send(bytesOf("GET", "/")));
  (void)peer->until("abc");
  clock->waitForSleepers(1);
  server->stop();
  EXPECT_EQ(peer->rest(), "");
  EXPECT_EQ(traffic.inFlight, 0);
}

}  // namespace

}  // namespace tally::fake::detail

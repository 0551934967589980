#include <chrono>
#include <optional>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fake/server/support/served.h"

namespace tally::test {

namespace {

using std::chrono::hours;
using testing::StartsWith;

/// Requests that wait, for an object's lock or until their response is due.
class WaitingRequests : public testing::Test {
 protected:
  /// Sends a report that waits for the lock; the clock is frozen.
  void reportLocked() {
    service.clock()->freeze();
    ASSERT_TRUE(peer->send(served.reportBytes(id)));
    service.clock()->waitForSleepers(1);
  }

  /// Once another peer has its response, the server's only I/O thread has processed everything received
  /// before.
  void awaitThatAllIsSeen() {
    Peer other{served.server.port()};
    ASSERT_TRUE(other.send(getBytes("/v1/payouts", served.one.key)));
    EXPECT_THAT(other.response(), StartsWith("HTTP/1.1 200 OK\r\n"));
  }

  [[nodiscard]] std::size_t reports() const {
    std::size_t count = 0;
    for (const fake::LoggedRequest& request : service.requests().list())
      if (request.operation == "payment_records.report_failed") ++count;
    return count;
  }

  Served served{};
  fake::Service& service = served.one.service;
  std::string id = served.one.insert();
  fake::Hold lock = service.holds().lockObject(served.one.key, id);
  std::optional<Peer> peer{std::in_place, served.server.port()};
};

TEST_F(WaitingRequests, AreNotProcessedAfterTheirPeerDisconnects) {
  reportLocked();
  peer.reset();
  ASSERT_TRUE(comesTrue([&] { return reports() == 1; }));
  EXPECT_EQ(service.requests().list().back().status, 0);
  lock.release();
  EXPECT_EQ(service.objects().stateOf(served.one.key, id), "unreported");
}

TEST_F(WaitingRequests, AreNotProcessedAfterAPipeliningPeerDisconnects) {
  reportLocked();
  ASSERT_TRUE(peer->send(served.listBytes()));
  peer.reset();
  ASSERT_TRUE(comesTrue([&] { return reports() == 1; }));
  EXPECT_EQ(service.objects().stateOf(served.one.key, id), "unreported");
}

TEST_F(WaitingRequests, ContinueWhileTheirPeerPipelines) {
  reportLocked();
  std::string more;
  for (int i = 0; i < 1'000; ++i)
    more += served.listBytes();
  ASSERT_TRUE(peer->send(more));
  awaitThatAllIsSeen();
  EXPECT_EQ(reports(), 0U);
  lock.release();
  EXPECT_THAT(peer->response(), StartsWith("HTTP/1.1 200 OK\r\n"));
  EXPECT_EQ(service.objects().stateOf(served.one.key, id), "failed");
  for (int i = 0; i < 1'000; ++i)
    ASSERT_THAT(peer->response(), StartsWith("HTTP/1.1 200 OK\r\n")) << i;
}

/// The server does not read beyond a request, so unread data accumulates at the peer.
TEST_F(WaitingRequests, LimitHowMuchTheirPeerCanSend) {
  reportLocked();
  const std::string more(1'000'000, 'x');
  std::size_t sent = 0;
  for (int refusals = 0; refusals < 100 && sent < 100'000'000;) {
    const std::size_t size = peer->sendSome(more);
    sent += size;
    refusals = size > 0 ? 0 : refusals + 1;
    awaitThatAllIsSeen();
  }
  EXPECT_LT(sent, 100'000'000U);
  EXPECT_EQ(reports(), 0U);
}

TEST_F(WaitingRequests, ReceiveAResponseAfterAHalfClose) {
  reportLocked();
  peer->finish();
  EXPECT_EQ(peer->response(), "HTTP/1.1 100 Continue\r\n\r\n");
  awaitThatAllIsSeen();
  lock.release();
  EXPECT_THAT(peer->rest(), StartsWith("HTTP/1.1 200 OK\r\n"));
}

TEST_F(WaitingRequests, ReceiveNoInterimResponseInHttp10) {
  service.clock()->freeze();
  std::string bytes = served.reportBytes(id);
  bytes.replace(bytes.find("HTTP/1.1"), 8, "HTTP/1.0");
  ASSERT_TRUE(peer->send(bytes));
  service.clock()->waitForSleepers(1);
  peer->finish();
  awaitThatAllIsSeen();
  lock.release();
  EXPECT_THAT(peer->rest(), StartsWith("HTTP/1.1 200 OK\r\n"));
}

TEST_F(WaitingRequests, ReceiveADelayedResponseWhenTheClockAdvances) {
  service.clock()->run();
  service.durations().set("payment_records.list", hours{1});
  ASSERT_TRUE(peer->send(served.listBytes()));
  service.clock()->waitForSleepers(1);
  service.clock()->advance(hours{1});
  EXPECT_THAT(peer->response(), StartsWith("HTTP/1.1 200 OK\r\n"));
}

TEST_F(WaitingRequests, TakeEffectBeforeADelayedResponseIsSent) {
  lock.release();
  service.clock()->run();
  service.durations().set("payment_records.report_failed", hours{1});
  ASSERT_TRUE(peer->send(served.reportBytes(id)));
  service.clock()->waitForSleepers(1);
  EXPECT_EQ(service.objects().stateOf(served.one.key, id), "failed");
  service.clock()->advance(hours{1});
  EXPECT_THAT(peer->response(), StartsWith("HTTP/1.1 200 OK\r\n"));
}

/// The clock is frozen for the entire hour that the response takes.
TEST_F(WaitingRequests, ReceiveADelayedResponseWhenAFrozenClockIsAdvanced) {
  service.clock()->run();
  service.durations().set("payment_records.list", hours{1});
  ASSERT_TRUE(peer->send(served.listBytes()));
  service.clock()->waitForSleepers(1);
  service.clock()->freeze();
  const Instant frozen = service.clock()->now();
  service.clock()->advance(std::chrono::minutes{30});
  service.clock()->waitForSleepers(1);
  service.clock()->advance(std::chrono::minutes{30});
  EXPECT_THAT(peer->response(), StartsWith("HTTP/1.1 200 OK\r\n"));
  EXPECT_EQ(service.clock()->now(), frozen + hours{1});
}

/// Time stands while this thread, which has joined the clock, does not wait for it.
TEST_F(WaitingRequests, DoNotBlockOtherRequestsWhileAJoinedThreadHoldsTheClock) {
  service.durations().set("payment_records.list", hours{1});
  service.durations().set("payouts.list", hours{0});
  {
    const auto joined = service.clock()->join();
    ASSERT_TRUE(peer->send(served.listBytes()));
    service.clock()->waitForSleepers(1);
    awaitThatAllIsSeen();
  }
  EXPECT_THAT(peer->response(), StartsWith("HTTP/1.1 200 OK\r\n"));
}

TEST_F(WaitingRequests, ReleaseTheirConnectionSlotWhenTheirPeerDisconnects) {
  const fake::HttpServer narrow{service, {.maxConnections = 1}};
  service.clock()->run();
  service.durations().set("payment_records.list", hours{1});
  peer.emplace(narrow.port());
  ASSERT_TRUE(peer->send(served.listBytes()));
  service.clock()->waitForSleepers(1);
  Peer next{narrow.port()};
  ASSERT_TRUE(next.send(getBytes("/v1/payouts", served.one.key)));
  peer.reset();
  EXPECT_THAT(next.response(), StartsWith("HTTP/1.1 200 OK\r\n"));
}

/// The idle peer times out, so the server has seen which other connections are overdue.
TEST(LongestRequestTimeout, NeverEnds) {
  Served served{
      {.requestTimeout = std::chrono::milliseconds::max(), .idleTimeout = std::chrono::milliseconds{1}}};
  Peer slow{served.server.port()};
  Peer idle{served.server.port()};
  const std::string bytes = served.listBytes();
  ASSERT_TRUE(slow.send(bytes.substr(0, 9)));
  ASSERT_TRUE(idle.send(bytes));
  EXPECT_THAT(idle.response(), StartsWith("HTTP/1.1 200 OK\r\n"));
  EXPECT_EQ(idle.rest(), "");
  ASSERT_TRUE(slow.send(bytes.substr(9)));
  EXPECT_THAT(slow.response(), StartsWith("HTTP/1.1 200 OK\r\n"));
}

TEST(LongestIdleTimeout, NeverEnds) {
  Served served{
      {.requestTimeout = std::chrono::milliseconds{1}, .idleTimeout = std::chrono::milliseconds::max()}};
  Peer idle{served.server.port()};
  Peer slow{served.server.port()};
  const std::string bytes = served.listBytes();
  ASSERT_TRUE(idle.send(bytes));
  EXPECT_THAT(idle.response(), StartsWith("HTTP/1.1 200 OK\r\n"));
  ASSERT_TRUE(slow.send(bytes.substr(0, 9)));
  EXPECT_EQ(slow.rest(), "");
  ASSERT_TRUE(idle.send(bytes));
  EXPECT_THAT(idle.response(), StartsWith("HTTP/1.1 200 OK\r\n"));
}

}  // namespace

}  // namespace tally::test

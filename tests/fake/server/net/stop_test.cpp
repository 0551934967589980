#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fake/server/support/served.h"

namespace tally::test {

namespace {

using testing::HasSubstr;
using testing::StartsWith;

TEST(StoppingServer, RespondsToRequestsInProgress) {
  Served served;
  const std::string id = served.one.insert();
  fake::Hold lock = served.one.service.holds().lockObject(served.one.key, id);
  served.one.service.clock()->freeze();
  Peer waiting{served.server.port()};
  Peer idle{served.server.port()};
  ASSERT_TRUE(waiting.send(served.reportBytes(id)));
  served.one.service.clock()->waitForSleepers(1);
  std::jthread stopping{[&] { served.server.stop(); }};
  EXPECT_EQ(idle.rest(), "");
  lock.release();
  const std::string response = waiting.rest();
  EXPECT_THAT(response, StartsWith("HTTP/1.1 200 OK\r\n"));
  EXPECT_THAT(response, HasSubstr("\r\nConnection: close\r\n"));
  stopping.join();
  EXPECT_EQ(served.one.service.objects().stateOf(served.one.key, id), "failed");
}

TEST(StoppingServer, DoesNothingInAProcessMadeByFork) {
  auto served = std::make_unique<Served>();
  Peer peer{served->server.port()};
  ASSERT_TRUE(peer.send(served->listBytes()));
  ASSERT_THAT(peer.response(), StartsWith("HTTP/1.1 200 OK\r\n"));
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(30);  // ends it if it waits for the threads of its parent
    served->server.stop();
    served.reset();
    ::_exit(0);
  }
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  ASSERT_TRUE(peer.send(served->listBytes()));
  EXPECT_THAT(peer.response(), StartsWith("HTTP/1.1 200 OK\r\n"));
}

TEST(StoppingServer, WaitsForALockWithTheLongestDrainTime) {
  Served served{{.requestTimeout = std::chrono::milliseconds{1}, .drain = std::chrono::milliseconds::max()}};
  const std::string id = served.one.insert();
  fake::Hold lock = served.one.service.holds().lockObject(served.one.key, id);
  served.one.service.clock()->freeze();
  Peer waiting{served.server.port()};
  ASSERT_TRUE(waiting.send(served.reportBytes(id)));
  served.one.service.clock()->waitForSleepers(1);
  std::jthread stopping{[&] { served.server.stop(); }};
  ASSERT_TRUE(comesTrue([&] {
    try {
      (void)Peer{served.server.port()};
      return false;
    } catch (const std::system_error&) {
      return true;
    }
  }));
  lock.release();
  EXPECT_THAT(waiting.rest(), StartsWith("HTTP/1.1 200 OK\r\n"));
}

TEST(StoppingServer, WaitsForALockOnlyUntilTheDrainTimeEnds) {
  Served served{{.drain = std::chrono::milliseconds{20}}};
  const std::string id = served.one.insert();
  const fake::Hold lock = served.one.service.holds().lockObject(served.one.key, id);
  served.one.service.clock()->freeze();
  Peer waiting{served.server.port()};
  ASSERT_TRUE(waiting.send(served.reportBytes(id)));
  served.one.service.clock()->waitForSleepers(1);
  served.server.stop();
  EXPECT_EQ(waiting.rest(), "");
  EXPECT_EQ(served.one.service.objects().stateOf(served.one.key, id), "unreported");
}

TEST(StoppingServer, RespondsToReceivedRequestsAndClosesManyConnections) {
  Served served;
  std::vector<std::jthread> threads;
  std::atomic<int> begun = 0;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      Peer peer{served.server.port()};
      for (int calls = 0; peer.send(served.listBytes()); ++calls) {
        const std::string response = peer.response();
        if (response.empty()) return;
        EXPECT_THAT(response, StartsWith("HTTP/1.1 200 OK\r\n"));
        if (calls == 20 && ++begun == 4) begun.notify_one();
      }
    });
  for (int seen = begun; seen < 4; seen = begun)
    begun.wait(seen);
  served.server.stop();
}

TEST(StoppingServer, RefusesNewConnections) {
  Served served;
  served.server.stop();
  served.server.stop();
  EXPECT_THROW(Peer{served.server.port()}, std::system_error);
}

TEST(StoppingServer, LeavesTheServiceUsable) {
  OneAccount one;
  const std::string id = one.insert();
  {
    const fake::HttpServer server{one.service};
    const fake::HttpServer second{one.service};
    EXPECT_NE(server.port(), second.port());
  }
  EXPECT_EQ(one.get("/v1/payment_records/" + id).status, 200);
}

}  // namespace

}  // namespace tally::test

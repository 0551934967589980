#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fake/server/support/served.h"

namespace tally::test {

namespace {

using testing::HasSubstr;
using testing::StartsWith;

TEST(Stopping, AnswersWhatIsInProgress) {
  Served served;
  const std::string id = served.one.seed();
  fake::Held lock = served.one.service.lockObject(served.one.key, id);
  served.one.service.clock()->freeze();
  Peer waiting{served.server.port()};
  Peer idle{served.server.port()};
  ASSERT_TRUE(waiting.send(served.reportBytes(id)));
  served.one.service.clock()->awaitSleepers(1);
  std::jthread stopping{[&] { served.server.stop(); }};
  EXPECT_EQ(idle.rest(), "");
  lock.release();
  const std::string answer = waiting.rest();
  EXPECT_THAT(answer, StartsWith("HTTP/1.1 200 OK\r\n"));
  EXPECT_THAT(answer, HasSubstr("\r\nConnection: close\r\n"));
  stopping.join();
  EXPECT_EQ(served.one.service.stateOf(served.one.key, id), "failed");
}

TEST(Stopping, DoesNotWaitForEverForALock) {
  Served served{{.drain = std::chrono::milliseconds{20}}};
  const std::string id = served.one.seed();
  const fake::Held lock = served.one.service.lockObject(served.one.key, id);
  served.one.service.clock()->freeze();
  Peer waiting{served.server.port()};
  ASSERT_TRUE(waiting.send(served.reportBytes(id)));
  served.one.service.clock()->awaitSleepers(1);
  served.server.stop();
  EXPECT_EQ(waiting.rest(), "");
  EXPECT_EQ(served.one.service.stateOf(served.one.key, id), "unreported");
}

TEST(Stopping, AnswersWhatHasArrivedAndEndsManyConnections) {
  Served served;
  std::vector<std::jthread> threads;
  std::atomic<int> begun = 0;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      Peer peer{served.server.port()};
      for (int calls = 0; peer.send(served.listBytes()); ++calls) {
        const std::string answer = peer.answer();
        if (answer.empty()) return;
        EXPECT_THAT(answer, StartsWith("HTTP/1.1 200 OK\r\n"));
        if (calls == 20 && ++begun == 4) begun.notify_one();
      }
    });
  for (int seen = begun; seen < 4; seen = begun)
    begun.wait(seen);
  served.server.stop();
}

TEST(Stopping, AcceptsNothingAfterIt) {
  Served served;
  served.server.stop();
  served.server.stop();
  EXPECT_THROW(Peer{served.server.port()}, std::system_error);
}

TEST(Stopping, LeavesTheServiceAsItWas) {
  OneAccount one;
  const std::string id = one.seed();
  {
    const fake::HttpServer server{one.service};
    const fake::HttpServer second{one.service};
    EXPECT_NE(server.port(), second.port());
  }
  EXPECT_EQ(one.get("/v1/payment_records/" + id).status, 200);
}

}  // namespace

}  // namespace tally::test

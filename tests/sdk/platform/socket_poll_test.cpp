// How asynchronous calls wait for sockets, once with each value of TALLY_EVENTS: see CMakeLists.txt.

#include "platform/socket_poll.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <list>
#include <memory>
#include <set>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

namespace tally::detail {
namespace {

using namespace std::chrono_literals;
using Steady = std::chrono::steady_clock;

constexpr SocketEvents nothing{};
constexpr SocketEvents input{.input = true};
constexpr SocketEvents output{.output = true};

/// Two sockets that are connected with each other.
class SocketPair {
 public:
  SocketPair() {
    if (::socketpair(AF_UNIX, SOCK_STREAM, 0, ends_.data()) != 0)
      throw std::system_error{errno, std::generic_category(), "socketpair"};
  }
  SocketPair(const SocketPair&) = delete;
  SocketPair& operator=(const SocketPair&) = delete;
  ~SocketPair() {
    close(ends_[0]);
    hangUp();
  }

  [[nodiscard]] Socket socket() const noexcept { return ends_[0]; }

  void send() const { EXPECT_EQ(::send(ends_[1], "a", 1, 0), 1); }
  void receive() const {
    char byte{};
    EXPECT_EQ(::recv(ends_[0], &byte, 1, 0), 1);
  }
  void hangUp() {
    if (ends_[1] >= 0) close(std::exchange(ends_[1], -1));
  }

 private:
  std::array<int, 2> ends_{};
};

class SocketPolls : public testing::Test, protected SocketReceiver {
 protected:
  void watch(const SocketPair& pair, SocketEvents before, SocketEvents wanted) const {
    poll->reserve(static_cast<std::size_t>(pair.socket()) + 1);
    poll->watch(pair.socket(), before, wanted);
  }

  /// Waits until sockets are ready, and returns which: 0 for none.
  std::set<Socket> wait(std::chrono::nanoseconds atMost = 1h) {
    reported.clear();
    poll->wait(atMost, *this);
    return reported;
  }

  /// How many times a wait returns before `end`, if each waits for the rest of the time.
  int waitsUntil(Steady::time_point end) {
    int waits = 0;
    for (auto left = end - Steady::now(); left > 0ns; left = end - Steady::now(), ++waits)
      EXPECT_EQ(wait(left), std::set<Socket>{});
    return waits;
  }

  std::unique_ptr<SocketPoll> poll = makeSocketPoll();
  std::function<void(Socket, SocketEvents)> onReady{};
  std::set<Socket> reported{};
  SocketEvents events{};  // the last ones

 private:
  void ready(Socket socket, SocketEvents now) noexcept override {
    EXPECT_TRUE(reported.insert(socket).second) << "twice";
    events = now;
    if (onReady) onReady(socket, now);
  }
};

TEST_F(SocketPolls, ReportWhatASocketIsReadyFor) {
  const SocketPair pair;
  watch(pair, nothing, output);
  EXPECT_EQ(wait(), std::set{pair.socket()});
  EXPECT_EQ(events, output);
  watch(pair, output, input);
  EXPECT_EQ(wait(0ns), std::set<Socket>{});
  pair.send();
  EXPECT_EQ(wait(), std::set{pair.socket()});
  EXPECT_EQ(events, input);
  watch(pair, input, {.input = true, .output = true});
  EXPECT_EQ(wait(), std::set{pair.socket()});
  EXPECT_EQ(events, (SocketEvents{.input = true, .output = true}));
}

TEST_F(SocketPolls, ReportAClosedPeerAsInput) {
  SocketPair pair;
  watch(pair, nothing, input);
  pair.hangUp();
  EXPECT_EQ(wait(), std::set{pair.socket()});
  EXPECT_TRUE(events.input);
}

TEST_F(SocketPolls, ReportASocketAgainWhileItIsReady) {
  const SocketPair pair;
  watch(pair, nothing, input);
  pair.send();
  EXPECT_EQ(wait(), std::set{pair.socket()});
  EXPECT_EQ(wait(), std::set{pair.socket()});
  pair.receive();
  EXPECT_EQ(wait(0ns), std::set<Socket>{});
}

TEST_F(SocketPolls, DoNotReportSocketsThatAreNoLongerWatched) {
  std::list<SocketPair> pairs(5);
  for (const SocketPair& pair : pairs) {
    watch(pair, nothing, input);
    pair.send();
  }
  while (pairs.size() > 1) {
    const auto next = pairs.size() % 2 != 0 ? pairs.begin() : std::prev(pairs.end());
    watch(*next, input, nothing);
    pairs.erase(next);
    std::set<Socket> left;
    for (const SocketPair& pair : pairs)
      left.insert(pair.socket());
    EXPECT_EQ(wait(), left);
  }
  watch(pairs.front(), input, nothing);
  EXPECT_EQ(wait(0ns), std::set<Socket>{});
  watch(pairs.front(), nothing, input);
  EXPECT_EQ(wait(), std::set{pairs.front().socket()});
}

TEST_F(SocketPolls, ReportEveryReadySocketEvenIfThereAreMany) {
  std::list<SocketPair> pairs(300);
  for (const SocketPair& pair : pairs) {
    watch(pair, nothing, input);
    pair.send();
  }
  std::set<Socket> all;
  onReady = [&](Socket socket, SocketEvents) {
    all.insert(socket);
    poll->watch(socket, input, nothing);
  };
  for (int waits = 0; all.size() < pairs.size() && waits < 300; ++waits)
    (void)wait();
  EXPECT_EQ(all.size(), pairs.size());
}

TEST_F(SocketPolls, LetAReceiverChangeWhichSocketsAreWatched) {
  std::list<SocketPair> pairs(20);
  for (const SocketPair& pair : pairs) {
    watch(pair, nothing, input);
    pair.send();
  }
  const SocketPair added;
  added.send();
  bool changed = false;
  onReady = [&](Socket, SocketEvents) {
    if (std::exchange(changed, true)) return;
    for (const SocketPair& pair : pairs)
      watch(pair, input, nothing);
    watch(added, nothing, input);
  };
  (void)wait();
  EXPECT_TRUE(changed);
  onReady = {};
  EXPECT_EQ(wait(), std::set{added.socket()});
}

TEST_F(SocketPolls, EndAWaitThatBeginsAfterAWakeUp) {
  poll->wake();
  EXPECT_EQ(wait(), std::set<Socket>{});
}

TEST_F(SocketPolls, EndAWaitDuringWhichAnotherThreadWakesThem) {
  const SocketPair idle;
  watch(idle, nothing, input);
  const std::jthread other{[&] { poll->wake(); }};
  EXPECT_EQ(wait(), std::set<Socket>{});
}

TEST_F(SocketPolls, EndOneWaitAfterManyWakeUps) {
  std::vector<std::jthread> wakers;
  for (int n = 0; n < 4; ++n)
    wakers.emplace_back([&] {
      for (int wakes = 0; wakes < 5'000; ++wakes)
        poll->wake();
    });
  wakers.clear();
  EXPECT_EQ(wait(), std::set<Socket>{});
  EXPECT_LE(waitsUntil(Steady::now() + 20ms), 3);
}

TEST_F(SocketPolls, LoseNoWakeUpFromAnotherThread) {
  constexpr int wakes = 2'000;
  std::atomic<int> asked = 0;
  std::atomic<int> seen = 0;
  const std::jthread other{[&] {
    for (int n = 1; n <= wakes; ++n) {
      asked = n;
      poll->wake();
      seen.wait(n - 1);
    }
  }};
  while (seen < wakes) {
    (void)wait();
    seen = asked.load();
    seen.notify_one();
  }
}

/// Neither in a busy loop nor for much longer: a clock that rounds to milliseconds would do one of both.
TEST_F(SocketPolls, CanWaitForAFractionOfAMillisecond) {
  const SocketPair idle;
  watch(idle, nothing, input);
  constexpr int rounds = 20;
  int waits = 0;
  for (int n = 0; n < rounds; ++n)
    waits += waitsUntil(Steady::now() + 300us);
  EXPECT_LE(waits, 2 * rounds);
}

TEST_F(SocketPolls, DoNotWaitIfTheTimeoutIsZero) {
  const SocketPair idle;
  watch(idle, nothing, input);
  for (int n = 0; n < 100; ++n)
    EXPECT_EQ(wait(0ns), std::set<Socket>{});
}

}  // namespace
}  // namespace tally::detail

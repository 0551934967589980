#include "platform/socket_wait.h"

#include <array>
#include <chrono>
#include <csignal>
#include <thread>

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tally::detail {
namespace {

using namespace std::chrono_literals;

TEST(StoppableWaits, EndWhenAnotherThreadStopsThem) {
  StoppableWait wait;
  const std::jthread stopper{[&] { wait.stop(); }};
  while (wait.pause(1h)) {
  }
  EXPECT_FALSE(wait.awaitInput(-1));
  EXPECT_FALSE(wait.pause(1h));
}

TEST(StoppableWaits, EndWhenASocketHasInput) {
  std::array<int, 2> pair{};
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, pair.data()), 0);
  ASSERT_EQ(::send(pair[1], "a", 1, 0), 1);
  const StoppableWait wait;
  EXPECT_TRUE(wait.awaitInput(pair[0]));
  close(pair[0]);
  close(pair[1]);
}

/// It has the other end of each pipe, too.
TEST(StoppableWaits, EndAlthoughAForkedChildIsStillThere) {
  StoppableWait wait;
  const pid_t child = ::fork();
  if (child == 0) {
    ::pause();
    ::_exit(0);
  }
  ASSERT_GT(child, 0);
  wait.stop();
  EXPECT_FALSE(wait.awaitInput(-1));
  EXPECT_EQ(::kill(child, SIGKILL), 0);
  EXPECT_EQ(::waitpid(child, nullptr, 0), child);
}

/// poll(2) refuses more descriptors than a process may have.
TEST(StoppableWaits, EndWhenTheSystemRefusesToWait) {
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  StoppableWait wait;
  const rlimit one{.rlim_cur = 1, .rlim_max = before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &one), 0);
  EXPECT_TRUE(wait.pause(1h));
  wait.stop();
  EXPECT_FALSE(wait.pause(1h));
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
}

}  // namespace
}  // namespace tally::detail

#include "platform/sockets.h"

#include <array>
#include <cstddef>
#include <vector>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

namespace tally::detail {
namespace {

TEST(Sockets, AreNotInheritedByChildProcesses) {
  const Socket socket = openSocket(AF_INET, SOCK_STREAM, 0);
  ASSERT_GE(socket, 0);
  EXPECT_NE(::fcntl(socket, F_GETFD) & FD_CLOEXEC, 0);
  EXPECT_EQ(closeSocket(socket), 0);
  EXPECT_EQ(closeSocket(socket), -1);
}

TEST(Sockets, LeaveAConnectionThatAnotherProcessShares) {
  std::array<int, 2> pair{};
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, pair.data()), 0);
  const Socket shared = ::dup(pair[0]);
  leaveConnection(pair[0]);
  EXPECT_EQ(::send(pair[0], "a", 1, MSG_NOSIGNAL), -1);
  EXPECT_NE(::fcntl(pair[0], F_GETFD) & FD_CLOEXEC, 0);
  EXPECT_EQ(closeSocket(pair[0]), 0);
  EXPECT_EQ(::send(shared, "b", 1, MSG_NOSIGNAL), 1);
  char received = 0;
  EXPECT_EQ(::recv(pair[1], &received, 1, 0), 1);
  EXPECT_EQ(received, 'b');
  EXPECT_EQ(closeSocket(shared), 0);
  EXPECT_EQ(closeSocket(pair[1]), 0);
}

TEST(Sockets, HaveInputUntilItIsReceived) {
  std::array<int, 2> pair{};
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, pair.data()), 0);
  EXPECT_FALSE(hasInput(pair[0]));
  EXPECT_EQ(::send(pair[1], "a", 1, MSG_NOSIGNAL), 1);
  EXPECT_TRUE(hasInput(pair[0]));
  char received = 0;
  EXPECT_EQ(::recv(pair[0], &received, 1, 0), 1);
  EXPECT_EQ(received, 'a');
  EXPECT_EQ(closeSocket(pair[1]), 0);
  EXPECT_FALSE(hasInput(pair[0])) << "the end of the connection is no input";
  EXPECT_EQ(closeSocket(pair[0]), 0);
}

/// More than are asked about in one system call.
TEST(Sockets, AreRecognizedAsUselessOnceTheirPeersHaveClosed) {
  constexpr std::size_t count = 150;
  std::array<std::array<int, 2>, count> pairs{};
  std::vector<IdleSocket> idle;
  for (auto& pair : pairs) {
    ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, pair.data()), 0);
    idle.push_back({.socket = pair[0]});
    if (idle.size() % 3 == 0) close(pair[1]);
  }
  idle.push_back({});  // unknown
  checkIdle(idle);
  for (std::size_t n = 0; n < count; ++n) {
    EXPECT_EQ(idle[n].isUseless, (n + 1) % 3 == 0) << n;
    close(pairs[n][0]);
    if (!idle[n].isUseless) close(pairs[n][1]);
  }
  EXPECT_FALSE(idle.back().isUseless);
}

}  // namespace
}  // namespace tally::detail

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

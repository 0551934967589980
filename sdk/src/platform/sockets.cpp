#include "platform/sockets.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace tally::detail {

namespace {

#ifdef POLLRDHUP
constexpr short closedByPeer = POLLRDHUP;
#else
constexpr short closedByPeer = 0;  // POLLHUP and POLLERR are always reported
#endif

constexpr std::size_t batch = 64;

void checkBatch(std::span<IdleSocket> sockets) noexcept {
  std::array<pollfd, batch> polled{};
  std::ranges::transform(sockets, polled.begin(), [](const IdleSocket& idle) {
    return pollfd{.fd = idle.socket, .events = closedByPeer, .revents = 0};
  });
  (void)::poll(polled.data(), static_cast<nfds_t>(sockets.size()), 0);
  for (std::size_t i = 0; i < sockets.size(); ++i)
    sockets[i].isUseless = polled[i].revents != 0;
}

}  // namespace

Socket openSocket(int family, int type, int protocol) noexcept {
#ifdef SOCK_CLOEXEC
  return ::socket(family, type | SOCK_CLOEXEC, protocol);
#else
  const Socket socket = ::socket(family, type, protocol);
  if (socket >= 0) (void)::fcntl(socket, F_SETFD, FD_CLOEXEC);
  return socket;
#endif
}

Socket acceptSocket(Socket listener) noexcept {
#ifdef SOCK_CLOEXEC
  return ::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
#else
  const Socket socket = ::accept(listener, nullptr, nullptr);
  if (socket >= 0) (void)::fcntl(socket, F_SETFD, FD_CLOEXEC);
  return socket;
#endif
}

int closeSocket(Socket socket) noexcept {
  return ::close(socket);
}

int localPort(Socket socket) noexcept {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  if (::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size) != 0) return 0;
  if (address.ss_family == AF_INET) return ntohs(reinterpret_cast<const sockaddr_in&>(address).sin_port);
  if (address.ss_family == AF_INET6) return ntohs(reinterpret_cast<const sockaddr_in6&>(address).sin6_port);
  return 0;
}

bool hasInput(Socket socket) noexcept {
  char next = 0;
  return ::recv(socket, &next, 1, MSG_PEEK | MSG_DONTWAIT) > 0;
}

/// After shutdown() alone, Linux would continue to receive.
void disconnect(Socket socket) noexcept {
  const sockaddr none{.sa_family = AF_UNSPEC, .sa_data = {}};
  if (::connect(socket, &none, sizeof none) != 0) (void)::shutdown(socket, SHUT_RDWR);
}

void leaveConnection(Socket socket) noexcept {
  const Socket unconnected = openSocket(AF_UNIX, SOCK_STREAM, 0);
  if (unconnected < 0) return;
  if (::dup2(unconnected, socket) >= 0) (void)::fcntl(socket, F_SETFD, FD_CLOEXEC);
  (void)::close(unconnected);
}

void discardUnsent(Socket socket, std::chrono::nanoseconds timeout) noexcept {
  const ::linger none{.l_onoff = 1, .l_linger = 0};
  (void)::setsockopt(socket, SOL_SOCKET, SO_LINGER, &none, sizeof none);
#ifdef TCP_USER_TIMEOUT
  const auto limit = static_cast<unsigned>(std::clamp<std::int64_t>(
      std::chrono::ceil<std::chrono::milliseconds>(timeout).count(), 1, std::numeric_limits<int>::max()));
  (void)::setsockopt(socket, IPPROTO_TCP, TCP_USER_TIMEOUT, &limit, sizeof limit);
#else
  (void)timeout;
#endif
}

void checkIdle(std::span<IdleSocket> sockets) noexcept {
  while (!sockets.empty()) {
    const std::size_t count = std::min(batch, sockets.size());
    checkBatch(sockets.first(count));
    sockets = sockets.subspan(count);
  }
}

}  // namespace tally::detail

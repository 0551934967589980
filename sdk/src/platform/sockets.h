#pragma once

#include <chrono>
#include <cstdint>
#include <span>

namespace tally::detail {

/// The descriptor of a socket.
#ifdef _WIN32
using Socket = std::uintptr_t;
#else
using Socket = int;
#endif
inline constexpr auto noSocket = static_cast<Socket>(-1);

/// Opens a socket that no child process inherits; `noSocket` if the system refuses.
[[nodiscard]] Socket openSocket(int family, int type, int protocol) noexcept;

/// Accepts a connection as a socket that no child process inherits; `noSocket` if there is none, or if the
/// system refuses.
[[nodiscard]] Socket acceptSocket(Socket listener) noexcept;

/// Returns 0, or -1 if there was no such socket.
int closeSocket(Socket socket) noexcept;

/// The port of this side of a connection; 0 if it has none.
[[nodiscard]] int localPort(Socket socket) noexcept;

/// Whether bytes have arrived that nobody has received yet.
[[nodiscard]] bool hasInput(Socket socket) noexcept;

/// Resets a connection, and discards what it has received. The socket stays open, but can't be used any more.
void disconnect(Socket socket) noexcept;

/// Replaces the socket of a connection that this process shares with another one by a socket without a
/// connection, so that whoever uses or closes it does not disturb the other process.
void leaveConnection(Socket socket) noexcept;

/// The system sends nothing more for a process that has been killed, nor after the time limit. Systems
/// without such options ignore this.
void discardUnsent(Socket socket, std::chrono::nanoseconds timeout) noexcept;

/// An open socket, over which nothing is expected.
struct IdleSocket {
  Socket socket = noSocket;  // if unknown
  bool isUseless = false;    // its peer has closed it, or it has failed
};

/// Finds the useless ones, without waiting.
void checkIdle(std::span<IdleSocket> sockets) noexcept;

}  // namespace tally::detail

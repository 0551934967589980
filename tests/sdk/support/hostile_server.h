#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include <tally/error.h>

#include <poll.h>

#include "sdk/support/wire_fault.h"

namespace tally::test {

/// A server that tries to occupy a client's time or memory, or to confuse it.
struct HostileServer {
  std::string name{};
  /// Responds to a request that has been read. Closes the connection at the end.
  std::function<void(int connection, Turns& turns)> behave{};
  std::optional<ErrorKind> kind{};  // of the error in which a call ends; nullopt: the response is valid
  std::string says{};               // part of the error's message
  std::string scheme = "http";
};

inline std::ostream& operator<<(std::ostream& out, const HostileServer& server) {
  return out << server.name;
}

/// The longest response that clients of these servers accept, in bytes.
inline constexpr std::size_t mostOfHostileResponse = std::size_t{1024} * 1024;

/// Sends `bytes` again and again until the client closes.
inline void sendEndlessly(int connection, std::string_view bytes) {
  while (sendAll(connection, bytes)) {
  }
}

/// Whether the peer closes, or there are any of these events, within a millisecond: sets the pace of a slow
/// server.
inline bool reacts(int connection, short events = POLLIN) {
  pollfd waiting{.fd = connection, .events = events, .revents = 0};
  return poll(&waiting, 1, 1) != 0;
}

/// Sends `bytes` one by one, slowly. False once the client reacts, since it then has had enough.
inline bool trickle(int connection, std::string_view bytes) {
  for (const char& byte : bytes)
    if (reacts(connection) || !sendAll(connection, {&byte, 1})) return false;
  return true;
}

/// The record with another member, of any shape.
std::string recordWith(const std::string& member);

[[nodiscard]] std::vector<HostileServer> endlessServers();
[[nodiscard]] std::vector<HostileServer> slowServers();
[[nodiscard]] std::vector<HostileServer> compressionBombs();
[[nodiscard]] std::vector<HostileServer> hostileTexts();
[[nodiscard]] std::vector<HostileServer> brokenFraming();
[[nodiscard]] std::vector<HostileServer> http2Floods();

}  // namespace tally::test

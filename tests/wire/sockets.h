#pragma once

#include <cerrno>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

namespace tally::test {

/// A loopback socket that listens on a free port.
class Listener {
 public:
  /// `backlog`: the number of unaccepted connections that the system holds, minus one.
  explicit Listener(int backlog = 8) {
    sockaddr_in address = loopback();
    if (bind(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 ||
        listen(socket_, backlog) != 0)
      throw std::system_error{errno, std::generic_category(), "listen"};
    socklen_t size = sizeof address;
    getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &size);
    port_ = ntohs(address.sin_port);
  }
  ~Listener() { close(socket_); }
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  [[nodiscard]] std::string url(const std::string& scheme = "http") const {
    return scheme + "://127.0.0.1:" + std::to_string(port_);
  }
  [[nodiscard]] int acceptOne() const {
    const int connection = accept(socket_, nullptr, nullptr);
    if (connection < 0) throw std::system_error{errno, std::generic_category(), "accept"};
    return connection;
  }

  [[nodiscard]] int port() const noexcept { return port_; }

  /// Pollable: readable when a client has connected.
  [[nodiscard]] int socket() const noexcept { return socket_; }

  /// Ends a wait for a connection by making one.
  void wake() const {
    const int caller = ::socket(AF_INET, SOCK_STREAM, 0);
    if (caller < 0) return;
    sockaddr_in address = loopback();
    address.sin_port = htons(static_cast<std::uint16_t>(port_));
    (void)connect(caller, reinterpret_cast<sockaddr*>(&address), sizeof address);
    close(caller);
  }

 private:
  static sockaddr_in loopback() {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
  }

  int socket_ = ::socket(AF_INET, SOCK_STREAM, 0);
  int port_ = 0;
};

/// Reads to the end of the head, and as much of the body as Content-Length says. `receive` returns the next
/// bytes, and nothing at the end.
template <class Receive>
std::string wholeRequest(Receive receive) {
  std::string request;
  std::size_t whole = std::string::npos;
  while (request.size() < whole) {
    const std::string received = receive();
    if (received.empty()) break;
    request += received;
    const std::size_t end = request.find("\r\n\r\n");
    if (end == std::string::npos) continue;
    const std::size_t length = request.find("Content-Length: ");
    whole = end + 4 + (length < end ? std::stoul(request.substr(length + 16)) : 0);
  }
  return request;
}

inline std::string receiveRequest(int connection) {
  return wholeRequest([connection] {
    char buffer[4'096];
    const ssize_t received = recv(connection, buffer, sizeof buffer, 0);
    return std::string(buffer, static_cast<std::size_t>(received > 0 ? received : 0));
  });
}

/// False once the peer has closed.
inline bool sendAll(int connection, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = send(connection, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

/// Closes a connection with a reset.
inline void resetConnection(int connection) {
  const linger now{.l_onoff = 1, .l_linger = 0};
  setsockopt(connection, SOL_SOCKET, SO_LINGER, &now, sizeof now);
  close(connection);
}

/// Treats every connection the same way, one after the other, on its own thread, until destroyed.
class MisbehavingServer {
 public:
  /// `behave` must close the connection.
  explicit MisbehavingServer(std::function<void(int connection)> behave)
      : behave_(std::move(behave)), thread_([this](const std::stop_token& stop) { serve(stop); }) {}
  ~MisbehavingServer() {
    thread_.request_stop();
    listener_.wake();
  }
  MisbehavingServer(const MisbehavingServer&) = delete;
  MisbehavingServer& operator=(const MisbehavingServer&) = delete;

  [[nodiscard]] std::string url(const std::string& scheme = "http") const { return listener_.url(scheme); }

 private:
  void serve(const std::stop_token& stop) const {
    while (true) {
      const int connection = listener_.acceptOne();
      if (stop.stop_requested()) return static_cast<void>(close(connection));
      behave_(connection);
    }
  }

  Listener listener_{};
  std::function<void(int)> behave_;
  std::jthread thread_;
};

}  // namespace tally::test

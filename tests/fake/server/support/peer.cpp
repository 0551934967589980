#include "fake/server/support/peer.h"

#include <cerrno>
#include <stdexcept>
#include <system_error>
#include <utility>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

namespace tally::test {

Peer::Peer(std::uint16_t port) : socket_(socket(AF_INET, SOCK_STREAM, 0)) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(port);
  const timeval patience{.tv_sec = 30, .tv_usec = 0};
  setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  setsockopt(socket_, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  if (connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
    throw std::system_error{errno, std::generic_category(), "connect"};
}

Peer::~Peer() {
  close(socket_);
}

bool Peer::send(std::string_view bytes) const {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

std::size_t Peer::sendSome(std::string_view bytes) const {
  const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  return sent < 0 ? 0 : static_cast<std::size_t>(sent);
}

void Peer::finish() const {
  shutdown(socket_, SHUT_WR);
}

bool Peer::receive() {
  char buffer[16'384];
  const ssize_t size = recv(socket_, buffer, sizeof buffer, 0);
  if (size < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
    throw std::runtime_error{"no data, and the connection is open; received so far: " + received_};
  if (size < 0) reset_ = true;
  if (size > 0) received_.append(buffer, static_cast<std::size_t>(size));
  return size > 0;
}

std::string Peer::response() {
  std::size_t whole = std::string::npos;
  while (received_.size() < whole) {
    const std::size_t end = received_.find("\r\n\r\n");
    if (end != std::string::npos) {
      const std::size_t length = received_.find("Content-Length: ");
      whole = end + 4 + (length < end ? std::stoul(received_.substr(length + 16)) : 0);
    }
    if (received_.size() < whole && !receive()) return std::exchange(received_, {});
  }
  std::string first = received_.substr(0, whole);
  received_.erase(0, whole);
  return first;
}

std::string Peer::until(std::string_view text) {
  std::size_t found = received_.find(text);
  while (found == std::string::npos && receive())
    found = received_.find(text);
  if (found == std::string::npos) return std::exchange(received_, {});
  std::string first = received_.substr(0, found + text.size());
  received_.erase(0, first.size());
  return first;
}

std::string Peer::rest() {
  while (receive()) {
  }
  return std::exchange(received_, {});
}

std::string getBytes(std::string_view target, std::string_view key, std::string_view headers) {
  std::string bytes = "GET ";
  bytes += target;
  bytes += " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ";
  bytes += key;
  bytes += "\r\n";
  bytes += headers;
  return bytes + "\r\n";
}

std::string postBytes(std::string_view target, std::string_view key, std::string_view body) {
  std::string bytes = "POST ";
  bytes += target;
  bytes += " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ";
  bytes += key;
  bytes += "\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ";
  bytes += std::to_string(body.size()) + "\r\n\r\n";
  bytes += body;
  return bytes;
}

}  // namespace tally::test

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tally::test {

/// A loopback connection with full control over the bytes. Each wait fails after half a minute.
class Peer {
 public:
  explicit Peer(std::uint16_t port);
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;
  ~Peer();

  /// False once the peer has closed.
  bool send(std::string_view bytes) const;

  /// Sends as much as possible without blocking. Returns the number of bytes sent.
  [[nodiscard]] std::size_t sendSome(std::string_view bytes) const;

  /// Shuts down the sending side.
  void finish() const;

  /// Reads a response with its body (by Content-Length); incomplete if the connection ends early.
  std::string response();

  /// Reads up to and including `text`; everything if the connection ends before.
  std::string until(std::string_view text);

  /// Reads everything up to the end of the connection.
  std::string rest();

  /// Whether the connection ended in a reset; known after response() or rest() has reached the end.
  [[nodiscard]] bool wasReset() const noexcept { return reset_; }

 private:
  bool receive();

  int socket_;
  std::string received_{};
  bool reset_ = false;
};

/// The bytes of a GET.
std::string getBytes(std::string_view target, std::string_view key, std::string_view headers = {});

/// The bytes of a POST of a form.
std::string postBytes(std::string_view target, std::string_view key, std::string_view body);

}  // namespace tally::test

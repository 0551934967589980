#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tally::test {

/// A connection over loopback of which a test decides every byte. What it waits for has to come within half a
/// minute.
class Peer {
 public:
  explicit Peer(std::uint16_t port);
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;
  ~Peer();

  /// False once the other end has gone away.
  bool send(std::string_view bytes) const;

  /// As much of them as is taken without waiting; tells how much that was.
  [[nodiscard]] std::size_t sendSome(std::string_view bytes) const;

  /// Nothing more will be sent.
  void finish() const;

  /// One answer with its body, by its Content-Length; what came of it where the connection ended before.
  std::string answer();

  /// Everything up to the end of the connection.
  std::string rest();

  /// Whether the connection was ended by a reset, once answer() or rest() has seen its end.
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

#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "certificates.h"

struct ssl_st;

namespace tally::test {

/// The server's end of TLS on a connection, of which a test decides the rest. Used on one thread, which from
/// then on gets no SIGPIPE; it leaves the connection closed.
class TlsConnection {
 public:
  /// Shakes hands; `protocol` is what it takes of those that the client offers, such as `h2`.
  TlsConnection(int connection, const Identity& identity, std::string_view protocol = "http/1.1");
  TlsConnection(const TlsConnection&) = delete;
  TlsConnection& operator=(const TlsConnection&) = delete;
  ~TlsConnection();

  /// Whether the handshake came to its end.
  [[nodiscard]] bool secure() const noexcept { return secure_; }

  /// What comes next; empty once the client has closed.
  [[nodiscard]] std::string receive();

  void send(std::string_view bytes);

 private:
  int connection_;
  std::unique_ptr<ssl_st, void (*)(ssl_st*)> ssl_;
  bool secure_ = false;
};

}  // namespace tally::test

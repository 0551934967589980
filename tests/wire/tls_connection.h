#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "certificates.h"

struct ssl_st;

namespace tally::test {

/// What a server demands of its clients.
struct TlsDemands {
  std::string clientAuthority{};  ///< The file of the authority of client certificates; empty: demands none.
  int maxVersion = 0;             ///< The latest version, such as TLS1_2_VERSION; 0: any.
};

/// The server side of TLS on a connection; the test decides the rest. For use by one thread, which no longer
/// receives SIGPIPE. Closes the connection at the end.
class TlsConnection {
 public:
  /// Performs the handshake. `protocol` is the one to accept among those that the client offers, such as
  /// `h2`.
  TlsConnection(int connection, const Identity& identity, std::string_view protocol = "http/1.1",
                const TlsDemands& demands = {});
  TlsConnection(const TlsConnection&) = delete;
  TlsConnection& operator=(const TlsConnection&) = delete;
  ~TlsConnection();

  /// Whether the handshake succeeded.
  [[nodiscard]] bool secure() const noexcept { return secure_; }

  /// The next bytes; empty once the client has closed.
  [[nodiscard]] std::string receive();

  /// False once the client has closed.
  bool send(std::string_view bytes);

  /// Tells the client that nothing more follows, and closes this direction of the connection.
  void end();

  /// Pollable.
  [[nodiscard]] int socket() const noexcept { return connection_; }

 private:
  int connection_;
  std::unique_ptr<ssl_st, void (*)(ssl_st*)> ssl_;
  bool secure_ = false;
};

}  // namespace tally::test

#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include <boost/asio/buffer.hpp>
#include <boost/system/error_code.hpp>

#include "net/sockets.h"

namespace tally::fake::detail {

/// One side of TLS on one connection. Never blocks: waits in the loop of the socket. Each operation
/// calls `done` from that loop, also if it fails; `done` keeps this alive.
class Tls {
 public:
  using Error = boost::system::error_code;
  using Done = std::function<void(const Error& error, std::size_t size)>;

  Tls() = default;
  Tls(const Tls&) = delete;
  Tls& operator=(const Tls&) = delete;
  virtual ~Tls() = default;

  virtual void handshake(Done done) = 0;
  virtual void read(boost::asio::mutable_buffer into, Done done) = 0;
  /// Writes all of it.
  virtual void write(boost::asio::const_buffer bytes, Done done) = 0;

  /// Announces the end of the data, so that the peer can distinguish it from an attack.
  virtual void finish() = 0;

  /// Whether the handshake failed because the peer speaks HTTP without TLS.
  [[nodiscard]] virtual bool metPlainHttp() const = 0;

  /// Why the handshake failed; empty if the connection broke.
  [[nodiscard]] virtual std::string problem() const = 0;
};

/// The certificate and the key with which a server speaks TLS. Thread-safe.
class TlsIdentity {
 public:
  TlsIdentity() = default;
  TlsIdentity(const TlsIdentity&) = delete;
  TlsIdentity& operator=(const TlsIdentity&) = delete;
  virtual ~TlsIdentity() = default;

  /// `socket` must outlive the result.
  [[nodiscard]] virtual std::unique_ptr<Tls> on(Socket& socket) const = 0;
};

/// Which servers a client trusts. Thread-safe.
class TlsTrust {
 public:
  TlsTrust() = default;
  TlsTrust(const TlsTrust&) = delete;
  TlsTrust& operator=(const TlsTrust&) = delete;
  virtual ~TlsTrust() = default;

  /// The handshake fails unless the server's certificate is trusted and names `host`, a name or an IP
  /// address. `socket` must outlive the result.
  [[nodiscard]] virtual std::unique_ptr<Tls> to(Socket& socket, const std::string& host) const = 0;
};

/// Trusts the authorities in a file in PEM, or those of the system if the name is empty. Throws as
/// loadIdentity() does.
[[nodiscard]] std::unique_ptr<const TlsTrust> loadTrust(const std::string& authoritiesFile);

/// Loads a certificate, with its chain, and its key from files in PEM. Throws std::runtime_error, with the
/// problem and the fix, if they are of no use or if this build has no TLS.
[[nodiscard]] std::unique_ptr<const TlsIdentity> loadIdentity(const std::string& certificateFile,
                                                              const std::string& keyFile);

}  // namespace tally::fake::detail

#pragma once

#include <cstdint>
#include <string>

#include "certificates.h"
#include "nginx.h"
#include "temporary_folder.h"

namespace tally::test {

struct TlsFrontOptions {
  bool compressed = false;  ///< Compresses responses with gzip for clients that accept it.
};

/// nginx over loopback, in front of plain servers on this machine: HTTPS with HTTP/2, and a certificate from
/// its own authority. It forwards each request unchanged, once, and responds with 502 if the server breaks
/// the connection.
///
/// Ends with this object, or with the thread that created it.
class TlsFront {
 public:
  /// The response header with the protocol of the connection, such as `HTTP/2.0`.
  static constexpr const char* protocol = "Front-Protocol";
  /// The response header with the number of the connection.
  static constexpr const char* connection = "Front-Connection";

  /// Accepts connections when it returns. Throws std::system_error on failure.
  explicit TlsFront(const TlsFrontOptions& options = {});

  /// The URL of the server on that port through this front, such as `https://localhost:40443/40123`.
  [[nodiscard]] std::string url(std::uint16_t serverPort) const;

  /// A PEM file with the authority that signed its certificate.
  [[nodiscard]] const std::string& caFile() const noexcept { return authority_.caFile(); }

 private:
  Authority authority_{};
  TemporaryFolder folder_{};
  Nginx nginx_;
};

}  // namespace tally::test

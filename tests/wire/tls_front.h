#pragma once

#include <cstdint>
#include <string>

#include "certificates.h"
#include "nginx.h"
#include "temporary_folder.h"

namespace tally::test {

struct TlsFrontOptions {
  bool compressed = false;  ///< Answers travel in gzip to whoever takes it.
};

/// nginx over loopback, in front of plain servers on this machine: HTTPS with HTTP/2, and a certificate of an
/// authority of its own. It hands each request on as it came, once, and answers 502 where the server breaks
/// the connection.
///
/// nginx ends with this, or with the thread that made this.
class TlsFront {
 public:
  /// The header of answers that tells by which protocol they travel, such as `HTTP/2.0`.
  static constexpr const char* protocol = "Front-Protocol";
  /// The header of answers that tells on which connection they travel, by number.
  static constexpr const char* connection = "Front-Connection";

  /// Takes connections from now on. Throws std::system_error if it can't.
  explicit TlsFront(const TlsFrontOptions& options = {});

  /// Where the server on that port is reached through the front: as `https://localhost:40443/40123`.
  [[nodiscard]] std::string url(std::uint16_t serverPort) const;

  /// A PEM file with the authority that signed its certificate.
  [[nodiscard]] const std::string& caFile() const noexcept { return authority_.caFile(); }

 private:
  Authority authority_{};
  TemporaryFolder folder_{};
  Nginx nginx_;
};

}  // namespace tally::test

#pragma once

#include <chrono>
#include <string>

#include "temporary_folder.h"

namespace tally::test {

/// A certificate and its key, in PEM.
struct Identity {
  std::string certificate{};
  std::string key{};
};

struct CertificateOptions {
  std::string names = "DNS:localhost, IP:127.0.0.1";   ///< Subject alternative names.
  std::chrono::seconds from = -std::chrono::hours{1};  ///< Start of validity, relative to now.
  std::chrono::seconds until = std::chrono::hours{24};
};

/// The private key in PEM, encrypted with that password.
[[nodiscard]] std::string encryptedKey(const Identity& identity, const std::string& password);

/// A new authority that signs certificates, so that tests need no authority trusted by the machine.
class Authority {
 public:
  Authority();

  /// A file with its own certificate, to be trusted by clients.
  [[nodiscard]] const std::string& caFile() const noexcept { return caFile_; }

  /// The same as text.
  [[nodiscard]] const std::string& caPem() const noexcept { return own_.certificate; }

  [[nodiscard]] Identity issue(const CertificateOptions& options = {}) const;

 private:
  Identity own_;
  TemporaryFolder folder_{};
  std::string caFile_;
};

}  // namespace tally::test

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
  std::string names = "DNS:localhost, IP:127.0.0.1";   ///< Whom it is for.
  std::chrono::seconds from = -std::chrono::hours{1};  ///< When it becomes valid, from now.
  std::chrono::seconds until = std::chrono::hours{24};
};

/// An authority that signs certificates, made anew, so that no test needs one that the machine trusts.
class Authority {
 public:
  Authority();

  /// A file with its own certificate, for those who are to trust it.
  [[nodiscard]] const std::string& caFile() const noexcept { return caFile_; }

  [[nodiscard]] Identity issue(const CertificateOptions& options = {}) const;

 private:
  Identity own_;
  TemporaryFolder folder_{};
  std::string caFile_;
};

}  // namespace tally::test

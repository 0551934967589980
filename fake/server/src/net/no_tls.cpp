#include <stdexcept>

#include "net/tls.h"

namespace tally::fake::detail {

std::unique_ptr<const TlsIdentity> loadIdentity(const std::string& certificateFile,
                                                const std::string& /*keyFile*/) {
  throw std::runtime_error{"can't use " + certificateFile +
                           ": this build has no TLS; install libssl-dev and build tally again"};
}

std::unique_ptr<const TlsTrust> loadTrust(const std::string& /*authoritiesFile*/) {
  throw std::runtime_error{
      "can't connect by HTTPS: this build has no TLS; install libssl-dev and build tally again"};
}

}  // namespace tally::fake::detail

#include <stdexcept>

#include "net/tls.h"

namespace tally::fake::detail {

std::unique_ptr<const TlsIdentity> loadIdentity(const std::string& certificateFile,
                                                const std::string& /*keyFile*/) {
  throw std::runtime_error{"can't use " + certificateFile +
                           ": this build has no TLS; install libssl-dev and build tally again"};
}

}  // namespace tally::fake::detail

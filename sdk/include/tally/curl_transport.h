#pragma once

#include <memory>
#include <string>

#include <tally/transport.h>

namespace tally {

struct CurlTransportOptions {
  /// A file of PEM certificates to trust in place of the system's; empty: the system's.
  std::string caFile{};
};

/// HTTPS by libcurl: certificates are verified, redirects are not followed, nothing is sent twice.
/// The clock that `SendLimits::until` is read on is `clock`.
[[nodiscard]] std::shared_ptr<Transport> curlTransport(std::shared_ptr<Clock> clock,
                                                       CurlTransportOptions options = {});

}  // namespace tally

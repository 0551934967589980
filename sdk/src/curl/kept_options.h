#pragma once

#include <utility>

#include <tally/curl_transport.h>

#include "text/wipe.h"

namespace tally::detail {

/// The options that a transport keeps. The destructor overwrites the private keys, their password and the URL
/// of the proxy, which may contain a password.
struct KeptOptions : CurlTransportOptions {
  explicit KeptOptions(CurlTransportOptions options) noexcept : CurlTransportOptions(std::move(options)) {}
  KeptOptions(const KeptOptions&) = delete;
  KeptOptions& operator=(const KeptOptions&) = delete;
  ~KeptOptions() {
    wipe(clientCertificatePem);
    wipe(clientKeyPem);
    wipe(clientKeyPassword);
    if (proxy) wipe(*proxy);
  }
};

}  // namespace tally::detail

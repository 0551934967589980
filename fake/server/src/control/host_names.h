#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tally/transport.h>

#include "tables/refusal.h"

namespace tally::fake::detail {

/// The names under which a server may be addressed. A web site that a developer visits must not control it:
/// neither from its own origin, nor by a DNS name that it points at this machine.
class HostNames {
 public:
  /// `address` is where the server listens; `more` are further names, without port.
  explicit HostNames(std::string_view address = "127.0.0.1", std::span<const std::string> more = {});

  /// Why a request is refused; nothing if its `Host` is known and its `Origin`, if it has one, is this
  /// server.
  [[nodiscard]] Fault refusal(const HttpRequest& request) const;

  /// Whether `text` is a host name or an IP address without brackets and port.
  [[nodiscard]] static bool isName(std::string_view text);

 private:
  [[nodiscard]] Fault refusalOf(std::string_view host) const;

  std::vector<std::string> names_;  // in lower case
};

}  // namespace tally::fake::detail

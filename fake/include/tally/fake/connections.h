#pragma once

#include <tally/detail/cpp20.h>

#include <tally/fake/accounts.h>
#include <tally/fake/service_part.h>

namespace tally::fake {

/// Which accounts of a Service may act for which other accounts. Made by Service::connections(). Thread-safe,
/// cheap to copy, and may outlive the Service.
class Connections : public detail::ServicePart {
 public:
  using ServicePart::ServicePart;

  /// Lets `platform` act for `connected` with the `Service-Account` header, in both modes, and lists
  /// `connected` among the accounts of `platform`. Throws std::invalid_argument for an unknown account, and
  /// if both are the same. An account that a request creates is connected to its creator, in the mode of the
  /// request.
  void connect(const Account& platform, const Account& connected);
};

}  // namespace tally::fake

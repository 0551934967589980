#pragma once

#include <tally/detail/cpp20.h>

#include <string>

#include <tally/fake/accounts.h>
#include <tally/fake/service_part.h>

namespace tally::fake {

/// The OAuth access tokens of a Service. Made by Service::tokens(). Thread-safe, cheap to copy, and may
/// outlive the Service.
class Tokens : public detail::ServicePart {
 public:
  using ServicePart::ServicePart;

  /// Returns a token with which requests act as `account`. Throws std::invalid_argument for an unknown
  /// account.
  std::string add(const Account& account, bool livemode);

  /// Returns a token with which `platform` acts for `connected`. Throws std::invalid_argument unless the two
  /// are connected in that mode.
  std::string add(const Account& platform, const Account& connected, bool livemode);
};

}  // namespace tally::fake

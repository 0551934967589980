#pragma once

#include <tally/detail/cpp20.h>

#include <string_view>

#include <tally/fake/accounts.h>
#include <tally/fake/service_part.h>
#include <tally/limit_types.h>

namespace tally::fake {

/// The limits of a Service. Usage shows how much of each is used. Made by Service::limits(). Functions throw
/// std::invalid_argument for an unknown limit or account. Thread-safe, cheap to copy, and may outlive the
/// Service. Spec: "Limits".
class Limits : public detail::ServicePart {
 public:
  using ServicePart::ServicePart;

  /// Sets a limit for all present and future accounts. Requests already admitted count too, if they are in
  /// progress or in the window of the limit. An override for one account takes precedence; otherwise, the
  /// last override applies. Throws std::invalid_argument for an operation without that limit, a negative
  /// value, or a country or industry that is not UTF-8.
  void set(const LimitOverride& setting);

  /// Sets a limit for one account.
  void set(const Account& account, const LimitOverride& setting);

  /// Resets a limit, or all limits if `limit` is empty, to the API description, for all accounts. This also
  /// removes the settings for individual accounts.
  void reset(std::string_view limit = {});

  /// Removes only the settings for one account.
  void reset(const Account& account, std::string_view limit = {});
};

}  // namespace tally::fake

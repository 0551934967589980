#pragma once

#include <tally/detail/cpp20.h>

#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include <tally/fake/service_part.h>

namespace tally::fake {

/// An account of the service, and its API keys.
struct Account {
  std::string id{};
  std::string liveKey{};
  std::string sandboxKey{};
};

/// Prints one line, without the keys.
std::ostream& operator<<(std::ostream& out, const Account& value);

/// The properties of an account on which limits may depend.
struct AccountOptions {
  /// A code in UTF-8, compared exactly; the API description uses uppercase codes.
  std::string country = "US";
  std::string industry{};  ///< A name in UTF-8, compared exactly; empty: none.
};

std::ostream& operator<<(std::ostream& out, const AccountOptions& value);

/// The accounts of a Service. Made by Service::accounts(). Service::addAccount() adds an account.
/// Thread-safe, cheap to copy, and may outlive the Service.
class Accounts : public detail::ServicePart {
 public:
  using ServicePart::ServicePart;

  /// The account with that identifier, and its keys, even if a request created it. Throws
  /// std::invalid_argument if there is none.
  [[nodiscard]] Account get(std::string_view id) const;

  /// All accounts, and their keys, in the order in which they were added.
  [[nodiscard]] std::vector<Account> list() const;

  /// Removes an account with its keys, its tokens and its objects, and releases what a test holds in it.
  /// Requests with its keys are then refused; requests in progress continue as if the account still existed.
  /// Platforms can no longer act for the account, but keep their objects that represent it. Existing
  /// snapshots keep the account. Throws std::invalid_argument for an unknown account.
  void remove(const Account& account);
};

}  // namespace tally::fake

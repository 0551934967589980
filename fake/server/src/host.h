#pragma once

#include <deque>
#include <memory>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <tally/fake/service.h>

#include "service_site.h"
#include "text_hash.h"

namespace tally::fake::detail {

struct HostOptions {
  std::uint64_t seed = 1;
  bool virtualClock = false;
  bool limits = true;
};

/// An account of tally-fake, in a service of its own: it shares neither clock nor limits nor faults with
/// others.
struct Tenant {
  Tenant(const ServiceOptions& options, const AccountOptions& accountOptions)
      : service(options), account(service.addAccount(accountOptions)) {}

  Service service;
  Account account;
  ServiceSite site{service};
};

/// Fills the account with so many objects, in the sandbox, of each resource whose objects have states.
void seedRecords(Tenant& tenant, std::size_t count);

/// What tally-fake serves: many accounts behind one port, told apart by their keys.
class Host final : public Site {
 public:
  explicit Host(const HostOptions& options) : options_(options) {}

  /// Never goes away.
  Tenant& add(const AccountOptions& options = {});

  /// Whose key a request bears. One that is unknown is for the first account to refuse.
  [[nodiscard]] Tenant& tenantOf(const HttpRequest& request) const;

  [[nodiscard]] bool mayBlock(const HttpRequest& request) const override;
  [[nodiscard]] Reply reply(const Incoming& incoming, const std::stop_token& stop) override;

 private:
  const HostOptions options_;
  mutable std::shared_mutex mutex_{};
  std::deque<Tenant> tenants_{};
  ByText<Tenant*> byKey_{};
};

}  // namespace tally::fake::detail

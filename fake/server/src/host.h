#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <tally/fake/service.h>

#include "service_site.h"
#include "text/by_text.h"

namespace tally::fake::detail {

/// How many records are made at once at most, also by all of a scenario, and how many requests a log keeps.
inline constexpr std::int64_t mostRecords = 1'000'000;
inline constexpr std::int64_t longestRequestLog = 1'000'000;

struct HostOptions {
  std::uint64_t seed = 1;
  std::size_t requestLog = ServiceOptions{}.requestLog;
  bool virtualClock = false;
  bool limits = true;
};

/// An account to be added, and what is to be different about its service.
struct TenantOptions {
  AccountOptions account{};
  std::optional<bool> virtualClock{};
  std::optional<bool> limits{};
  std::optional<std::chrono::milliseconds> duration{};
  std::optional<std::chrono::milliseconds> lockWait{};
  std::optional<std::chrono::seconds> searchLag{};
  std::optional<std::int64_t> requestLog{};
};

/// An account of tally-fake, in a service of its own: it shares neither clock nor limits nor faults with
/// others.
class Tenant {
 public:
  Tenant(const ServiceOptions& options, const AccountOptions& accountOptions)
      : service(options), account(service.addAccount(accountOptions)) {}

  /// Begins as `origin` is now, with keys of its own.
  Tenant(const Tenant& origin, std::uint64_t keySeed)
      : service(origin.service.fork(keySeed)), account(service.account(origin.account.id)) {}

  /// Keeps what is held until it is released by its number. False where there is none of that number.
  std::uint64_t keep(Held held);
  bool release(std::uint64_t number);

  std::uint64_t takeSnapshot();
  bool restore(std::uint64_t number);

  /// Whether its service has that key or token, which a reset may have taken away.
  [[nodiscard]] bool has(std::string_view key) const;

  /// What reset() goes back to: as it is now.
  void begin() { beginning_.emplace(service.snapshot()); }

  /// Everything as it was in the beginning; but a clock that follows the machine's shows its time.
  void reset();

  Service service;
  Account account;
  ServiceSite site{service, false};

 private:
  std::mutex mutex_{};
  std::uint64_t last_ = 0;
  std::map<std::uint64_t, Held> holds_{};
  std::map<std::uint64_t, Snapshot> snapshots_{};
  std::optional<Snapshot> beginning_{};
};

/// Whose a key is: it acts for an account of a tenant, in one mode.
struct Owner {
  Tenant* tenant = nullptr;
  std::string account{};
  bool livemode = false;
};

inline bool never() {
  return false;
}

/// Fills the account with so many objects, in the sandbox, of each resource whose objects have states; until
/// `stopped` says so.
void seedRecords(Tenant& tenant, std::size_t count, const std::function<bool()>& stopped = never);

/// What tally-fake serves: many accounts behind one port, told apart by their keys.
class Host final : public Site {
 public:
  explicit Host(const HostOptions& options) : options_(options) {}

  /// Never goes away.
  Tenant& add(const TenantOptions& options = {});

  /// Another that begins as `origin` is now, but for what is held of it.
  Tenant& fork(const Tenant& origin);

  /// All whose keys are known, in the order in which they became so; without those that a reset or a restored
  /// snapshot took away.
  [[nodiscard]] std::vector<Account> accounts() const;

  /// From now on the keys of `account` lead to that tenant.
  void know(const Account& account, Tenant& tenant);

  /// So does an access token.
  void know(const std::string& token, const Owner& owner);

  /// Nothing for an unknown key.
  [[nodiscard]] std::optional<Owner> ownerOf(std::string_view key) const;

  /// The owner's tenant; null for an unknown key.
  [[nodiscard]] Tenant* find(std::string_view key) const;

  /// Whose key a request bears. One that is unknown is for the first account to refuse.
  [[nodiscard]] Tenant& tenantOf(const HttpRequest& request) const;

  [[nodiscard]] bool mayBlock(const HttpRequest& request) const override;
  [[nodiscard]] Reply reply(const Incoming& incoming, const std::stop_token& stop) override;

 private:
  [[nodiscard]] std::uint64_t nextSeed();
  Tenant& begin(std::unique_ptr<Tenant> tenant, bool virtualClock);

  const HostOptions options_;
  std::atomic<std::uint64_t> made_ = 0;
  mutable std::shared_mutex mutex_{};
  std::deque<std::unique_ptr<Tenant>> tenants_{};
  tally::detail::ByText<Owner> byKey_{};
  std::vector<std::pair<Account, Tenant*>> accounts_{};
};

}  // namespace tally::fake::detail

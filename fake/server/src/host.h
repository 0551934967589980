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

#include "request_counts.h"
#include "service_handler.h"
#include "text/string_map.h"
#include "traffic.h"

namespace tally::fake::detail {

/// The maximum number of records created at once, also by a whole scenario, and the maximum length of a
/// request log.
inline constexpr std::int64_t mostRecords = 1'000'000;
inline constexpr std::int64_t longestRequestLog = 1'000'000;

struct HostOptions {
  std::uint64_t seed = 1;
  std::size_t requestLog = ServiceOptions{}.requestLog;
  bool virtualClock = false;
  bool limits = true;
};

/// A new account, and how its service differs from the defaults.
struct TenantOptions {
  AccountOptions account{};
  std::optional<bool> virtualClock{};
  std::optional<bool> limits{};
  std::optional<std::chrono::milliseconds> duration{};
  std::optional<std::chrono::milliseconds> lockWait{};
  std::optional<std::chrono::seconds> searchLag{};
  std::optional<std::int64_t> requestLog{};
};

/// What a hold holds: the lock of an object, or places of the concurrency limits.
struct HeldThing {
  std::string account{};
  bool livemode = false;
  std::string object{};
  std::string operation{};  // for places; empty: only of the limits on all operations
  std::int64_t places = 0;  // 0 for a lock
  std::optional<Instant> until{};
};

/// An account of tally-fake in its own service: it shares no clock, limits or faults with others.
class Tenant {
 public:
  Tenant(const ServiceOptions& options, const AccountOptions& accountOptions)
      : service(options), account(service.addAccount(accountOptions)) {}

  /// A copy of `origin` in its current state, with different keys.
  Tenant(const Tenant& origin, std::uint64_t keySeed)
      : service(origin.service.fork(keySeed)), account(service.account(origin.account.id)) {}

  /// Stores a hold and returns its number. release() returns false if the number is unknown.
  std::uint64_t keep(Hold held, HeldThing thing);
  bool release(std::uint64_t number);

  std::uint64_t takeSnapshot();
  bool restore(std::uint64_t number);

  /// Whether the service has this key or token. A reset may have removed it.
  [[nodiscard]] bool has(std::string_view key) const;

  /// What is held now, by the number of its hold.
  [[nodiscard]] std::map<std::uint64_t, HeldThing> held() const;

  /// The numbers of the snapshots.
  [[nodiscard]] std::vector<std::uint64_t> snapshots() const;

  /// Makes the current state the one that reset() restores.
  void begin() { beginning_.emplace(service.snapshot()); }

  /// Restores the initial state. A clock that follows real time shows the current time.
  void reset();

  Service service;
  Account account;
  ServiceHandler handler{service, false};

 private:
  struct Held {
    Hold hold;
    HeldThing thing;
  };

  mutable std::mutex mutex_{};
  std::uint64_t last_ = 0;
  std::map<std::uint64_t, Held> holds_{};
  std::map<std::uint64_t, Snapshot> snapshots_{};
  std::optional<Snapshot> beginning_{};
};

/// The owner of a key: the account of a tenant, in one mode, that it acts for.
struct Owner {
  Tenant* tenant = nullptr;
  std::string account{};
  bool livemode = false;
};

inline bool never() {
  return false;
}

/// Seeds `count` objects in the sandbox for each resource that has states. Stops early once `stopped` returns
/// true.
void insertRecords(Tenant& tenant, std::size_t count, const std::function<bool()>& stopped = never);

/// The accounts that tally-fake serves on one port, identified by their keys.
class Host final : public Handler {
 public:
  explicit Host(const HostOptions& options) : options_(options) {}

  /// Adds a tenant, which lives as long as the host.
  Tenant& add(const TenantOptions& options = {});

  /// Adds a copy of `origin` in its current state, without its holds.
  Tenant& fork(const Tenant& origin);

  /// The accounts with known keys, in the order in which know() was called, except those that a reset or a
  /// restored snapshot removed.
  [[nodiscard]] std::vector<Account> accounts() const;

  /// Routes the keys of `account` to the tenant.
  void know(const Account& account, Tenant& tenant);

  /// Routes an access token to its owner.
  void know(const std::string& token, const Owner& owner);

  /// Nothing if the key is unknown.
  [[nodiscard]] std::optional<Owner> ownerOf(std::string_view key) const;

  /// Null if the key is unknown.
  [[nodiscard]] Tenant* find(std::string_view key) const;

  /// The tenant for the key of a request. The first tenant refuses requests with unknown keys.
  [[nodiscard]] Tenant& tenantOf(const HttpRequest& request) const;

  [[nodiscard]] bool mayBlock(const HttpRequest& request) const override;
  [[nodiscard]] Reply handle(const Incoming& incoming, const std::stop_token& stop) override;

  /// How many accounts have known keys.
  [[nodiscard]] std::size_t accountCount() const;

  /// How many requests the logs have, of all services together.
  [[nodiscard]] std::size_t logSize() const;

  /// What the server counts; the listener that serves this host counts in the first.
  Traffic traffic{};
  RequestCounts counts{};

 private:
  [[nodiscard]] std::uint64_t nextSeed();
  Tenant& begin(std::unique_ptr<Tenant> tenant, bool virtualClock);

  const HostOptions options_;
  std::atomic<std::uint64_t> made_ = 0;
  mutable std::shared_mutex mutex_{};
  std::deque<std::unique_ptr<Tenant>> tenants_{};
  tally::detail::StringMap<Owner> byKey_{};
  std::vector<std::pair<Account, Tenant*>> accounts_{};
};

}  // namespace tally::fake::detail

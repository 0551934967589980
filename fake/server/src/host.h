#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
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

#include "json_input.h"
#include "request_counts.h"
#include "service_handler.h"
#include "state_file.h"
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
  std::size_t requestLogBytes = ServiceOptions{}.requestLogBytes;
  bool virtualClock = false;
  bool limits = true;
  /// How long a tenant stays without a request, in real time. Not set: forever.
  std::optional<std::chrono::seconds> dropIdle{};
  /// Keeps the services from one run to the next.
  std::optional<std::string> stateFile{};
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

/// An account of tally-fake in its own service: it shares no clock, limits or faults with others. Lives until
/// the host has dropped it and nobody uses it any more.
class Tenant {
 public:
  using SteadyTime = std::chrono::steady_clock::time_point;

  Tenant(const ServiceOptions& options, const AccountOptions& accountOptions)
      : service(options), account(service.addAccount(accountOptions)) {}

  /// A copy of the service of `origin` in its current state, with different keys. `id` is one of its
  /// accounts.
  Tenant(const Tenant& origin, std::string_view id, std::uint64_t keySeed)
      : service(origin.service.fork(keySeed)), account(service.accounts().get(id)) {}

  /// A saved service. Throws BadInput.
  explicit Tenant(JsonInput& saved);

  /// Stores a hold and returns its number. release() returns false if the number is unknown.
  std::uint64_t keep(Hold hold);
  bool release(std::uint64_t number);

  std::uint64_t takeSnapshot();
  bool restore(std::uint64_t number);
  bool dropSnapshot(std::uint64_t number);

  /// Removes an account from the service, and what is held of it. Throws std::invalid_argument if the service
  /// has no such account.
  void removeAccount(std::string_view id);

  /// Whether a snapshot or a reset can bring this key or token back.
  [[nodiscard]] bool mayReturn(std::string_view key) const;

  /// Notes a request.
  void use() noexcept { lastUsed_ = std::chrono::steady_clock::now(); }
  [[nodiscard]] SteadyTime lastUsed() const noexcept { return lastUsed_; }

  /// Whether the service has this key or token. A reset may have removed it.
  [[nodiscard]] bool has(std::string_view key) const;

  /// What is held now, by the number of its hold.
  [[nodiscard]] std::map<std::uint64_t, HeldThing> held() const;

  /// The numbers of the snapshots.
  [[nodiscard]] std::vector<std::uint64_t> snapshots() const;

  /// Makes the current state the one that reset() restores.
  void begin() { beginning_.emplace(service.snapshots().take()); }

  /// Restores the initial state. A running clock that is behind real time catches up with it.
  void reset();

  Service service;
  Account account;
  ServiceHandler handler{service, {.responsesTakeTime = false}};

 private:
  std::atomic<SteadyTime> lastUsed_ = std::chrono::steady_clock::now();
  mutable std::mutex mutex_{};
  std::uint64_t last_ = 0;
  std::map<std::uint64_t, Hold> holds_{};
  std::map<std::uint64_t, Snapshot> snapshots_{};
  std::optional<Snapshot> beginning_{};
};

/// The owner of a key: the account of a tenant, in one mode, that it acts for.
struct Owner {
  std::shared_ptr<Tenant> tenant{};
  std::string account{};
  bool livemode = false;
};

inline bool never() {
  return false;
}

/// Calls `insert` with the size of each part of `count` objects, until `stopped` returns true.
void insertInParts(std::size_t count, const std::function<bool()>& stopped,
                   const std::function<void(std::size_t part)>& insert);

/// Seeds `count` objects in the sandbox for each resource that has states. Stops early once `stopped` returns
/// true.
void insertRecords(Tenant& tenant, std::size_t count, const std::function<bool()>& stopped = never);

/// The accounts that tally-fake serves on one port, identified by their keys.
class Host final : public Handler {
 public:
  /// Throws std::runtime_error, with the problem and its remedy, if HostOptions::stateFile can't be used.
  explicit Host(HostOptions options);

  std::shared_ptr<Tenant> add(const TenantOptions& options = {});

  /// Adds a copy of the service of `origin` in its current state, without its holds, for one of its accounts.
  std::shared_ptr<Tenant> fork(const Tenant& origin, std::string_view account);

  /// Adds a saved service. Throws BadInput, also if one of its keys is in use.
  std::shared_ptr<Tenant> import(JsonInput& saved);

  /// Adds the services of the state file. Returns false if there is no such file yet. Throws
  /// std::runtime_error with its name, the problem and its remedy.
  [[nodiscard]] bool loadState();

  /// Replaces the state file, atomically, by one that can be loaded. Throws BadInput without
  /// HostOptions::stateFile, and std::runtime_error, with the problem, if the file keeps its old contents.
  void saveState();

  /// Removes an account from the tenant's service. Requests in progress continue. Drops the tenant with the
  /// last account that a client knows: accounts that requests have created go with it, unless a client has
  /// asked for their keys or used them. Throws std::invalid_argument if the service has no such account.
  void remove(const std::shared_ptr<Tenant>& tenant, std::string_view account);

  /// Forgets the keys of the tenant that neither it nor its snapshots have any more, and drops it if no
  /// client knows a key that it has.
  void forgetGone(const Tenant& tenant);

  /// Drops the tenants that are not in use and had no request for HostOptions::dropIdle until `now`, except
  /// those that keepAll() keeps.
  void dropIdle(Tenant::SteadyTime now);

  /// Keeps the present tenants, however long they are idle.
  void keepAll();

  /// The accounts with known keys, in the order in which know() was called, except those that a reset or a
  /// restored snapshot removed.
  [[nodiscard]] std::vector<Account> accounts() const;

  /// Routes the keys of `account` to the tenant.
  void know(const Account& account, const std::shared_ptr<Tenant>& tenant);

  /// Routes an access token to its owner.
  void know(const std::string& token, const Owner& owner);

  /// Nothing if the key is unknown.
  [[nodiscard]] std::optional<Owner> ownerOf(std::string_view key) const;

  /// Null if the key is unknown.
  [[nodiscard]] std::shared_ptr<Tenant> find(std::string_view key) const;

  /// The tenant for the key of a request. The first tenant refuses requests with unknown keys, even after it
  /// was dropped.
  [[nodiscard]] std::shared_ptr<Tenant> tenantOf(const HttpRequest& request) const;

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
  /// Where a saved service comes from.
  enum class Origin : std::uint8_t { request, stateFile };

  /// A tenant and the keys that lead to it.
  struct Served {
    std::shared_ptr<Tenant> tenant{};
    std::vector<std::string> keys{};
    std::vector<std::uint64_t> accounts{};  // by number
    bool kept = false;
  };
  struct Known {
    Known(Account named, const Served& by, bool told)
        : account(std::move(named)), served(&by), clientKnows(told) {}

    const Account account;
    const Served* const served;
    mutable std::atomic<bool> clientKnows;  // it got the keys in a response, or has used one
  };
  struct Route {
    const Served* served = nullptr;
    std::string account{};
    bool livemode = false;
    const Known* known = nullptr;  // null for a token, which a client got

    void use() const noexcept {
      if (!clientKnows()) known->clientKnows = true;
    }
    [[nodiscard]] bool clientKnows() const noexcept { return known == nullptr || known->clientKnows; }
  };

  [[nodiscard]] std::uint64_t nextSeed();
  template <class Make>
  [[nodiscard]] std::shared_ptr<Tenant> unlessKnown(const Make& make) const;
  [[nodiscard]] std::vector<std::shared_ptr<Tenant>> tenants() const;
  std::shared_ptr<Tenant> join(JsonInput& saved, Origin origin);
  [[nodiscard]] std::string state() const;
  void load(const std::string& state);
  void enter(const Account& account, const std::shared_ptr<Tenant>& tenant, bool clientKnows = true);
  void enter(const std::string& token, const Owner& owner);
  std::shared_ptr<Tenant> begin(const std::shared_ptr<Tenant>& tenant, bool virtualClock);
  void route(Served& served, const std::string& key, Route to);
  void refuseIfKnown(const JsonInput& saved, const std::string& key, Origin origin) const;
  void forgetKeys(Served& served);
  [[nodiscard]] bool isReachable(const Served& served) const;
  [[nodiscard]] std::shared_ptr<Tenant> drop(const Tenant& tenant);
  [[nodiscard]] bool isIdle(const Served& served, Tenant::SteadyTime now) const;

  const HostOptions options_;
  std::optional<StateFile> file_{};
  std::atomic<std::uint64_t> made_ = 0;
  mutable std::shared_mutex mutex_{};
  std::mutex saving_{};
  std::shared_ptr<Tenant> first_{};
  std::unordered_map<const Tenant*, Served> tenants_{};
  tally::detail::StringMap<Route> byKey_{};
  std::uint64_t lastAccount_ = 0;
  std::map<std::uint64_t, Known> accounts_{};  // by number
};

}  // namespace tally::fake::detail

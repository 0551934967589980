#pragma once

#include <atomic>
#include <cstdint>
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

#include "files/state_file.h"
#include "format/json_input.h"
#include "net/handler.h"
#include "net/traffic.h"
#include "tenants/host_options.h"
#include "tenants/owner.h"
#include "tenants/request_counts.h"
#include "tenants/tenant.h"
#include "tenants/tenant_options.h"
#include "text/string_map.h"

namespace tally::fake::detail {

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

  /// Adds the services of the state file, and keeps those that were kept. Returns false if there is no such
  /// file yet. Throws std::runtime_error with its name, the problem and its remedy.
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

  /// Routes the keys of `account` to the tenant. Throws BadInput if they lead to another tenant.
  void know(const Account& account, const std::shared_ptr<Tenant>& tenant);

  /// Adds an account to the service of `tenant`, with keys that lead to no other tenant.
  Account addBeside(const std::shared_ptr<Tenant>& tenant, const AccountOptions& options);

  /// Adds an access token of `owner`, or one with which it acts for the account `connected`. Throws
  /// std::invalid_argument for an unknown account, or one that is not connected.
  std::string addToken(const Owner& owner, const std::optional<std::string>& connected = std::nullopt);

  /// Nothing if the key is unknown.
  [[nodiscard]] std::optional<Owner> ownerOf(std::string_view key) const;

  /// Null if the key is unknown.
  [[nodiscard]] std::shared_ptr<Tenant> find(std::string_view key) const;

  /// The tenant for the key of a request. The first tenant refuses requests with unknown keys, even after it
  /// was dropped.
  [[nodiscard]] std::shared_ptr<Tenant> tenantOf(const HttpRequest& request) const;

  [[nodiscard]] bool mayBlock(const HttpRequest& request) const override;
  [[nodiscard]] Reply handle(const Incoming& incoming, const StopToken& stop) override;

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
  struct KeyOwner {
    const Served* served = nullptr;
    std::string account{};         // that it was told for; another may have the key since
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
  void keep(const Tenant& tenant);
  [[nodiscard]] bool isKept(const Tenant& tenant) const;
  [[nodiscard]] bool isOfAnother(const std::string& key, const Tenant& tenant) const;
  [[nodiscard]] bool isOfAnother(const Account& account, const Tenant& tenant) const;
  [[nodiscard]] bool enterNew(const Account& account, const std::shared_ptr<Tenant>& tenant);
  [[nodiscard]] bool enterNew(const std::string& token, const Owner& owner);
  void enter(const Account& account, const std::shared_ptr<Tenant>& tenant, bool clientKnows = true);
  void enter(const std::string& token, const Owner& owner);
  std::shared_ptr<Tenant> begin(const std::shared_ptr<Tenant>& tenant);
  void route(Served& served, const std::string& key, KeyOwner to);
  void refuseIfKnown(const JsonInput& saved, const std::string& key, Origin origin) const;
  void giveWay(const std::string& key);
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
  tally::detail::StringMap<KeyOwner> byKey_{};
  std::uint64_t lastAccount_ = 0;
  std::map<std::uint64_t, Known> accounts_{};  // by number
};

}  // namespace tally::fake::detail

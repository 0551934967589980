#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string_view>
#include <vector>

#include <tally/fake/service.h>

#include "format/json_input.h"
#include "net/service_handler.h"

namespace tally::fake::detail {

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

  /// Removes an access token, if it exists.
  void removeToken(std::string_view token);

  /// Whether a snapshot or a reset can bring this key or token back.
  [[nodiscard]] bool mayReturn(std::string_view key) const;

  /// Notes a request.
  void use() noexcept { lastUsed_ = std::chrono::steady_clock::now(); }
  [[nodiscard]] SteadyTime lastUsed() const noexcept { return lastUsed_; }

  /// The account and the mode that requests with a key or token act for.
  struct Holder {
    Account account{};
    bool livemode = false;
  };

  /// Who has this key or token now: a snapshot may bring back another account with the same key. Nothing if
  /// the service does not have it; a reset may have removed it.
  [[nodiscard]] std::optional<Holder> holderOf(std::string_view key) const;
  [[nodiscard]] bool has(std::string_view key) const { return holderOf(key).has_value(); }

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

}  // namespace tally::fake::detail

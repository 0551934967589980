#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "accounts/account_limits.h"
#include "accounts/accounts.h"
#include "faults/fault_rules.h"
#include "faults/played_scripts.h"
#include "faults/request_log.h"
#include "faults/requested_faults.h"
#include "tables/catalog.h"
#include "tables/description.h"
#include "tables/id_generator.h"

namespace tally::fake::detail {

/// What a test holds: the lock of an object, or concurrency, as requests in flight use it.
struct Holding {
  std::string account{};
  bool livemode = false;
  const AnyOperation* operation = nullptr;  // for concurrency; null means any operation
  std::int64_t units = 0;                   // 0 for a lock
  std::string object{};                     // the locked object
  std::optional<Instant> until{};           // the end of the lock
};

/// The mutable state of a service. A copy is independent.
struct ServiceState {
  ServiceState(const ServiceOptions& options, const Description& description);

  /// Call on a copy: releases everything that was held of the original, as no test holds it and no request
  /// waits here.
  void dropHolds();
  void release(std::uint64_t number, const LimitPlan& plan, Instant now);

  /// Removes an account with everything it has, and releases what is held of it.
  std::shared_ptr<AccountState> remove(std::string_view account);

  /// Replaces all keys by new ones and removes all tokens. Identifiers created later differ from those of the
  /// original.
  void branch(const Branch& branch);

  /// Applies the limits that fault scripts have changed until `now`.
  void settle(const Catalog& catalog, Instant now) {
    if (now >= scripts.limitsDue()) changeLimits(catalog, now);
  }

  /// Applies the settings to all accounts.
  void applyLimits(const Catalog& catalog);

  Accounts accounts;
  LimitSettings settings{};
  std::unordered_map<const AnyOperation*, std::chrono::nanoseconds> durations{};
  FaultRules rules;
  RequestedFaults requestedFaults;
  PlayedScripts scripts{};
  RequestLog log;
  IdGenerator objectIds;
  IdGenerator requestIds;
  IdGenerator jitterSeeds;
  std::map<std::uint64_t, Holding> holds{};

 private:
  void changeLimits(const Catalog& catalog, Instant now);
};

}  // namespace tally::fake::detail

#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "accounts/accounts.h"
#include "faults/request_log.h"
#include "faults/scripts.h"
#include "tables/description.h"
#include "tables/ids.h"

namespace tally::fake::detail {

/// What a test holds: an object's lock, or places as requests in progress take them.
struct Hold {
  std::string account{};
  bool livemode = false;
  const Operation* operation = nullptr;  // for places; null: any
  std::int64_t places = 0;               // 0 for a lock
  std::string object{};                  // that is locked
};

/// Everything about a service that changes. A copy is a service of its own.
struct State {
  State(const ServiceOptions& options, const Description& description);

  /// What was held of the state that this one was copied from is held no longer, and no request waits here.
  void dropHolds();
  void release(std::uint64_t number, const LimitPlan& plan);

  /// Gives every account other keys in the place of all that there were, and of all tokens. What is made from
  /// now on has other identifiers than in the state that this one was copied from.
  void branch(const Branch& branch);

  Accounts accounts;
  std::vector<LimitSetting> settings{};  // for all accounts, in the order in which they were made
  std::unordered_map<const Operation*, std::chrono::nanoseconds> durations{};
  Scripts scripts;
  RequestLog log;
  Ids objectIds;
  Ids requestIds;
  Ids jitterSeeds;
  std::map<std::uint64_t, Hold> holds{};
};

}  // namespace tally::fake::detail

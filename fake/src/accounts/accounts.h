#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <deque>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <tally/fake/service.h>

#include "limits/limit_counters.h"
#include "limits/object_locks.h"
#include "request/request_head.h"
#include "store/collection.h"
#include "tables/id_generator.h"
#include "tables/refusal.h"
#include "text/string_map.h"
#include "time/sliding_window.h"

namespace tally::fake::detail {

class Catalog;

/// Counts the reads and transactions of an account in one mode. Spec: "Limits", "Read (GET) request
/// allocation".
struct ReadCounters {
  /// To bound the memory, each window is exact only up to this many distinct instants. Beyond that, reads
  /// expire late and transactions early, so the fake never allows more reads than the allocation.
  static constexpr std::size_t mostInstants = 4'096;

  explicit ReadCounters(std::chrono::nanoseconds window)
      : own(window, mostInstants),
        onBehalf(window, mostInstants),
        transactions(window, mostInstants, SlidingWindow::Joined::leaveWithFirst) {}

  SlidingWindow own;
  SlidingWindow onBehalf;  // reads for connected accounts
  SlidingWindow transactions;
};

/// The objects and the limit usage of an account in one mode.
struct ModeState {
  ModeState(const Catalog& catalog, bool livemode);

  std::vector<Collection> collections;  // by resource
  ObjectLocks locks{};
  LimitNumbers numbers;
  LimitCounters counters;
  ReadCounters reads;
  std::set<std::size_t> connected{};  // the accounts it may act for, by number
};

struct AccountState {
  AccountState(const Catalog& catalog, Account named, AccountOptions given);

  [[nodiscard]] ModeState& mode(bool livemode) { return modes[livemode ? 1 : 0]; }

  Account account;
  AccountOptions options;
  std::vector<LimitOverride> settings{};  // its own, oldest first
  std::array<ModeState, 2> modes;
};

/// The account and the mode that a request acts for, and the account whose limits it counts against.
struct Caller {
  AccountState* account = nullptr;
  AccountState* payer = nullptr;
  bool livemode = false;

  [[nodiscard]] ModeState& mode() const { return account->mode(livemode); }
  [[nodiscard]] ModeState& payerMode() const { return payer->mode(livemode); }
  [[nodiscard]] Collection& collection(std::size_t resource) const { return mode().collections[resource]; }
};

/// The accounts, and the keys and tokens that identify them. A copy is independent.
class Accounts {
 public:
  explicit Accounts(std::uint64_t seed);

  const Account& add(const Catalog& catalog, AccountOptions options);

  /// The account `id`, created if it does not exist, and connected to `platform` in its mode.
  AccountState& adopt(const Catalog& catalog, std::string id, AccountOptions options, const Caller& platform);

  /// Replaces all keys by new ones and removes all tokens. Accounts added later have new identifiers, too.
  void changeKeys(const Branch& branch);

  void connect(const Account& platform, const Account& connected);
  std::string addToken(const Account& account, const Account* connected, bool livemode);

  /// Throws std::invalid_argument if the account belongs to another service.
  [[nodiscard]] AccountState& stateOf(std::string_view id);

  [[nodiscard]] std::deque<AccountState>& all() noexcept { return accounts_; }
  [[nodiscard]] AccountState& at(std::size_t number) { return accounts_[number]; }

  /// The owner of a key. Throws std::invalid_argument if the key is unknown.
  [[nodiscard]] Caller ownerOf(std::string_view key);

  /// Determines the account that a request acts for, or refuses the request.
  [[nodiscard]] std::variant<Caller, Refusal> authenticate(const RequestHead& head);

 private:
  struct Key {
    std::size_t payer = 0;
    std::optional<std::size_t> connected{};  // the account that this token acts for
    bool livemode = false;
  };

  std::size_t add(const Catalog& catalog, std::string id, AccountOptions options);
  void addKeys(std::size_t number);
  [[nodiscard]] std::string addKey(std::string_view prefix, const Key& key);
  [[nodiscard]] std::size_t numberOf(std::string_view id) const;
  [[nodiscard]] Caller callerOf(const Key& key);
  [[nodiscard]] std::variant<Caller, Refusal> actFor(const Key& platform, std::string_view account);

  IdGenerator ids_;
  std::deque<AccountState> accounts_{};
  tally::detail::StringMap<Key> keys_{};
  tally::detail::StringMap<std::size_t> byId_{};
};

}  // namespace tally::fake::detail

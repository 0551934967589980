#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <ranges>
#include <set>
#include <string>
#include <string_view>
#include <utility>
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

  /// How many transactions a test may record within a window.
  static constexpr std::int64_t mostTransactions = std::numeric_limits<std::int64_t>::max() / 2;

  explicit ReadCounters(std::chrono::nanoseconds window)
      : own(window, mostInstants),
        onBehalf(window, mostInstants),
        transactions(window, mostInstants, SlidingWindow::Joined::leaveWithFirst) {}

  SlidingWindow own;
  SlidingWindow onBehalf;  // reads for connected accounts
  SlidingWindow transactions;
  UseHistory ownHistory{};
  UseHistory onBehalfHistory{};
};

/// The objects and the limit usage of an account in one mode.
struct ModeState {
  ModeState(const Catalog& catalog, bool livemode);

  std::vector<Collection> collections;  // by resource
  ObjectLocks locks{};
  std::shared_ptr<const LimitNumbers> numbers;
  LimitCounters counters;
  ReadCounters reads;
  std::set<std::size_t> connected{};  // the accounts it may act for, by number
};

struct AccountState {
  AccountState(const Catalog& catalog, Account named, AccountOptions given);

  [[nodiscard]] ModeState& mode(bool livemode) { return modes[livemode ? 1 : 0]; }
  [[nodiscard]] const ModeState& mode(bool livemode) const { return modes[livemode ? 1 : 0]; }

  /// Releases what tests hold.
  void dropHolds();

  Account account;
  AccountOptions options;
  bool adopted = false;                   // a platform has created it by a request, or by inserting an object
  std::vector<LimitOverride> settings{};  // its own, oldest first
  std::array<ModeState, 2> modes;
};

/// The account and the mode that a request acts for, and the account whose limits it counts against. They
/// stay valid if the accounts are removed meanwhile. `State` is an AccountState, const to read it.
template <class State>
struct CallerOf {
  std::shared_ptr<State> account{};
  std::shared_ptr<State> payer{};
  bool livemode = false;

  [[nodiscard]] auto& mode() const { return account->mode(livemode); }
  [[nodiscard]] auto& payerMode() const { return payer->mode(livemode); }
  [[nodiscard]] auto& collection(std::size_t resource) const { return mode().collections[resource]; }
};
using Caller = CallerOf<AccountState>;
using Viewer = CallerOf<const AccountState>;

/// The accounts, and the keys and tokens that identify them. A copy is independent. A const reference leads
/// to nothing that can be changed.
class Accounts {
 public:
  using ByNumber = std::map<std::size_t, std::shared_ptr<AccountState>>;

  explicit Accounts(std::uint64_t seed);
  Accounts(const Accounts& other);
  Accounts& operator=(const Accounts&) = delete;
  ~Accounts() = default;

  const Account& add(const Catalog& catalog, AccountOptions options);

  /// The account `id`, created if it does not exist, and connected to `platform` in its mode.
  AccountState& adopt(const Catalog& catalog, std::string id, AccountOptions options, const Caller& platform);

  /// Removes the account with its keys and tokens, and the tokens that act for it, and disconnects it.
  std::shared_ptr<AccountState> remove(std::string_view id);

  /// Replaces all keys by new ones and removes all tokens. Accounts added later have new identifiers, too.
  void changeKeys(const Branch& branch);

  void connect(const Account& platform, const Account& connected);
  std::string addToken(const Account& account, const Account* connected, bool livemode);
  void removeToken(std::string_view token);

  /// An OAuth access token, the account that it belongs to, and the one that it acts for.
  struct Token {
    std::string text{};
    std::string account{};
    std::optional<std::string> connected{};
    bool livemode = false;
  };

  /// In alphabetical order.
  [[nodiscard]] std::vector<Token> tokens() const;

  /// Adds an account with these keys. Throws std::invalid_argument if the identifier or a key is taken.
  AccountState& add(const Catalog& catalog, const Account& account, AccountOptions options);

  /// Throws std::invalid_argument if the token is taken, or an account unknown.
  void add(const Token& token);

  /// Lets one account act for another in one mode. Throws std::invalid_argument if one is unknown.
  void connect(std::string_view platform, std::string_view connected, bool livemode);

  /// Generates the identifiers and keys.
  [[nodiscard]] IdGenerator& ids() noexcept { return ids_; }
  [[nodiscard]] const IdGenerator& ids() const noexcept { return ids_; }

  /// Throws std::invalid_argument if the account belongs to another service.
  [[nodiscard]] AccountState& stateOf(std::string_view id) { return *at(numberOf(id)); }
  [[nodiscard]] const AccountState& stateOf(std::string_view id) const { return *at(numberOf(id)); }

  [[nodiscard]] bool contains(std::string_view id) const { return byId_.contains(id); }
  [[nodiscard]] bool hasKey(std::string_view key) const { return keys_.contains(key); }

  /// In the order in which they were added.
  [[nodiscard]] const ByNumber& all() noexcept { return accounts_; }
  [[nodiscard]] auto all() const {
    return accounts_ | std::views::transform([](const auto& entry) {
             return std::pair<std::size_t, std::shared_ptr<const AccountState>>{entry};
           });
  }
  [[nodiscard]] const std::shared_ptr<AccountState>& at(std::size_t number) { return accounts_.at(number); }
  [[nodiscard]] std::shared_ptr<const AccountState> at(std::size_t number) const {
    return accounts_.at(number);
  }

  /// The owner of a key. Throws std::invalid_argument if the key is unknown.
  [[nodiscard]] Caller ownerOf(std::string_view key) { return callerOf(keyed(key)); }
  [[nodiscard]] Viewer ownerOf(std::string_view key) const;

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
  void takeKey(const std::string& text, const Key& key);
  [[nodiscard]] std::string addKey(std::string_view prefix, const Key& key);
  [[nodiscard]] std::size_t numberOf(std::string_view id) const;
  [[nodiscard]] const Key& keyed(std::string_view key) const;
  [[nodiscard]] Caller callerOf(const Key& key);
  [[nodiscard]] std::variant<Caller, Refusal> actFor(const Key& platform, std::string_view account);

  IdGenerator ids_;
  std::size_t added_ = 0;  // how many accounts have ever been added: no number is used twice
  ByNumber accounts_{};
  tally::detail::StringMap<Key> keys_{};
  tally::detail::StringMap<std::size_t> byId_{};
};

}  // namespace tally::fake::detail

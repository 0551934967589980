#pragma once

#include <array>
#include <cstddef>
#include <deque>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

#include <tally/fake/service.h>

#include "collection.h"
#include "ids.h"
#include "refusal.h"
#include "request_head.h"

namespace tally::fake::detail {

/// An account, and its objects in both modes.
struct AccountState {
  Account account{};
  std::array<std::vector<Collection>, 2> collections{};  // by mode, then by resource
  std::set<const AccountState*> connected{};             // for which it may act
};

/// For which account, and in which mode, a request acts.
struct Caller {
  AccountState* account = nullptr;
  bool livemode = false;

  [[nodiscard]] Collection& collection(std::size_t resource) const {
    return account->collections[livemode ? 1 : 0][resource];
  }
};

/// The accounts, and the keys and tokens by which requests act as them.
class Accounts {
 public:
  Accounts(std::uint64_t seed, std::size_t resources);

  const Account& add();
  void connect(const Account& platform, const Account& connected);
  std::string addToken(const Account& account, bool livemode);

  /// Whose key it is. Throws std::invalid_argument for an unknown one.
  [[nodiscard]] Caller ownerOf(std::string_view key) const;

  /// For whom a request acts, or why it may not.
  [[nodiscard]] std::variant<Caller, Refusal> admit(const RequestHead& head) const;

 private:
  struct TextHash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  template <class Value>
  using ByText = std::unordered_map<std::string, Value, TextHash, std::equal_to<>>;

  [[nodiscard]] AccountState& stateOf(const Account& account) const;
  [[nodiscard]] std::variant<Caller, Refusal> actFor(const Caller& platform, std::string_view account) const;

  Ids ids_;
  std::size_t resources_;
  std::deque<AccountState> accounts_{};
  ByText<Caller> keys_{};
  ByText<AccountState*> byId_{};
};

}  // namespace tally::fake::detail

#include "accounts.h"

#include <stdexcept>

#include "errors.h"

namespace tally::fake::detail {

namespace {

constexpr std::uint64_t idStream = 1;

}  // namespace

Accounts::Accounts(std::uint64_t seed, std::size_t resources) : ids_(seed, idStream), resources_(resources) {}

const Account& Accounts::add() {
  AccountState& state = accounts_.emplace_back();
  state.account = {ids_.next("acct_"), ids_.next("sk_live_"), ids_.next("sk_test_")};
  for (auto& collections : state.collections)
    collections.resize(resources_);
  keys_.emplace(state.account.liveKey, Caller{&state, true});
  keys_.emplace(state.account.sandboxKey, Caller{&state, false});
  byId_.emplace(state.account.id, &state);
  return state.account;
}

AccountState& Accounts::stateOf(const Account& account) const {
  const auto found = byId_.find(account.id);
  if (found == byId_.end()) throw std::invalid_argument{"this service has no account '" + account.id + "'"};
  return *found->second;
}

void Accounts::connect(const Account& platform, const Account& connected) {
  stateOf(platform).connected.insert(&stateOf(connected));
}

std::string Accounts::addToken(const Account& account, bool livemode) {
  AccountState& state = stateOf(account);
  std::string token = ids_.next(livemode ? "oat_live_" : "oat_test_");
  keys_.emplace(token, Caller{&state, livemode});
  return token;
}

Caller Accounts::ownerOf(std::string_view key) const {
  const auto found = keys_.find(key);
  if (found == keys_.end()) throw std::invalid_argument{"this service has no key '" + std::string{key} + "'"};
  return found->second;
}

std::variant<Caller, Refusal> Accounts::admit(const RequestHead& head) const {
  if (head.authorization == nullptr) return Refusal{.answer = &errors::keyMissing};
  const auto key = keyOf(*head.authorization);
  if (!key) return Refusal{.answer = &errors::keyMissing};
  const auto found = keys_.find(*key);
  if (found == keys_.end()) return Refusal{.answer = &errors::keyUnknown};
  if (head.connectedAccount == nullptr) return found->second;
  return actFor(found->second, *head.connectedAccount);
}

std::variant<Caller, Refusal> Accounts::actFor(const Caller& platform, std::string_view account) const {
  const auto found = byId_.find(account);
  if (found == byId_.end() || !platform.account->connected.contains(found->second))
    return Refusal{.answer = &errors::accountNotConnected, .value = std::string{account}};
  return Caller{found->second, platform.livemode};
}

}  // namespace tally::fake::detail

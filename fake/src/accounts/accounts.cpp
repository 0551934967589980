#include "accounts/accounts.h"

#include <stdexcept>
#include <utility>

#include "errors.h"
#include "tables/catalog.h"

namespace tally::fake::detail {

namespace {

constexpr std::uint64_t idStream = 1;

}  // namespace

ModeState::ModeState(const Catalog& catalog, bool livemode)
    : collections(catalog.types().size()),
      numbers(documentedNumbers(catalog.plan(), livemode)),
      counters(catalog.plan()),
      reads(catalog.readAllocation().window) {}

AccountState::AccountState(const Catalog& catalog, Account named, AccountOptions given)
    : account(std::move(named)),
      options(std::move(given)),
      modes{ModeState{catalog, false}, ModeState{catalog, true}} {}

Accounts::Accounts(std::uint64_t seed) : ids_(seed, idStream) {}

std::size_t Accounts::add(const Catalog& catalog, std::string id, AccountOptions options) {
  const std::size_t number = accounts_.size();
  byId_.emplace(id, number);
  accounts_.emplace_back(catalog, Account{.id = std::move(id)}, std::move(options));
  addKeys(number);
  return number;
}

void Accounts::addKeys(std::size_t number) {
  Account& account = accounts_[number].account;
  account.liveKey = addKey("sk_live_", {.payer = number, .livemode = true});
  account.sandboxKey = addKey("sk_test_", {.payer = number, .livemode = false});
}

std::string Accounts::addKey(std::string_view prefix, const Key& key) {
  std::string text;
  do
    text = ids_.next(prefix);
  while (!keys_.emplace(text, key).second);
  return text;
}

void Accounts::changeKeys(const Branch& branch) {
  ids_ = IdGenerator{branch, idStream};
  keys_.clear();
  for (std::size_t number = 0; number < accounts_.size(); ++number)
    addKeys(number);
}

const Account& Accounts::add(const Catalog& catalog, AccountOptions options) {
  std::string id;
  do
    id = ids_.next("acct_");
  while (byId_.contains(id));
  return accounts_[add(catalog, std::move(id), std::move(options))].account;
}

AccountState& Accounts::adopt(const Catalog& catalog, std::string id, AccountOptions options,
                              const Caller& platform) {
  const auto found = byId_.find(id);
  const std::size_t number =
      found == byId_.end() ? add(catalog, std::move(id), std::move(options)) : found->second;
  platform.mode().connected.insert(number);
  return accounts_[number];
}

std::size_t Accounts::numberOf(std::string_view id) const {
  const auto found = byId_.find(id);
  if (found == byId_.end())
    throw std::invalid_argument{"this service has no account '" + std::string{id} + "'"};
  return found->second;
}

AccountState& Accounts::stateOf(std::string_view id) {
  return accounts_[numberOf(id)];
}

void Accounts::connect(const Account& platform, const Account& connected) {
  const std::size_t number = numberOf(connected.id);
  for (ModeState& mode : stateOf(platform.id).modes)
    mode.connected.insert(number);
}

std::string Accounts::addToken(const Account& account, const Account* connected, bool livemode) {
  Key key{.payer = numberOf(account.id), .livemode = livemode};
  if (connected != nullptr) {
    key.connected = numberOf(connected->id);
    if (!accounts_[key.payer].mode(livemode).connected.contains(*key.connected))
      throw std::invalid_argument{"'" + connected->id + "' is not connected to '" + account.id + "'"};
  }
  return addKey(livemode ? "oat_live_" : "oat_test_", key);
}

Caller Accounts::callerOf(const Key& key) {
  AccountState& payer = accounts_[key.payer];
  return {&accounts_[key.connected.value_or(key.payer)], &payer, key.livemode};
}

Caller Accounts::ownerOf(std::string_view key) {
  const auto found = keys_.find(key);
  if (found == keys_.end()) throw std::invalid_argument{"this service has no key '" + std::string{key} + "'"};
  return callerOf(found->second);
}

std::variant<Caller, Refusal> Accounts::authenticate(const RequestHead& head) {
  if (head.authorization == nullptr) return Refusal{.response = &errors::keyMissing};
  const auto key = keyOf(*head.authorization);
  if (!key) return Refusal{.response = &errors::keyMissing};
  const auto found = keys_.find(*key);
  if (found == keys_.end()) return Refusal{.response = &errors::keyUnknown};
  if (head.connectedAccount == nullptr) return callerOf(found->second);
  return actFor(found->second, *head.connectedAccount);
}

/// A token for one connected account can't act for another.
std::variant<Caller, Refusal> Accounts::actFor(const Key& platform, std::string_view account) {
  const auto found = byId_.find(account);
  AccountState& payer = accounts_[platform.payer];
  if (found == byId_.end() || platform.connected.value_or(found->second) != found->second ||
      !payer.mode(platform.livemode).connected.contains(found->second))
    return Refusal{.response = &errors::accountNotConnected, .value = std::string{account}};
  return Caller{&accounts_[found->second], &payer, platform.livemode};
}

}  // namespace tally::fake::detail

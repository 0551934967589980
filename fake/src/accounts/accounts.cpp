#include "accounts/accounts.h"

#include <algorithm>
#include <stdexcept>

#include "errors.h"
#include "tables/catalog.h"
#include "wire.h"

namespace tally::fake::detail {

namespace {

constexpr std::uint64_t idStream = 1;

/// Otherwise the request would act for the owner of the key, and a test would not notice.
Refusal refuseForeign(const std::string& header) {
  return {.response = &errors::bodyInvalid,
          .param = header,
          .detail = "the header '" + header + "' names an account, but this service expects it in '" +
                    std::string{tally::detail::header::connectedAccount} + "'"};
}

}  // namespace

ModeState::ModeState(const Catalog& catalog, bool livemode)
    : collections(catalog.types().size()),
      numbers(catalog.documentedNumbers(livemode)),
      reads(catalog.readAllocation().window) {}

AccountState::AccountState(const Catalog& catalog, Account named, AccountOptions given)
    : account(std::move(named)),
      options(std::move(given)),
      modes{ModeState{catalog, false}, ModeState{catalog, true}} {}

void AccountState::dropHolds() {
  for (ModeState& mode : modes) {
    mode.locks.dropHeld();
    mode.counters.dropHeld();
  }
}

Accounts::Accounts(std::uint64_t seed) : ids_(seed, idStream) {}

Accounts::Accounts(const Accounts& other)
    : ids_(other.ids_),
      added_(other.added_),
      accounts_(other.accounts_),
      keys_(other.keys_),
      byId_(other.byId_) {
  for (auto& [number, account] : accounts_)
    account = std::make_shared<AccountState>(*account);
}

std::size_t Accounts::add(const Catalog& catalog, std::string id, AccountOptions options) {
  const std::size_t number = added_++;
  byId_.emplace(id, number);
  accounts_.emplace(
      number, std::make_shared<AccountState>(catalog, Account{.id = std::move(id)}, std::move(options)));
  addKeys(number);
  return number;
}

void Accounts::addKeys(std::size_t number) {
  Account& account = at(number)->account;
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

void Accounts::takeKey(const std::string& text, const Key& key) {
  if (text.empty()) throw std::invalid_argument{"a key can't be empty"};
  if (!keys_.emplace(text, key).second) throw std::invalid_argument{"the key '" + text + "' is taken"};
}

std::vector<Accounts::Token> Accounts::tokens() const {
  std::vector<Token> all;
  for (const auto& [text, key] : keys_) {
    const Account& payer = accounts_.at(key.payer)->account;
    if (text == payer.liveKey || text == payer.sandboxKey) continue;
    Token token{.text = text, .account = payer.id, .livemode = key.livemode};
    if (key.connected) token.connected = accounts_.at(*key.connected)->account.id;
    all.push_back(std::move(token));
  }
  std::ranges::sort(all, {}, &Token::text);
  return all;
}

AccountState& Accounts::add(const Catalog& catalog, const Account& account, AccountOptions options) {
  if (account.id.empty()) throw std::invalid_argument{"the identifier of an account can't be empty"};
  if (contains(account.id)) throw std::invalid_argument{"the account '" + account.id + "' already exists"};
  const std::size_t number = added_++;
  takeKey(account.liveKey, {.payer = number, .livemode = true});
  takeKey(account.sandboxKey, {.payer = number, .livemode = false});
  byId_.emplace(account.id, number);
  return *accounts_.emplace(number, std::make_shared<AccountState>(catalog, account, std::move(options)))
              .first->second;
}

void Accounts::add(const Token& token) {
  Key key{.payer = numberOf(token.account), .livemode = token.livemode};
  if (token.connected) key.connected = numberOf(*token.connected);
  takeKey(token.text, key);
}

void Accounts::connect(std::string_view platform, std::string_view connected, bool livemode) {
  stateOf(platform).mode(livemode).connected.insert(numberOf(connected));
}

void Accounts::changeKeys(const Branch& branch) {
  ids_ = IdGenerator{branch, idStream};
  keys_.clear();
  for (const auto& [number, account] : accounts_)
    addKeys(number);
}

const Account& Accounts::add(const Catalog& catalog, AccountOptions options) {
  std::string id;
  do
    id = ids_.next("acct_");
  while (byId_.contains(id));
  return at(add(catalog, std::move(id), std::move(options)))->account;
}

AccountState& Accounts::adopt(const Catalog& catalog, std::string id, AccountOptions options,
                              const Caller& platform) {
  const auto found = byId_.find(id);
  const bool isNew = found == byId_.end();
  const std::size_t number = isNew ? add(catalog, std::move(id), std::move(options)) : found->second;
  AccountState& account = *at(number);
  if (account.account.id != platform.account->account.id) platform.mode().connected.insert(number);
  account.adopted = account.adopted || isNew;
  return account;
}

std::shared_ptr<AccountState> Accounts::remove(std::string_view id) {
  const std::size_t number = numberOf(id);
  std::erase_if(keys_, [number](const auto& entry) {
    return entry.second.payer == number || entry.second.connected == number;
  });
  byId_.erase(byId_.find(id));
  std::shared_ptr<AccountState> removed = std::move(accounts_.extract(number).mapped());
  for (const auto& [other, account] : accounts_)
    for (ModeState& mode : account->modes)
      mode.connected.erase(number);
  return removed;
}

std::size_t Accounts::numberOf(std::string_view id) const {
  const auto found = byId_.find(id);
  if (found == byId_.end())
    throw std::invalid_argument{"this service has no account '" + std::string{id} + "'"};
  return found->second;
}

void Accounts::connect(const Account& platform, const Account& connected) {
  if (platform.id == connected.id)
    throw std::invalid_argument{"the account '" + platform.id + "' can't be connected to itself"};
  const std::size_t number = numberOf(connected.id);
  for (ModeState& mode : stateOf(platform.id).modes)
    mode.connected.insert(number);
}

std::string Accounts::addToken(const Account& account, const Account* connected, bool livemode) {
  Key key{.payer = numberOf(account.id), .livemode = livemode};
  if (connected != nullptr) {
    key.connected = numberOf(connected->id);
    if (!at(key.payer)->mode(livemode).connected.contains(*key.connected))
      throw std::invalid_argument{"'" + connected->id + "' is not connected to '" + account.id + "'"};
  }
  return addKey(livemode ? "oat_live_" : "oat_test_", key);
}

void Accounts::removeToken(std::string_view token) {
  if (const auto found = keys_.find(token); found != keys_.end()) keys_.erase(found);
}

const Accounts::Key& Accounts::keyed(std::string_view key) const {
  const auto found = keys_.find(key);
  if (found == keys_.end()) throw std::invalid_argument{"this service has no key '" + std::string{key} + "'"};
  return found->second;
}

Caller Accounts::callerOf(const Key& key) {
  return {at(key.connected.value_or(key.payer)), at(key.payer), key.livemode};
}

Viewer Accounts::ownerOf(std::string_view key) const {
  const Key& found = keyed(key);
  return {at(found.connected.value_or(found.payer)), at(found.payer), found.livemode};
}

std::variant<Caller, Refusal> Accounts::authenticate(const RequestHead& head) {
  if (head.authorization == nullptr) return Refusal{.response = &errors::keyMissing};
  const auto key = keyOf(*head.authorization);
  if (!key) return Refusal{.response = &errors::keyMissing};
  const auto found = keys_.find(*key);
  if (found == keys_.end()) return Refusal{.response = &errors::keyUnknown};
  if (head.connectedAccount != nullptr) return actFor(found->second, *head.connectedAccount);
  if (head.foreignAccount != nullptr) return refuseForeign(head.foreignAccount->name);
  return callerOf(found->second);
}

/// A token for one connected account can't act for another.
std::variant<Caller, Refusal> Accounts::actFor(const Key& platform, std::string_view account) {
  const auto found = byId_.find(account);
  const std::shared_ptr<AccountState>& payer = at(platform.payer);
  if (found == byId_.end() || platform.connected.value_or(found->second) != found->second ||
      !payer->mode(platform.livemode).connected.contains(found->second))
    return Refusal{.response = &errors::accountNotConnected, .value = std::string{account}};
  return Caller{at(found->second), payer, platform.livemode};
}

}  // namespace tally::fake::detail

#include "tenants/tenant.h"

#include <algorithm>
#include <utility>

#include "engine/engine.h"
#include "engine/service_state.h"
#include "tenants/saved_service.h"

namespace tally::fake::detail {

namespace {

/// Adds removal, which the public class does not offer.
class RemovableTokens : public Tokens {
 public:
  explicit RemovableTokens(const Tokens& tokens) : Tokens(tokens) {}

  void remove(std::string_view token) { engine_->change()->accounts.removeToken(token); }
};

/// Adds what the public class does not tell.
class HeldAccounts : public fake::Accounts {
 public:
  explicit HeldAccounts(const fake::Accounts& accounts) : fake::Accounts(accounts) {}

  [[nodiscard]] std::optional<Tenant::Holder> holderOf(std::string_view key) const {
    const auto reading = engine_->read();
    if (!reading->accounts.hasKey(key)) return std::nullopt;
    const Viewer holder = reading->accounts.ownerOf(key);
    return Tenant::Holder{holder.account->account, holder.livemode};
  }
};

}  // namespace

Tenant::Tenant(JsonInput& saved) : service(SavedService::read(saved)) {
  const std::vector<Account> accounts = service.accounts().list();
  if (accounts.empty()) saved.fail("accounts", "expected at least one");
  account = accounts.front();
}

std::uint64_t Tenant::keep(Hold hold) {
  const std::lock_guard lock{mutex_};
  holds_.emplace(++last_, std::move(hold));
  return last_;
}

bool Tenant::release(std::uint64_t number) {
  const std::lock_guard lock{mutex_};
  return holds_.erase(number) != 0;
}

std::uint64_t Tenant::takeSnapshot() {
  const std::lock_guard lock{mutex_};
  snapshots_.emplace(++last_, service.snapshots().take());
  return last_;
}

bool Tenant::restore(std::uint64_t number) {
  const std::lock_guard lock{mutex_};
  const auto found = snapshots_.find(number);
  if (found == snapshots_.end()) return false;
  holds_.clear();
  service.snapshots().restore(found->second);
  return true;
}

bool Tenant::dropSnapshot(std::uint64_t number) {
  const std::lock_guard lock{mutex_};
  return snapshots_.erase(number) != 0;
}

void Tenant::removeAccount(std::string_view id) {
  const std::lock_guard lock{mutex_};
  std::erase_if(holds_, [&](const auto& each) {
    const auto held = each.second.held();
    return held && held->account == id;
  });
  service.accounts().remove({.id = std::string{id}});
}

void Tenant::removeToken(std::string_view token) {
  RemovableTokens{service.tokens()}.remove(token);
}

bool Tenant::mayReturn(std::string_view key) const {
  const auto has = [&](const Snapshot& snapshot) { return snapshot.state()->accounts.hasKey(key); };
  const std::lock_guard lock{mutex_};
  return (beginning_ && has(*beginning_)) ||
         std::ranges::any_of(snapshots_, [&](const auto& taken) { return has(taken.second); });
}

std::optional<Tenant::Holder> Tenant::holderOf(std::string_view key) const {
  return HeldAccounts{service.accounts()}.holderOf(key);
}

/// A lock that has ended stays until it is released.
std::map<std::uint64_t, HeldThing> Tenant::held() const {
  const std::lock_guard lock{mutex_};
  std::map<std::uint64_t, HeldThing> present;
  for (const auto& [number, hold] : holds_)
    if (auto held = hold.held()) present.emplace(number, *std::move(held));
  return present;
}

std::vector<std::uint64_t> Tenant::snapshots() const {
  const std::lock_guard lock{mutex_};
  std::vector<std::uint64_t> numbers;
  numbers.reserve(snapshots_.size());
  for (const auto& [number, snapshot] : snapshots_)
    numbers.push_back(number);
  return numbers;
}

void Tenant::reset() {
  const std::lock_guard lock{mutex_};
  holds_.clear();
  snapshots_.clear();
  if (beginning_) service.snapshots().restore(*beginning_);
  service.clock()->catchUp(std::chrono::system_clock::now());
}

}  // namespace tally::fake::detail

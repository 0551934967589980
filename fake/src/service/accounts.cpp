#include <tally/fake/accounts.h>

#include "engine/engine.h"

namespace tally::fake {

Account Accounts::get(std::string_view id) const {
  return engine_->read()->accounts.stateOf(id).account;
}

std::vector<Account> Accounts::list() const {
  const auto reading = engine_->read();
  std::vector<Account> present;
  for (const auto& [number, account] : reading->accounts.all())
    present.push_back(account->account);
  return present;
}

/// Destroys the account without holding the lock, since that may take long.
void Accounts::remove(const Account& account) {
  std::shared_ptr<detail::AccountState> removed;
  const auto change = engine_->change();
  removed = change->remove(account.id);
  change.wakeAll();
}

}  // namespace tally::fake

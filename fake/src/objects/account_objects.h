#pragma once

#include <tally/clock.h>

#include "accounts/account_limits.h"
#include "accounts/accounts.h"
#include "tables/catalog.h"

namespace tally::fake::detail {

/// Creates an account from `object`, which `platform` has stored, and lets the platform act for it in its
/// mode. If the account exists, only connects it. `settings` are the limits set for all accounts.
void makeAccount(const Catalog& catalog, Accounts& accounts, const LimitSettings& settings,
                 const Caller& platform, const ResourceType& type, tally::detail::ConstObjectRef object,
                 Instant now);

/// Connects two accounts in both modes.
void connectAccounts(const Catalog& catalog, Accounts& accounts, const Account& platform,
                     const Account& connected, Instant now);

}  // namespace tally::fake::detail

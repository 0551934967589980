#pragma once

#include <string_view>
#include <vector>

#include <tally/fake/limits.h>

#include "accounts/accounts.h"
#include "tables/catalog.h"

namespace tally::fake::detail {

/// Adds a setting. One that an earlier one was about takes its place, so there are never more than there are
/// numbers to be set.
void addSetting(const LimitSetting& setting, std::vector<LimitSetting>& settings);

/// Computes the numbers of an account from the description, from what was set for all accounts, and from what
/// was set for it.
void applySettings(const Catalog& catalog, const std::vector<LimitSetting>& forAll, AccountState& account);

/// How much of its limits an account has used in one mode: those that are on or used.
[[nodiscard]] std::vector<LimitUsage> usageOf(const Catalog& catalog, Accounts& accounts,
                                              AccountState& account, bool livemode, Instant now);

/// Whose a limit is where a key makes requests: of the account that it acts for, or of the one that it
/// belongs to.
[[nodiscard]] AccountState& holderOf(const Catalog& catalog, std::string_view limit, const Caller& owner);

/// A limit of which nothing is used. Throws std::invalid_argument for one that does not exist.
[[nodiscard]] LimitUsage unusedLimit(const Catalog& catalog, AccountState& account, bool livemode,
                                     std::string_view limit, std::string_view of, Instant now);

}  // namespace tally::fake::detail

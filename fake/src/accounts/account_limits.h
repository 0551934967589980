#pragma once

#include <string_view>
#include <vector>

#include <tally/fake/limit_history.h>
#include <tally/fake/limit_usage.h>

#include "accounts/accounts.h"
#include "tables/catalog.h"

namespace tally::fake::detail {

/// The limits set for all accounts, oldest first.
struct LimitSettings {
  std::vector<LimitOverride> lasting{};
  std::vector<LimitOverride> scripted{};  // by fault scripts, for now
};

/// Adds a setting. It replaces an earlier one for the same limit, mode, operation, country and industry,
/// which bounds the size of the list.
void addOverride(const LimitOverride& setting, std::vector<LimitOverride>& settings);

/// Removes the settings of a limit, or, if `limit` is empty, all.
void removeOverrides(std::string_view limit, std::vector<LimitOverride>& settings);

/// Computes the limits of an account from the description, from the lasting settings for all accounts, from
/// its own settings, and from those of scripts; the last one applies.
void applyOverrides(const Catalog& catalog, const LimitSettings& forAll, AccountState& account);

/// The usage of the limits of an account in one mode; includes those that are on or used.
[[nodiscard]] std::vector<LimitUsage> usageOf(const Catalog& catalog, const Accounts& accounts,
                                              const AccountState& account, bool livemode, Instant now);

/// The history of the limits of an account in one mode; includes those that counted or refused requests.
[[nodiscard]] std::vector<LimitHistory> historyOf(const Catalog& catalog, const Accounts& accounts,
                                                  const AccountState& account, bool livemode, Instant now);

/// The account that a limit belongs to when a key makes requests: the account it acts for, or the owner of
/// the key.
[[nodiscard]] const AccountState& holderOf(const Catalog& catalog, std::string_view limit,
                                           const Viewer& owner);

/// A limit without usage. Throws std::invalid_argument if it does not exist.
[[nodiscard]] LimitUsage unusedLimit(const Catalog& catalog, const AccountState& account, bool livemode,
                                     std::string_view limit, std::string_view of, Instant now);

}  // namespace tally::fake::detail

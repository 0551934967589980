#pragma once

#include <tally/clock.h>

#include "engine/service_state.h"
#include "tables/catalog.h"

namespace tally::fake::detail {

/// Creates an account from `object`, which `platform` has stored, and lets the platform act for it in its
/// mode. If the account exists, only connects it.
void makeAccount(const Catalog& catalog, ServiceState& state, const Caller& platform,
                 const ResourceType& type, tally::detail::ConstObjectRef object, Instant now);

/// Connects two accounts in both modes.
void connectAccounts(const Catalog& catalog, ServiceState& state, const Account& platform,
                     const Account& connected, Instant now);

}  // namespace tally::fake::detail

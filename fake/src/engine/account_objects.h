#pragma once

#include <tally/clock.h>

#include "engine/state.h"
#include "tables/catalog.h"

namespace tally::fake::detail {

/// Makes an account of `object`, which is in the store of `platform`: one that it may act for, in its mode.
/// What is an account already is only connected.
void makeAccount(const Catalog& catalog, State& state, const Caller& platform, const ResourceType& type,
                 const void* object, Instant now);

/// Connects two accounts, in both modes.
void connectAccounts(const Catalog& catalog, State& state, const Account& platform, const Account& connected,
                     Instant now);

}  // namespace tally::fake::detail

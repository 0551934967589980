#pragma once

#include <string_view>

#include "tenants/host.h"
#include "tenants/insertion.h"

namespace tally::fake::detail {

/// Adds the accounts of a JSON scenario, with their records, limits, durations, transactions and faults. A
/// scenario has at least one account. Stops creating records once `stopped` returns true. Throws BadInput,
/// which names the place.
void load(std::string_view scenario, Host& host, const Stopped& stopped = never);

}  // namespace tally::fake::detail

#pragma once

#include <string_view>

#include "host.h"

namespace tally::fake::detail {

/// Adds the accounts that a scenario describes in JSON, with their records, limits, durations, transactions
/// and faults; at least one. Throws BadInput, which says where.
void load(std::string_view scenario, Host& host);

}  // namespace tally::fake::detail

#pragma once

#include <functional>
#include <string_view>

#include "host.h"

namespace tally::fake::detail {

/// Adds the accounts that a scenario describes in JSON, with their records, limits, durations, transactions
/// and faults; at least one. Once `stopped` says so, no more records are made. Throws BadInput, which says
/// where.
void load(std::string_view scenario, Host& host, const std::function<bool()>& stopped = never);

}  // namespace tally::fake::detail

#pragma once

#include <tally/fake/fault_script.h>

#include "har/har_reader.h"

namespace tally::fake::detail {

/// A script that lets the fake fail as the service did in a recording: the errors, refusals and lost
/// connections at their times, each with its share of the requests, and the latencies of each operation.
/// Requests for no operation of the API description do not count. Throws tally::detail::HarError for what is
/// no recording, and std::invalid_argument for one without requests, with nothing to play, or longer than 100
/// years.
[[nodiscard]] FaultScript deriveScript(tally::detail::HarReader& recording);

}  // namespace tally::fake::detail

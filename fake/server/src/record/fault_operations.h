#pragma once

#include "control/host_names.h"
#include "net/handler.h"
#include "record/injected_faults.h"

namespace tally::fake::detail {

/// Responds to a request under `/_fake/` of a recorder: `/_fake/faults` as in the control API, without a key.
[[nodiscard]] Reply faultOperation(InjectedFaults& faults, const Incoming& incoming, const HostNames& hosts,
                                   Instant now);

}  // namespace tally::fake::detail

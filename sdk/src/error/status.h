#pragma once

namespace tally::detail {

/// Whether a server or an intermediary that responds with this status only stops waiting, while processing
/// may continue: 408, and the non-standard 460 and 499 of balancers and gateways.
constexpr bool stopsWaiting(int status) {
  return status == 408 || status == 460 || status == 499;
}

}  // namespace tally::detail

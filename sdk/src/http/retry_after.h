#pragma once

#include <chrono>
#include <optional>

#include <tally/clock.h>
#include <tally/transport.h>

namespace tally::detail {

/// For how long a service wants to be left alone (`Retry-After`, in seconds or as a date). Nothing where it
/// does not say so, or not in a way that can be read. A date is compared with that of the answer, and with
/// `now` only where the answer has none, for the clocks of two machines differ.
[[nodiscard]] std::optional<std::chrono::seconds> retryAfter(const HttpResponse& response, Instant now);

}  // namespace tally::detail

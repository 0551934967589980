#pragma once

#include <chrono>
#include <optional>

#include <tally/clock.h>
#include <tally/transport.h>

namespace tally::detail {

/// How long the service asks to wait (`Retry-After`, in seconds or as a date); nullopt if absent or
/// unreadable. A date is compared with the response's `Date`, and with `now` only if that is absent, since
/// clocks differ between machines.
[[nodiscard]] std::optional<std::chrono::seconds> retryAfter(const HttpResponse& response, Instant now);

}  // namespace tally::detail

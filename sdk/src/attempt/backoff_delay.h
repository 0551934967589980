#pragma once

#include <chrono>
#include <cstdint>

#include <tally/error.h>
#include <tally/options.h>

namespace tally::detail {

/// The wait before the `number`th retry, from 1: exponential, with equal jitter, uniform in [d/2, d). Spec:
/// "Client handling of 429".
[[nodiscard]] std::chrono::nanoseconds backoffDelay(const Backoff& backoff, int number,
                                                    std::uint64_t& random);

/// The wait that `error` asks for by Retry-After, capped; 0 if it asks for none. It is added to the backoff,
/// whose jitter spreads clients that were told to return at the same time.
[[nodiscard]] std::chrono::nanoseconds retryAfterDelay(const Backoff& backoff, const Error& error);

}  // namespace tally::detail

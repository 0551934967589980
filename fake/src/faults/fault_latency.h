#pragma once

#include <chrono>
#include <cstdint>

#include <tally/fake/fault_rule.h>

namespace tally::fake::detail {

/// The latency of one request, from 0 to 100 years. Advances `random` only if the latency varies.
[[nodiscard]] std::chrono::nanoseconds drawLatency(const FaultRule& rule, std::uint64_t& random);

}  // namespace tally::fake::detail

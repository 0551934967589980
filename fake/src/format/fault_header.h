#pragma once

#include <string_view>

#include <tally/fake/fault_rule.h>

namespace tally::fake::detail {

inline constexpr std::string_view faultHeaderName = "Tally-Fake-Fault";

/// The rule in a header such as `response_lost; times=2; latency_ms=300`: the name of a fault, or a parameter
/// (RFC 9110, 5.6.6), followed by further parameters. They are the members of a rule of the control API, but
/// for those that select requests; `status`, `body` and `retry_after` make its response. Without `times`, the
/// rule applies any number of times. Throws std::invalid_argument, which names the part that is wrong.
[[nodiscard]] FaultRule readFaultHeader(std::string_view value);

}  // namespace tally::fake::detail

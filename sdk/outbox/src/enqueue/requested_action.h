#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tally::detail {

/// Throws OutboxError unless a person may ask for the action about a report in this state. No state: there is
/// no such report.
void checkAction(std::string_view action, std::uint64_t report, std::optional<std::string_view> state);

/// Throws OutboxError, because a report on the object has not been decided.
[[noreturn]] void refuseToErase(std::uint64_t report, std::string_view object);

}  // namespace tally::detail

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <tally/clock.h>

namespace tally::detail {

/// A time with nanoseconds, as the control API writes it: `2026-01-01T00:00:00.000000000Z`.
[[nodiscard]] std::string toText(Instant time);

/// The time that a text in RFC 3339 names. Nothing if it is not one, or out of range.
[[nodiscard]] std::optional<Instant> instantOf(std::string_view text);

/// The time that is `seconds` after the Unix epoch. Nothing if it is out of range.
[[nodiscard]] std::optional<Instant> instantOf(std::int64_t seconds);

}  // namespace tally::detail

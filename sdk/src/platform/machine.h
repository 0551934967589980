#pragma once

#include <cstdint>
#include <string>

#include <tally/clock.h>

namespace tally::detail {

/// The name of this machine, `unknown` if it has none.
[[nodiscard]] std::string hostName();

[[nodiscard]] int processId() noexcept;

/// The user with whose rights the process acts.
[[nodiscard]] std::uint64_t userId() noexcept;

/// A time that never goes back, and continues while the machine is suspended, where the system has such a
/// clock.
[[nodiscard]] Instant bootTime() noexcept;

}  // namespace tally::detail

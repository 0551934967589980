#pragma once

#include <cerrno>
#include <system_error>

namespace tally::detail {

/// Why the last call of the system failed.
[[nodiscard]] inline std::error_code lastError() noexcept {
  return {errno, std::generic_category()};
}

}  // namespace tally::detail

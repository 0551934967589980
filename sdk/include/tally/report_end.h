#pragma once

#include <tally/detail/cpp20.h>

#include <cstdint>
#include <iosfwd>
#include <string_view>

namespace [[gnu::visibility("default")]] tally {

/// How a report of reportAll() ended.
enum class ReportEnd : std::uint8_t {
  applied,  ///< It has been applied.
  refused,  ///< It has not been applied and can't be: it is invalid, or the service refuses it.
  unknown,  ///< It may have been applied.
  unsent,   ///< It has not been applied, and was not refused. It can be sent later.
};

/// The readable name, such as `refused`.
[[nodiscard]] std::string_view toString(ReportEnd end) noexcept;
std::ostream& operator<<(std::ostream& out, ReportEnd end);

}  // namespace tally

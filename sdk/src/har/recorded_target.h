#pragma once

#include <string_view>

namespace tally::detail {

/// What of a recorded URL distinguishes one request from another: its path, from the version of the API on,
/// and its query. A gateway may add a prefix to the path.
[[nodiscard]] std::string_view recordedTarget(std::string_view url);

}  // namespace tally::detail

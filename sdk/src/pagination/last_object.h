#pragma once

#include <string>
#include <string_view>

namespace tally::detail {

/// Returns `page` with only the last of its objects, found by scanning the text from both ends, so that the
/// part in between is not read. Empty if that fails.
///
/// Exact for a page with one array directly below the top level, which is what the service sends. Other texts
/// are safe, but the result need not be JSON.
[[nodiscard]] std::string withLastObjectOnly(std::string_view page);

}  // namespace tally::detail

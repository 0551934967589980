#pragma once

#include <string>
#include <string_view>

namespace tally::detail {

/// `page` with no more than the last of its objects, told from the text alone: from both of its ends, so that
/// what lies between them is not read. Empty where there is no telling.
///
/// Exact for a page with one array right below its top, as the service sends them. Any other text does no
/// harm; what comes of it need not be JSON.
[[nodiscard]] std::string withLastObjectOnly(std::string_view page);

}  // namespace tally::detail

#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <boost/system/error_code.hpp>

namespace tally::detail {

/// Appends the JSON value that `json` begins with, of any shape, as compact text; numbers stay as they are
/// written. How many bytes were read, up to the fault where one is found.
[[nodiscard]] std::size_t appendRawJson(std::string& out, std::string_view json,
                                        boost::system::error_code& failed);

}  // namespace tally::detail

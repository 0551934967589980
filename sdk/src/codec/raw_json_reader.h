#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <boost/system/error_code.hpp>

namespace tally::detail {

/// Appends the JSON value at the start of `json`, of any shape, as compact text; numbers keep their spelling.
/// Returns the number of bytes read, or up to the error.
[[nodiscard]] std::size_t appendRawJson(std::string& out, std::string_view json,
                                        boost::system::error_code& failed);

}  // namespace tally::detail

#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <boost/system/error_code.hpp>

namespace tally::detail {

/// The deepest nesting of a value that a response may contain.
inline constexpr std::size_t maxRawDepth = 128;

/// Appends the JSON value at the start of `json`, of any shape, as compact text; numbers keep their spelling.
/// Deeper nesting than `deepest` levels is an error. Returns the number of bytes read, or up to the error.
[[nodiscard]] std::size_t appendRawJson(std::string& out, std::string_view json,
                                        boost::system::error_code& failed, std::size_t deepest = maxRawDepth);

/// Appends `json`, one JSON value with white space around it, as compact text. False if it is anything else;
/// then `out` may have a part of it.
[[nodiscard]] bool appendJsonText(std::string& out, std::string_view json);

}  // namespace tally::detail

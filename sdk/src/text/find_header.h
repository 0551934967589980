#pragma once

#include <ranges>
#include <string>
#include <string_view>
#include <vector>

#include <tally/transport.h>

#include "text/ascii.h"

namespace tally::detail {

/// The value of the first header with that name (case-insensitive); null if there is none.
inline const std::string* findHeader(const std::vector<Header>& headers, std::string_view name) noexcept {
  for (const Header& header : headers)
    if (equalIgnoringCase(header.name, name)) return &header.value;
  return nullptr;
}

/// The same for the last one.
inline const std::string* findLastHeader(const std::vector<Header>& headers, std::string_view name) noexcept {
  for (const Header& header : std::views::reverse(headers))
    if (equalIgnoringCase(header.name, name)) return &header.value;
  return nullptr;
}

}  // namespace tally::detail

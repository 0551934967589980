#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "text/url.h"

namespace tally::detail {

/// Whether a client can use this URL as `baseUrl`. A program that checks it first sends and writes nothing
/// for a wrong one.
[[nodiscard]] inline bool isServiceAddress(std::string_view url) {
  const std::string_view scheme = url.substr(0, url.find("://"));
  if (scheme.size() == url.size() || (scheme != "https" && scheme != "http")) return false;
  if (endOfAuthority(url) <= scheme.size() + 3) return false;
  return std::ranges::all_of(url, [](char c) { return c > ' ' && c != '?' && c != '#' && c != '\x7F'; });
}

}  // namespace tally::detail

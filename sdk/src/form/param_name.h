#pragma once

#include <string>
#include <string_view>

namespace tally::detail {

/// The name of a nested parameter as in forms: `metadata[order]`. Just `name` if `outer` is empty.
inline std::string paramName(std::string_view outer, std::string_view name) {
  if (outer.empty()) return std::string{name};
  std::string result;
  result.reserve(outer.size() + name.size() + 2);
  result += outer;
  result += '[';
  result += name;
  result += ']';
  return result;
}

}  // namespace tally::detail

#pragma once

#include <boost/json/array.hpp>

namespace tally::fake::detail {

/// An array of what `toJson` makes of each element.
template <class Elements, class ToJson>
[[nodiscard]] boost::json::array arrayOf(const Elements& elements, const ToJson& toJson) {
  boost::json::array all;
  for (const auto& element : elements)
    all.push_back(toJson(element));
  return all;
}

}  // namespace tally::fake::detail

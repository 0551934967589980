#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace tally::detail {

/// Reserves space for `more` elements, so that adding them allocates nothing and can't fail. Grows
/// geometrically, as push_back() does.
template <class T>
void reserveMore(std::vector<T>& elements, std::size_t more) {
  const std::size_t needed = elements.size() + more;
  if (needed > elements.capacity()) elements.reserve(std::max(needed, 2 * elements.capacity()));
}

}  // namespace tally::detail

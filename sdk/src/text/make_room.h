#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace tally::detail {

/// Makes room for so many more elements: to add them takes no memory then, and so does not fail. Grows as
/// push_back() does.
template <class T>
void makeRoom(std::vector<T>& elements, std::size_t more) {
  const std::size_t needed = elements.size() + more;
  if (needed > elements.capacity()) elements.reserve(std::max(needed, 2 * elements.capacity()));
}

}  // namespace tally::detail

#pragma once

#include <list>
#include <string>
#include <vector>

#include "text/string_map.h"

namespace tally::fake::detail {

/// The order of the objects of one list, put together from the pages that a recording shows.
class ListOrder {
 public:
  /// Learns the order of consecutive objects, newest first: a page, and the cursor next to it. `newest`:
  /// whether they were the newest objects at that time.
  void learn(const std::vector<std::string>& ids, bool newest = false);

  /// Calls `visit` for each identifier, newest first.
  template <class Visit>
  void forEach(const Visit& visit) const {
    for (const std::string& id : order_)
      visit(id);
  }

 private:
  using Place = std::list<std::string>::iterator;

  std::list<std::string> order_{};
  tally::detail::StringMap<Place> places_{};
};

}  // namespace tally::fake::detail

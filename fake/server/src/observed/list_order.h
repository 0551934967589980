#pragma once

#include <cstddef>
#include <list>
#include <string>
#include <string_view>
#include <vector>

#include "text/string_map.h"

namespace tally::fake::detail {

/// The order of the objects of one list, put together from the pages that a recording shows.
class ListOrder {
 public:
  /// A page, newest first. `after` and `before`: the objects that it follows or precedes; empty if unknown.
  void learn(const std::vector<std::string>& page, std::string_view after, std::string_view before);

  /// Calls `visit` for each identifier, newest first.
  template <class Visit>
  void forEach(const Visit& visit) const {
    for (const std::string& id : order_)
      visit(id);
  }

 private:
  using Place = std::list<std::string>::iterator;

  [[nodiscard]] Place startOf(const std::vector<std::string>& page, std::string_view after,
                              std::string_view before);

  std::list<std::string> order_{};
  tally::detail::StringMap<Place> places_{};
};

}  // namespace tally::fake::detail

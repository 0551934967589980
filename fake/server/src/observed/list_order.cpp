#include "observed/list_order.h"

#include <iterator>

namespace tally::fake::detail {

/// Where the new objects at the start of the page belong.
ListOrder::Place ListOrder::startOf(const std::vector<std::string>& page, std::string_view after,
                                    std::string_view before) {
  if (const auto found = places_.find(after); found != places_.end()) return std::next(found->second);
  for (const std::string& id : page)
    if (const auto found = places_.find(id); found != places_.end()) return found->second;
  if (const auto found = places_.find(before); found != places_.end()) return found->second;
  return order_.end();
}

void ListOrder::learn(const std::vector<std::string>& page, std::string_view after, std::string_view before) {
  Place place = startOf(page, after, before);
  for (const std::string& id : page) {
    const auto found = places_.find(id);
    if (found != places_.end()) {
      place = std::next(found->second);
    } else {
      places_.emplace(id, order_.insert(place, id));
    }
  }
}

}  // namespace tally::fake::detail

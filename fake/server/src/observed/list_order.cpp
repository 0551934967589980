#include "observed/list_order.h"

#include <iterator>

namespace tally::fake::detail {

/// New objects are put before the first known one, or after the known one that they follow. If none is known,
/// the newest objects were created after all known ones, and other objects before them.
void ListOrder::learn(const std::vector<std::string>& ids, bool newest) {
  Place place = newest ? order_.begin() : order_.end();
  for (const std::string& id : ids)
    if (const auto found = places_.find(id); found != places_.end()) {
      place = found->second;
      break;
    }
  for (const std::string& id : ids) {
    const auto found = places_.find(id);
    if (found != places_.end()) {
      place = std::next(found->second);
    } else {
      places_.emplace(id, order_.insert(place, id));
    }
  }
}

}  // namespace tally::fake::detail

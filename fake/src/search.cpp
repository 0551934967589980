#include "search.h"

#include "any_object.h"
#include "json_reader.h"

namespace tally::fake::detail {

bool Search::finds(const Record& record) const {
  if (record.stored() > indexed_) return false;
  AnyObject object{model_};
  (void)tally::detail::readJson(record.json(), model_, object.data());
  return query_.matches(object.data());
}

std::vector<const Record*> Search::find(std::optional<Position> after, std::size_t limit) const {
  const auto& ordered = collection_.newestFirst();
  std::vector<const Record*> found;
  for (auto it = after ? ordered.upper_bound(*after) : ordered.begin();
       it != ordered.end() && found.size() < limit; ++it)
    if (finds(*it)) found.push_back(&*it);
  return found;
}

std::size_t Search::count(std::size_t cap) const {
  std::size_t count = 0;
  for (const Record& record : collection_.newestFirst()) {
    if (count == cap) break;
    if (finds(record)) ++count;
  }
  return count;
}

}  // namespace tally::fake::detail

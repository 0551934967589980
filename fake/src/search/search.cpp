#include "search/search.h"

#include "json/json_reader.h"
#include "schema/any_object.h"
#include "search/candidates.h"

namespace tally::fake::detail {

bool Search::finds(const Record& record) const {
  if (record.stored() > indexed_) return false;
  AnyObject object{model_};
  (void)tally::detail::readJson(record.json(), object.ref());
  return query_.matches(object.ref());
}

std::vector<const Record*> Search::find(std::optional<Position> after, std::size_t limit) const {
  const auto candidates = candidatesFor(query_, model_, collection_, after);
  std::vector<const Record*> found;
  while (found.size() < limit) {
    const Record* record = candidates->next();
    if (record == nullptr) break;
    if (finds(*record)) found.push_back(record);
  }
  return found;
}

std::size_t Search::count(std::size_t cap) const {
  const auto candidates = candidatesFor(query_, model_, collection_, std::nullopt);
  std::size_t count = 0;
  while (count < cap) {
    const Record* record = candidates->next();
    if (record == nullptr) break;
    if (finds(*record)) ++count;
  }
  return count;
}

}  // namespace tally::fake::detail

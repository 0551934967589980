#include "store/collection.h"

#include <vector>

namespace tally::fake::detail {

const Record* Collection::find(std::string_view id) const {
  const auto number = ids_.find(id, records_);
  return number ? &records_[*number] : nullptr;
}

void Collection::add(std::string_view id, std::string_view json, std::int64_t created, Instant stored,
                     std::uint8_t state, const SharedText& shared) {
  const Position position{created, records_.size()};
  records_.push_back(Record{shared, id, json, position, stored, state});
  bool isInOrder = false;
  try {
    order_.insert(position);
    isInOrder = true;
    if (!indexes_.empty()) indexes_.add(json, position);
    ids_.add(id, position.index());
  } catch (...) {
    indexes_ = SearchIndexes{};
    if (isInOrder) order_.erase(position);
    records_.pop_back();
    throw;
  }
}

void Collection::replace(std::string_view id, std::string_view json, std::uint8_t state) {
  Record& record = records_.change(*ids_.find(id, records_));
  try {
    if (!indexes_.empty()) indexes_.move(record.json(), json, record.position());
    record.replace(json, state);
  } catch (...) {
    indexes_ = SearchIndexes{};
    throw;
  }
}

bool Collection::keepIndexes(const Collection& searched, std::size_t most) const {
  if (indexes_.useAllOf(searched.indexes_)) return true;
  const auto places = records_.changesSince(searched.records_, most);
  if (!places) return false;
  std::vector<SearchIndexes::Change> changes;
  for (const std::size_t place : *places)
    changes.push_back({place < searched.size() ? &searched.records_[place] : nullptr, records_[place]});
  indexes_.adopt(searched.indexes_, changes);
  return true;
}

}  // namespace tally::fake::detail

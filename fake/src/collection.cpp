#include "collection.h"

namespace tally::fake::detail {

const Record* Collection::find(std::string_view id) const {
  const auto number = ids_.find(id, records_);
  return number ? &records_[*number] : nullptr;
}

void Collection::add(std::string_view id, std::string_view json, std::int64_t created, Instant stored,
                     std::uint8_t state) {
  const Position position{created, records_.size()};
  records_.push_back(Record{id, json, position, stored, state});
  ids_.add(id, position.sequence);
  order_.insert(position);
  if (!indexes_.empty()) indexes_.add(json, position);
}

void Collection::replace(std::string_view id, std::string_view json, std::uint8_t state) {
  Record& record = records_.change(*ids_.find(id, records_));
  if (!indexes_.empty()) indexes_.move(record.json(), json, record.position());
  record.replace(json, state);
}

}  // namespace tally::fake::detail

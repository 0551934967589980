#include "collection.h"

namespace tally::fake::detail {

const Record* Collection::find(std::string_view id) const {
  const auto& byId = records_.get<ById>();
  const auto found = byId.find(id);
  return found == byId.end() ? nullptr : &*found;
}

void Collection::add(std::string_view id, std::string_view json, std::int64_t created, Instant stored,
                     std::uint8_t state) {
  records_.emplace(id, json, Position{created, sequence_++}, stored, state);
}

void Collection::replace(std::string_view id, std::string_view json, std::uint8_t state) {
  auto& byId = records_.get<ById>();
  byId.modify(byId.find(id), [&](Record& record) { record.replace(json, state); });
}

}  // namespace tally::fake::detail

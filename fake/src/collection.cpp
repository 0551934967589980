#include "collection.h"

namespace tally::fake::detail {

const Record* Collection::find(std::string_view id) const {
  const auto& byId = records_.get<ById>();
  const auto found = byId.find(id);
  return found == byId.end() ? nullptr : &*found;
}

void Collection::add(std::string_view id, std::string_view json, std::int64_t created, Instant stored,
                     std::uint8_t state) {
  const Position position{created, records_.size()};
  records_.emplace_back(id, json, position, stored, state);
  if (!indexes_.empty()) indexes_.add(json, position);
}

void Collection::replace(std::string_view id, std::string_view json, std::uint8_t state) {
  auto& byId = records_.get<ById>();
  const auto found = byId.find(id);
  if (!indexes_.empty()) indexes_.move(found->json(), json, found->position());
  byId.modify(found, [&](Record& record) { record.replace(json, state); });
}

}  // namespace tally::fake::detail

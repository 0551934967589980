#include <algorithm>
#include <stdexcept>
#include <vector>

#include <tally/fake/objects.h>

#include "engine/engine.h"
#include "objects/object_list.h"
#include "service/input_check.h"

namespace tally::fake {

using detail::Collection;
using detail::ResourceType;

namespace {

/// Names that match nothing would look like an empty store.
void checkFilter(const detail::Catalog& catalog, const ObjectFilter& filter) {
  if (!filter.resource.empty()) (void)typeNamed(catalog, filter.resource);
  const auto has = [&](const ResourceType& type) {
    return (filter.resource.empty() || filter.resource == type.resource().name) &&
           std::ranges::find(type.machine().states, filter.state) != type.machine().states.end();
  };
  if (!filter.state.empty() && std::ranges::none_of(catalog.types(), has))
    throw std::invalid_argument{
        (filter.resource.empty() ? "no resource has a" : filter.resource + " has no") + " state '" +
        filter.state + "'"};
}

}  // namespace

std::optional<StoredObject> Objects::get(std::string_view key, std::string_view id) const {
  const auto reading = engine_->read();
  return findObject(engine_->catalog(), reading->accounts.ownerOf(key).mode().collections, id);
}

/// Reads a copy, so that requests need not wait.
ObjectList Objects::list(std::string_view key, const ObjectFilter& filter) const {
  checkFilter(engine_->catalog(), filter);
  const std::vector<Collection> collections = engine_->read()->accounts.ownerOf(key).mode().collections;
  return listObjects(engine_->catalog(), collections, filter);
}

std::optional<std::string> Objects::stateOf(std::string_view key, std::string_view id) const {
  const auto reading = engine_->read();
  const detail::Viewer owner = reading->accounts.ownerOf(key);
  for (const ResourceType& type : engine_->catalog().types()) {
    const auto* record = owner.collection(engine_->catalog().indexOf(type.resource())).find(id);
    const auto states = type.machine().states;
    if (record != nullptr && !states.empty()) return std::string{states[record->state()]};
  }
  return std::nullopt;
}

}  // namespace tally::fake

#include "objects/object_list.h"

#include <chrono>
#include <cstddef>
#include <string>
#include <utility>

namespace tally::fake::detail {

namespace {

std::string_view stateNameOf(const ResourceType& type, const Record& record) {
  const auto states = type.machine().states;
  return states.empty() ? std::string_view{} : states[record.state()];
}

StoredObject storedObject(const ResourceType& type, const Record& record) {
  return {.resource = std::string{type.resource().name},
          .id = std::string{record.id()},
          .state = std::string{stateNameOf(type, record)},
          .created = std::chrono::sys_seconds{std::chrono::seconds{record.position().created}},
          .json = record.json()};
}

class Listing {
 public:
  explicit Listing(const ObjectFilter& filter) : filter_(filter) {}

  void add(const ResourceType& type, const Collection& collection) {
    const auto states = type.machine().states;
    std::vector<std::size_t> counts(states.empty() ? 1 : states.size());
    const bool wanted = filter_.resource.empty() || filter_.resource == type.resource().name;
    for (const Record& record : collection.newestFirst()) {
      ++counts[states.empty() ? 0 : record.state()];
      if (wanted && matches(type, record)) keep(type, record);
    }
    for (std::size_t i = 0; i < counts.size(); ++i)
      list_.counts.push_back({std::string{type.resource().name},
                              states.empty() ? std::string{} : std::string{states[i]}, counts[i]});
  }

  [[nodiscard]] ObjectList take() { return std::move(list_); }

 private:
  [[nodiscard]] bool matches(const ResourceType& type, const Record& record) const {
    return (filter_.state.empty() || filter_.state == stateNameOf(type, record)) &&
           record.id().find(filter_.text) != std::string_view::npos;
  }

  void keep(const ResourceType& type, const Record& record) {
    if (list_.objects.size() < filter_.limit) {
      list_.objects.push_back(storedObject(type, record));
    } else {
      list_.hasMore = true;
    }
  }

  const ObjectFilter& filter_;
  ObjectList list_{};
};

}  // namespace

std::optional<StoredObject> findObject(const Catalog& catalog, const std::vector<Collection>& collections,
                                       std::string_view id) {
  for (std::size_t i = 0; i < collections.size(); ++i)
    if (const Record* record = collections[i].find(id)) return storedObject(catalog.types()[i], *record);
  return std::nullopt;
}

ObjectList listObjects(const Catalog& catalog, const std::vector<Collection>& collections,
                       const ObjectFilter& filter) {
  Listing listing{filter};
  for (std::size_t i = 0; i < collections.size(); ++i)
    listing.add(catalog.types()[i], collections[i]);
  return listing.take();
}

}  // namespace tally::fake::detail

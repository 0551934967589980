#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include <tally/fake/stored_object.h>

#include "store/collection.h"
#include "tables/catalog.h"

namespace tally::fake::detail {

/// The object with that identifier; nothing if there is none. `collections` are those of `catalog.types()`.
[[nodiscard]] std::optional<StoredObject> findObject(const Catalog& catalog,
                                                     const std::vector<Collection>& collections,
                                                     std::string_view id);

/// Reads every record, so call it on a copy of the collections, without a lock.
[[nodiscard]] ObjectList listObjects(const Catalog& catalog, const std::vector<Collection>& collections,
                                     const ObjectFilter& filter);

}  // namespace tally::fake::detail

#pragma once

#include <deque>
#include <vector>

#include "store/collection.h"
#include "tables/refusal.h"
#include "tables/resource_type.h"

namespace tally::fake::detail {

/// Everything that a caller can see: the objects of one mode of an account, by resource.
struct Visible {
  const std::deque<ResourceType>& types;
  const std::vector<Collection>& collections;  // in the order of `types`
};

/// Whether each of `params` that identifies an object of the service names one that is there. What only has
/// an identifier, and is not kept, may have any. A prefix that several resources share may lead to any of
/// them.
[[nodiscard]] Fault checkReferences(const Struct& type, const void* params, const Visible& visible);

}  // namespace tally::fake::detail

#pragma once

#include <deque>
#include <vector>

#include "store/collection.h"
#include "tables/refusal.h"
#include "tables/resource_type.h"

namespace tally::fake::detail {

/// The objects that a caller can see: those of one mode of an account, by resource.
struct Visible {
  const std::deque<ResourceType>& types;
  const std::vector<Collection>& collections;  // in the order of `types`
};

/// Checks that every identifier in `params` refers to an existing object. Identifiers of things that the
/// service does not store may have any value. If several resources share a prefix, an object of any of them
/// will do.
[[nodiscard]] Fault checkReferences(ConstObjectRef params, const Visible& visible);

}  // namespace tally::fake::detail

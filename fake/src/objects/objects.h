#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include <tally/clock.h>

#include "objects/reference_check.h"
#include "search/list_page.h"
#include "store/collection.h"
#include "tables/id_generator.h"
#include "tables/resource_type.h"

namespace tally::fake::detail {

/// An operation and its inputs.
struct ObjectRequest {
  const AnyOperation& operation;
  const ResourceType& type;
  Collection& collection;
  Visible visible;          // includes `collection`
  std::string_view id{};    // of the object; empty if the path has none
  ConstObjectRef params{};  // empty if the operation has none
  bool livemode = false;
  Instant now{};
};

/// Initializes a new object from the example, with new identifiers. Its own is unique in `collection`.
void beginObject(const ResourceType& type, const Collection& collection, IdGenerator& ids, Instant now,
                 bool livemode, ObjectRef object);

/// Makes another object of one that begins so: gives it new identifiers and `now` as its creation, except for
/// the fields for which `isKept` returns true.
void renewObject(const ResourceType& type, const Collection& collection, IdGenerator& ids, Instant now,
                 ObjectRef object, const std::function<bool(std::string_view path)>& isKept);

/// Stores an object with a new identifier.
void storeObject(const ResourceType& type, Collection& collection, Instant now, ObjectRef object,
                 std::string_view json, std::uint8_t state);

/// Writes an object as JSON. `expectedSize` reserves memory.
[[nodiscard]] std::string encode(ConstObjectRef object, std::size_t expectedSize = 1024);

[[nodiscard]] Response retrieveObject(const ObjectRequest& request);

/// Stores nothing if a parameter refers to an object that does not exist.
[[nodiscard]] Response createObject(const ObjectRequest& request, IdGenerator& ids);

/// Updates an object or applies a report to it, and changes its state if the operation is a trigger. The
/// object stays unchanged if its state refuses the operation, or if a parameter refers to an object that does
/// not exist. Spec: "States and transitions", "Metadata rule".
[[nodiscard]] Response changeObject(const ObjectRequest& request);

}  // namespace tally::fake::detail

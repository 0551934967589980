#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <tally/clock.h>

#include "engine/references.h"
#include "search/list_page.h"
#include "store/collection.h"
#include "tables/ids.h"
#include "tables/resource_type.h"

namespace tally::fake::detail {

/// What an operation is to do, and with what.
struct Task {
  const Operation& operation;
  const ResourceType& type;
  Collection& collection;
  Visible visible;               // `collection` among them
  std::string_view id{};         // of the object; empty where the path names none
  const void* params = nullptr;  // null where the operation has none
  bool livemode = false;
  Instant now{};
};

/// Makes `object` what every new object begins as: the example, with identifiers of its own, which no object
/// of `collection` has.
void beginObject(const ResourceType& type, const Collection& collection, Ids& ids, Instant now, bool livemode,
                 void* object);

/// Stores an object of which there is none yet.
void storeObject(const ResourceType& type, Collection& collection, Instant now, void* object,
                 std::string_view json, std::uint8_t state);

/// The object's JSON, which probably takes no more than `expectedSize`.
[[nodiscard]] std::string encode(const ResourceType& type, const void* object,
                                 std::size_t expectedSize = 1024);

[[nodiscard]] Answer retrieveObject(const Task& task);

/// Stores nothing where a parameter names an object that is not there.
[[nodiscard]] Answer createObject(const Task& task, Ids& ids);

/// Updates an object or takes a report on it, and moves its state, if the operation moves states. An object
/// whose state refuses the operation stays as it is, and so it does where a parameter names an object that is
/// not there.
/// Spec: "States and transitions", "Metadata rule".
[[nodiscard]] Answer changeObject(const Task& task);

}  // namespace tally::fake::detail

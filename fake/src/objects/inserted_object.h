#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "request/json_document.h"
#include "store/collection.h"
#include "tables/resource_type.h"

namespace tally::fake::detail {

/// Paths of fields, such as `amount_failed.value`.
using Paths = std::vector<std::string>;

/// The paths at which two objects of one type differ.
[[nodiscard]] Paths differences(ConstObjectRef one, ConstObjectRef other);

/// Whether `said` names the path, a part of it, or what contains it.
[[nodiscard]] bool isAmong(const Paths& said, std::string_view path);

/// The paths that a JSON object contains.
[[nodiscard]] Paths pathsIn(const JsonValue& object);

/// The name of the resource in a message, such as `an invoice`.
[[nodiscard]] std::string withArticle(const ResourceType& type);

/// The number of a state. Throws std::invalid_argument if the objects have no such state.
[[nodiscard]] std::size_t stateNamed(const ResourceType& type, std::string_view name);

/// Completes an object that a test describes, and returns its state. The paths in `said` stay unchanged; the
/// rules for creation and for the state determine the other fields. If `state` is empty, the state is the one
/// that the object shows; the initial state takes precedence.
///
/// Throws std::invalid_argument if the state does not exist, or if a path in `said` contradicts the state, or
/// every state.
[[nodiscard]] std::uint8_t complete(const ResourceType& type, const Paths& said, std::string_view state,
                                    ObjectRef object);

/// Throws std::invalid_argument if `collection` has an object with this identifier.
void checkNew(const ResourceType& type, const Collection& collection, std::string_view id);

/// Throws std::invalid_argument if `collection` can't have the object: its identifier is taken or lacks its
/// prefix, or a value is out of range.
void checkStorable(const ResourceType& type, const Collection& collection, ObjectRef object);

/// Makes the JSON of fields without a known structure compact. Throws std::invalid_argument if one can't be
/// stored: see putRawJson().
void settle(const ResourceType& type, ObjectRef object);

/// Throws std::invalid_argument if `json`, which an object was written as, can't be read.
void checkSendable(const ResourceType& type, std::string_view json);

}  // namespace tally::fake::detail

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tables/resource_type.h"

namespace tally::fake::detail {

/// Fields of an object by their paths, as `amount_failed.value`.
using Paths = std::vector<std::string>;

/// Those in which two objects of `type` differ.
[[nodiscard]] Paths differences(const Struct& type, const void* one, const void* other);

/// Those that a JSON object gives.
[[nodiscard]] Paths pathsIn(std::string_view json);

/// Completes an object that a test has described, and returns its state. What the test has `said` stays as it
/// is; other fields follow from it as on creation, and from the state. The state is the one that is
/// requested, or, if `state` is empty, the one that the object shows; the initial one comes first.
///
/// Throws std::invalid_argument for a state that does not exist, and for something said that contradicts the
/// state, or every state.
[[nodiscard]] std::uint8_t complete(const ResourceType& type, const Paths& said, std::string_view state,
                                    void* object);

}  // namespace tally::fake::detail

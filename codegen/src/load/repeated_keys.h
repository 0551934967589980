#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace tally::codegen::load {

struct RepeatedKey {
  std::string key{};
  std::size_t offset = 0;  // just after the opening quote of its second occurrence
};

/// The first key that appears twice in one object of `json`, which must be well formed. A parser silently
/// keeps only the last one, which would lose a property.
[[nodiscard]] std::optional<RepeatedKey> repeatedKey(std::string_view json);

}  // namespace tally::codegen::load

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace tally::codegen::load {

struct RepeatedKey {
  std::string key{};
  std::size_t offset = 0;  // just after its second appearance's opening quote
};

/// The first key that stands twice in one object of `json`, which is well formed. A parser keeps the last of
/// the two without a word, and a property would be lost.
[[nodiscard]] std::optional<RepeatedKey> repeatedKey(std::string_view json);

}  // namespace tally::codegen::load

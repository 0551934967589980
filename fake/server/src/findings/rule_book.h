#pragma once

#include <string>
#include <string_view>

#include "tables/provenance.h"

namespace tally::fake::detail {

/// What a difference contradicts: a section of the specification, or the assumption that the fake makes where
/// it leaves a point open.
struct Rule {
  std::string_view section{};
  const Assumption* assumption = nullptr;  // null: the section itself

  /// For a fact of the API description, such as "limit `global_rate`". `section` is the one to name if the
  /// fact is only assumed.
  [[nodiscard]] static Rule of(std::string_view place, std::string_view section);

  /// The same, and if nothing is based on `place`, what `outer` is based on.
  [[nodiscard]] static Rule of(std::string_view place, std::string_view outer, std::string_view section);

  /// The assumption with that key, which must exist.
  [[nodiscard]] static Rule assumed(std::string_view key, std::string_view section);
};

/// The name of a fact as the API description has it: "error `lock_timeout`".
[[nodiscard]] inline std::string place(std::string_view kind, std::string_view name) {
  std::string text{kind};
  if (!text.empty()) text += ' ';
  return text.append(1, '`').append(name).append(1, '`');
}

/// The position of a section in the specification; sections come in this order.
[[nodiscard]] std::size_t rankOf(std::string_view section);

}  // namespace tally::fake::detail

#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "request/json_document.h"
#include "tables/schema_types.h"

namespace tally::fake::detail {

/// What a recorder writes instead of a secret.
inline constexpr std::string_view redacted = "[redacted]";

/// How a value differs from that of the fake.
enum class ValueChange : std::uint8_t { missing, additional, null, notNull, type, value };

/// Returns `missing`, `additional` and so on.
[[nodiscard]] std::string_view toString(ValueChange change) noexcept;

/// A value that differs, and where: `field` of the struct `owner`, at `path` in the object.
struct ValueDifference {
  ValueChange change = ValueChange::value;
  std::string path{};
  std::string owner{};  // empty for what no struct describes
  std::string field{};
  std::string recorded{};  // JSON; empty if it is missing
  std::string fake{};

  /// Whether it concerns the fields themselves, and not what they say.
  [[nodiscard]] bool isShape() const noexcept { return change != ValueChange::value; }
};

/// Reports each value in which `recorded` differs from `fake`, both objects, which `model` describes if it is
/// not null. The order of members means nothing. Maps of a caller, such as metadata, differ as a whole. What
/// a recorder has redacted is not compared.
void compareJson(const JsonValue& recorded, const JsonValue& fake, const Struct* model,
                 const std::function<void(const ValueDifference&)>& report);

}  // namespace tally::fake::detail

#include "tables/scalar.h"

#include <chrono>
#include <string>

namespace tally::fake::detail {

using tally::detail::Kind;

Scalar scalarOf(const tally::detail::Type& type, const void* value) {
  if (value == nullptr) return {};
  switch (type.kind) {
    case Kind::text:
      return std::string_view{tally::detail::textAt(value)};
    case Kind::string:
      return std::string_view{*static_cast<const std::string*>(value)};
    case Kind::integer:
      return *static_cast<const std::int64_t*>(value);
    case Kind::time:
      return std::int64_t{static_cast<const std::chrono::sys_seconds*>(value)->time_since_epoch().count()};
    case Kind::boolean:
      return *static_cast<const bool*>(value);
    default:
      return {};
  }
}

}  // namespace tally::fake::detail

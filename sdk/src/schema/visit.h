#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <type_traits>

#include "schema/object_ref.h"

namespace tally::detail {

/// Calls `visitor` with `value`, a ValueRef or ConstValueRef that is not empty, as its C++ type: both kinds
/// of text as a std::string, an object and a list as references to them. Returns what the visitor returns.
template <class Ref, class Visitor>
auto visit(Ref value, const Visitor& visitor) {
  switch (value.kind()) {
    case Kind::text:
    case Kind::string:
      return visitor(value.text());
    case Kind::integer:
      return visitor(value.template as<std::int64_t>());
    case Kind::boolean:
      return visitor(value.template as<bool>());
    case Kind::time:
      return visitor(value.template as<std::chrono::sys_seconds>());
    case Kind::object:
      return visitor(value.object());
    case Kind::list:
      return visitor(value.list());
    case Kind::metadata:
      return visitor(value.template as<Metadata>());
    case Kind::metadataEdit:
      return visitor(value.template as<MetadataEdit>());
    case Kind::rawJson:
      return visitor(value.template as<RawJson>());
    case Kind::constant:  // has no value
      break;
  }
  return std::invoke_result_t<const Visitor&, decltype(value.text())>();
}

}  // namespace tally::detail

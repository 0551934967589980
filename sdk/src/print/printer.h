#pragma once

#include <iosfwd>
#include <string>

#include "schema/object_ref.h"

namespace tally::detail {

/// Prints `object` on one line: the fields by their names on the wire, without empty ones.
std::ostream& print(std::ostream& out, ConstObjectRef object);

template <class T>
std::ostream& print(std::ostream& out, const T& object) {
  return print(out, refTo(object));
}

}  // namespace tally::detail

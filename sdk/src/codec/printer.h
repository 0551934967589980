#pragma once

#include <iosfwd>
#include <string>

#include "schema/schema.h"

namespace tally::detail {

/// Prints `object`, whose fields are those of `type`, in one line: the fields by their names on the wire, but
/// not those that hold nothing.
std::ostream& print(std::ostream& out, const Struct& type, const void* object);

template <class T>
std::ostream& print(std::ostream& out, const T& object) {
  return print(out, Schema<T>::value, &object);
}

}  // namespace tally::detail

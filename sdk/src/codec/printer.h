#pragma once

#include <iosfwd>
#include <string>

#include "schema/schema.h"

namespace tally::detail {

/// Prints `object`, a struct of `type`, on one line: the fields by their names on the wire, without empty
/// ones.
std::ostream& print(std::ostream& out, const Struct& type, const void* object);

template <class T>
std::ostream& print(std::ostream& out, const T& object) {
  return print(out, Schema<T>::value, &object);
}

}  // namespace tally::detail

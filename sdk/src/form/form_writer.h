#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "schema/object_ref.h"

namespace tally::detail {

/// Appends `params` as `name=value` pairs joined by `&`, with nested names in brackets, for a query or a form
/// body. Omits the fields in `except`.
void writeForm(std::string& out, ConstObjectRef params, std::initializer_list<std::string_view> except = {});

/// Appends one such pair, after a `&` unless `out` is empty.
void writeFormPair(std::string& out, std::string_view name, std::string_view value);

}  // namespace tally::detail

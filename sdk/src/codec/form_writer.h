#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "schema/schema.h"

namespace tally::detail {

/// Appends `params`, whose fields are those of `type`, as `name=value` pairs joined by `&`, with nested names
/// in brackets: for a query and for a form body. The fields named in `except` are left out.
void writeForm(std::string& out, const Struct& type, const void* params,
               std::initializer_list<std::string_view> except = {});

/// Appends one such pair, behind a `&` if `out` has any already.
void writeFormPair(std::string& out, std::string_view name, std::string_view value);

}  // namespace tally::detail

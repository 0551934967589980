#pragma once

#include <string>

#include <boost/json/value.hpp>

#include "load/document.h"
#include "model/description.h"

namespace tally::codegen::model {

/// Why `value` can't be the value of `field`, or "" if it can: `is not an integer`.
[[nodiscard]] std::string mismatch(const Field& field, const boost::json::value& value);

/// Checks an example object against its struct.
void checkExample(const load::Node& example, const Struct& type, Problems& problems);

}  // namespace tally::codegen::model

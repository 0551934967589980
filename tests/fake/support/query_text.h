#pragma once

#include <string>

#include "store/query.h"

namespace tally::fake::detail {

/// The text of a query.
[[nodiscard]] std::string print(const Query& query);

}  // namespace tally::fake::detail

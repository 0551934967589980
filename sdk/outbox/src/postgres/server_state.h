#pragma once

#include <string_view>

namespace tally::detail {

/// By the SQLSTATE of an error: whether the server has closed the connection, or a pooler has lost the server
/// behind it. The transaction may have been committed.
[[nodiscard]] inline bool saysThatServerIsGone(std::string_view sqlState) {
  return sqlState.starts_with("08") || sqlState.starts_with("57P");
}

}  // namespace tally::detail

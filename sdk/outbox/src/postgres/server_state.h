#pragma once

#include <string_view>

namespace tally::detail {

/// By the SQLSTATE of an error: whether the server has closed the connection, or a pooler has lost the server
/// behind it. The transaction may have been committed.
[[nodiscard]] inline bool saysThatServerIsGone(std::string_view sqlState) {
  return sqlState.starts_with("08") || sqlState.starts_with("57P");
}

/// Whether the server writes nothing, as a standby: it refuses statements that write, and functions that tell
/// where its log ends. After a failover, another connection may reach the server that has replaced it.
[[nodiscard]] inline bool saysThatServerIsStandby(std::string_view sqlState) {
  return sqlState == "25006" || sqlState == "55000";
}

}  // namespace tally::detail

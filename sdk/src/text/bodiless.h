#pragma once

namespace tally::detail {

inline constexpr int notModified = 304;

/// Whether HTTP forbids a body for responses with this status.
constexpr bool forbidsBody(int status) {
  return status < 200 || status == 204 || status == notModified;
}

}  // namespace tally::detail

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tally::detail {

/// The header of ClientOptions::markAttempts.
inline constexpr std::string_view callHeader = "Tally-Call";

/// Which attempt of which call a request is.
struct CallMark {
  std::string_view call{};  // 16 hexadecimal digits
  int attempt = 0;          // from 1
};

/// The value of the header, such as `0123456789abcdef; attempt=2`.
[[nodiscard]] std::string callMark(std::uint64_t call, int attempt);

/// Reads what any client may have sent. Ignores further parameters. Nothing if the value is malformed.
[[nodiscard]] std::optional<CallMark> readCallMark(std::string_view value);

}  // namespace tally::detail

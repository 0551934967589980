#pragma once

#include <cstddef>
#include <string_view>

namespace tally::detail {

/// UTF-8 at the beginning of a file, as some editors write it.
inline constexpr std::string_view byteOrderMark = "\xEF\xBB\xBF";

/// Whether the byte continues a UTF-8 sequence.
[[nodiscard]] constexpr bool continuesUtf8(char byte) noexcept {
  return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80;
}

/// The length of the UTF-8 sequence at the start of `text`, which is not empty; 0 if it is invalid.
[[nodiscard]] std::size_t utf8SequenceLength(std::string_view text);

[[nodiscard]] bool isUtf8(std::string_view text);

}  // namespace tally::detail

#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "har/exchange.h"
#include "har/har_splitter.h"

namespace tally::detail {

/// Reads the text of an entry. Unknown members are ignored; missing ones are empty. Throws HarError if it has
/// no request, or for a member of the wrong type.
[[nodiscard]] Exchange readHarEntry(std::string_view text);

/// Reads HAR of any length, one exchange after the other, as tally, browsers and proxies write it.
class HarReader {
 public:
  /// `in` must outlive this, and is read in pieces of that size.
  explicit HarReader(std::istream& in, std::size_t pieceSize = usualPiece) : splitter_(in, pieceSize) {}

  /// The next exchange. Nothing at the end, or where the text is cut off. Throws HarError, with the position,
  /// for anything else than HAR; reading ends there.
  [[nodiscard]] std::optional<Exchange> next();

  /// Whether the recording ends too early, such as one that was copied while it was written. Only certain
  /// once next() returned nothing.
  [[nodiscard]] bool cutOff() const noexcept { return splitter_.cutOff(); }

  /// How many exchanges next() has returned.
  [[nodiscard]] std::uint64_t count() const noexcept { return count_; }

  /// Where the text of the last exchange begins, and its size, in bytes.
  [[nodiscard]] std::uint64_t position() const noexcept { return splitter_.position(); }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }

  /// The names of the fields that the recording lacks, besides the usual ones. Known with the first exchange.
  [[nodiscard]] const std::vector<std::string>& redacted() const noexcept { return splitter_.redacted(); }

 private:
  [[nodiscard]] std::optional<Exchange> readBuffered();

  HarSplitter splitter_;
  std::string buffer_{};
  std::uint64_t count_ = 0;
  std::size_t size_ = 0;
};

}  // namespace tally::detail

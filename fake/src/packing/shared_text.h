#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tally::fake::detail {

/// A text of which others repeat large parts, such as an example object: other objects of its kind have the
/// same names, and many of its values. Such a text is packed into what it has of its own, and the places of
/// what it shares. Immutable, and therefore thread-safe.
class SharedText {
 public:
  /// Only the first 64 KiB are shared.
  explicit SharedText(std::string text);

  /// A text of which others repeat nothing.
  [[nodiscard]] static const SharedText& none();

  /// Appends the packed form of `text`.
  void pack(std::string_view text, std::string& packed) const;

  /// Appends the text of that size whose packed form this is.
  void unpack(std::string_view packed, std::size_t size, std::string& text) const;

 private:
  struct Match {
    std::size_t at = 0;    // in the shared text
    std::size_t size = 0;  // 0: none
  };

  [[nodiscard]] Match match(std::string_view rest, std::size_t expected) const;
  [[nodiscard]] std::size_t slotOf(std::uint64_t word) const noexcept;

  std::string text_;
  unsigned slotBits_ = 0;
  std::vector<std::uint16_t> first_{};  // by slot: the first place of such a word, plus 1; 0: none
  std::vector<std::uint16_t> next_{};   // by place: the next one in the same slot, plus 1; 0: none
};

}  // namespace tally::fake::detail

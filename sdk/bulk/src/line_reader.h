#pragma once

#include <cstddef>
#include <cstdint>
#include <istream>
#include <optional>
#include <string>
#include <string_view>

namespace tally::detail {

/// The longest line of a file of reports, and the longest quoted field, in bytes.
constexpr std::size_t longestLine = 1'048'576;

/// Reads lines of any length in bounded memory.
class LineReader {
 public:
  /// `in` must outlive this. Throws ReportFileError.
  explicit LineReader(std::istream& in);

  /// Reads the next line. False at the end. Throws ReportFileError.
  [[nodiscard]] bool next();

  /// The line without its end, LF or CRLF; its first bytes if it has more than `longestLine`.
  [[nodiscard]] std::string_view text() const noexcept { return text_; }
  /// Whether it has an odd number of quotes, with those that `text()` lacks.
  [[nodiscard]] bool hasOddQuotes() const noexcept { return hasOddQuotes_; }
  /// Its number, from 1.
  [[nodiscard]] std::uint64_t number() const noexcept { return number_; }
  /// What no line may have; empty if it is fine.
  [[nodiscard]] std::string_view fault() const noexcept;
  /// Where that is, from 1.
  [[nodiscard]] std::uint64_t faultColumn() const noexcept;

 private:
  [[nodiscard]] bool read();

  std::istream& in_;
  std::string text_{};
  std::uint64_t number_ = 0;
  bool isLong_ = false;
  bool hasOddQuotes_ = false;
};

}  // namespace tally::detail

#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace tally::detail {

/// How much of HAR is read at once, in bytes.
inline constexpr std::size_t usualPiece = 262'144;

/// What is wrong with HAR, and where.
class HarError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Splits HAR into the texts of its entries, as it reads them: it never has more than one in memory.
class HarSplitter {
 public:
  /// `in` must outlive this, and is read in pieces of that size.
  explicit HarSplitter(std::istream& in, std::size_t pieceSize = usualPiece)
      : in_(in), pieceSize_(pieceSize) {}
  HarSplitter(const HarSplitter&) = delete;
  HarSplitter& operator=(const HarSplitter&) = delete;

  /// The text of the next entry, which is an object as far as its brackets show. Valid until the next call.
  /// Nothing at the end, or where the text is cut off. Throws HarError for anything else than HAR.
  [[nodiscard]] std::optional<std::string_view> next();

  /// What is in memory from the beginning of the next entry on, which may end within the entry. Empty if
  /// there is none. Valid until the next call; drop() takes the entry, and so does next().
  [[nodiscard]] std::string_view buffered();
  /// Goes on behind an entry of `size` bytes that buffered() contains.
  void drop(std::size_t size);

  /// Where the last entry begins, in bytes.
  [[nodiscard]] std::uint64_t position() const noexcept { return entryAt_; }

  /// Whether the text ends too early. Only certain once next() returned nothing.
  [[nodiscard]] bool cutOff() const noexcept { return cutOff_; }

  /// The names in `_redacted`, if it comes before the entries.
  [[nodiscard]] const std::vector<std::string>& redacted() const noexcept { return redacted_; }

 private:
  enum class Place { start, log, entries, end };
  struct CutOff {};

  [[nodiscard]] std::optional<std::string_view> step();
  void begin();
  void logMember();
  [[nodiscard]] std::optional<std::string_view> entry();
  [[nodiscard]] bool beginEntry();
  void endLog();

  [[nodiscard]] std::string_view read() const noexcept { return std::string_view{buffer_}.substr(0, read_); }
  [[nodiscard]] bool fill();
  [[nodiscard]] char peek();
  void expect(char c, const char* what);
  [[nodiscard]] std::string name();
  [[nodiscard]] std::string_view value();
  [[nodiscard]] std::string_view otherValue();
  [[nodiscard]] std::size_t endOfString(std::size_t from);
  [[nodiscard]] std::size_t endOfBrackets(std::size_t from);
  [[nodiscard]] std::size_t endOfWord(std::size_t from);
  [[nodiscard]] char at(std::size_t index);
  [[noreturn]] void failToRead(int reason) const;
  [[noreturn]] void fail(const std::string& what) const;

  std::istream& in_;
  const std::size_t pieceSize_;
  Place place_ = Place::start;
  bool first_ = true;   // of the members or entries at this place
  bool found_ = false;  // the entries
  bool cutOff_ = false;
  std::string buffer_{};
  std::size_t read_ = 0;    // how much of the buffer is in use
  std::size_t at_ = 0;      // in the buffer
  std::uint64_t base_ = 0;  // where the buffer begins
  std::uint64_t entryAt_ = 0;
  std::vector<std::string> redacted_{};
};

}  // namespace tally::detail

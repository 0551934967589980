#pragma once

#include <cstdint>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <system_error>

#include "har/exchange.h"
#include "platform/new_file.h"

namespace tally::detail {

/// Records exchanges in a new file. After each of them, the file is complete HAR. A process that is killed
/// while it writes an entry may leave a part of that entry, which HarReader leaves out. Thread-safe.
class HarWriter {
 public:
  /// Throws std::runtime_error, with the name and the remedy, if the file exists or can't be written.
  /// `names` as for harBegin().
  explicit HarWriter(std::string file, std::span<const std::string> names = {});
  HarWriter(const HarWriter&) = delete;
  HarWriter& operator=(const HarWriter&) = delete;
  ~HarWriter() = default;

  /// Throws std::runtime_error if it can't be written, such as on a full disk. The file then has what it had
  /// before, and no more can be written.
  void write(const Exchange& exchange);

  /// The same for the text of an entry.
  void writeEntry(std::string_view entry);

  /// Removes the file if it has no exchange. Must be the last call.
  void discardIfEmpty() noexcept;

  /// How many exchanges the file has.
  [[nodiscard]] std::uint64_t count() const;

 private:
  [[noreturn]] void fail(std::error_code error) const;

  std::string name_;
  NewFile file_;
  mutable std::mutex mutex_{};
  std::uint64_t end_ = 0;  // of the last entry, or of the beginning
  std::uint64_t count_ = 0;
  std::error_code failed_{};  // of a write
  std::string buffer_{};
};

}  // namespace tally::detail

#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include <tally/fake/logged_request.h>

namespace tally::fake::detail {

/// The last requests. Once it is full, the oldest entry is overwritten, so that its buffers are used again.
class RequestLog {
 public:
  /// Keeps so many entries, or fewer where they would take more bytes.
  explicit RequestLog(std::size_t capacity, std::size_t mostBytes = 64 * 1'024 * 1'024)
      : capacity_(capacity), mostBytes_(mostBytes) {}

  /// The entry to fill in for the next request, all members of it but its number; null where none is kept.
  [[nodiscard]] LoggedRequest* next();

  /// Those whose numbers are greater than `after`, oldest first, and no more than `most` of them.
  [[nodiscard]] std::vector<LoggedRequest> entries(
      std::uint64_t after = 0, std::size_t most = std::numeric_limits<std::size_t>::max()) const;

  /// How many are not kept any more, or never were.
  [[nodiscard]] std::uint64_t dropped() const noexcept { return dropped_; }

 private:
  void addUp();
  void forgetOldest();

  std::size_t capacity_;
  std::size_t mostBytes_;
  std::size_t oldest_ = 0;
  std::size_t count_ = 0;
  std::size_t bytes_ = 0;  // of all but the last, which may be being filled in
  std::uint64_t dropped_ = 0;
  std::vector<LoggedRequest> entries_{};
};

}  // namespace tally::fake::detail

#pragma once

#include <cstddef>
#include <vector>

#include <tally/fake/logged_request.h>

namespace tally::fake::detail {

/// The last requests. Once it is full, the oldest entry is overwritten, so that its buffers are used again.
class RequestLog {
 public:
  /// Keeps so many entries, or fewer where they would take more bytes.
  explicit RequestLog(std::size_t capacity, std::size_t mostBytes = 64 * 1'024 * 1'024)
      : capacity_(capacity), mostBytes_(mostBytes) {}

  /// The entry to fill in for the next request, all members of it; null where none is kept.
  [[nodiscard]] LoggedRequest* next();

  /// Oldest first.
  [[nodiscard]] std::vector<LoggedRequest> entries() const;

 private:
  void addUp();
  void forgetOldest();

  std::size_t capacity_;
  std::size_t mostBytes_;
  std::size_t oldest_ = 0;
  std::size_t count_ = 0;
  std::size_t bytes_ = 0;  // of all but the last, which may be being filled in
  std::vector<LoggedRequest> entries_{};
};

}  // namespace tally::fake::detail

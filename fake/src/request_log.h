#pragma once

#include <cstddef>
#include <vector>

#include <tally/fake/logged_request.h>

namespace tally::fake::detail {

/// The last requests. Once it is full, the oldest entry is overwritten, so that its buffers are used again.
class RequestLog {
 public:
  explicit RequestLog(std::size_t capacity) : capacity_(capacity) {}

  /// The entry to fill in for the next request, all members of it; null where none is kept.
  [[nodiscard]] LoggedRequest* next();

  /// Oldest first.
  [[nodiscard]] std::vector<LoggedRequest> entries() const;

 private:
  std::size_t capacity_;
  std::size_t oldest_ = 0;
  std::vector<LoggedRequest> entries_{};
};

}  // namespace tally::fake::detail

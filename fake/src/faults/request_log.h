#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include <tally/fake/logged_request.h>

namespace tally::fake::detail {

/// The most recent requests. A full log overwrites the oldest entry and reuses its buffers.
class RequestLog {
 public:
  /// Keeps up to `capacity` entries, or fewer if they exceed `mostBytes`.
  explicit RequestLog(std::size_t capacity, std::size_t mostBytes = std::size_t{64} * 1'024 * 1'024)
      : capacity_(capacity), mostBytes_(mostBytes) {}

  /// The entry for the next request. The caller assigns all members except the number. Null if the capacity
  /// is 0.
  [[nodiscard]] LoggedRequest* next();

  /// The entries with numbers greater than `after`, oldest first, at most `most`.
  [[nodiscard]] std::vector<LoggedRequest> entries(
      std::uint64_t after = 0, std::size_t most = std::numeric_limits<std::size_t>::max()) const;

  /// The number of requests that the log does not contain any more, or never did.
  [[nodiscard]] std::uint64_t dropped() const noexcept { return dropped_; }

  /// The number of the last request; 0 if there was none.
  [[nodiscard]] std::uint64_t last() const noexcept { return dropped_ + count_; }

  [[nodiscard]] std::size_t size() const noexcept { return count_; }

 private:
  void addUp();
  void forgetOldest();

  std::size_t capacity_;
  std::size_t mostBytes_;
  std::size_t oldest_ = 0;
  std::size_t count_ = 0;
  std::size_t bytes_ = 0;  // of all entries but the last, which the caller may not have filled in yet
  std::uint64_t dropped_ = 0;
  std::vector<LoggedRequest> entries_{};
};

}  // namespace tally::fake::detail

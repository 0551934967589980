#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include <tally/fake/logged_request.h>

namespace tally::fake::detail {

/// The most recent requests. A full log overwrites the oldest entry and reuses its buffers. One that is too
/// large gives up responses before requests, oldest first.
class RequestLog {
 public:
  /// Keeps up to `capacity` entries, or fewer if they exceed `mostBytes`.
  explicit RequestLog(std::size_t capacity, std::size_t mostBytes = std::size_t{64} * 1'024 * 1'024)
      : capacity_(capacity), mostBytes_(mostBytes) {}

  RequestLog(const RequestLog& other);
  RequestLog& operator=(const RequestLog&) = delete;
  ~RequestLog() = default;

  /// The entry for the next request. The caller assigns all members except the number. Null if the capacity
  /// is 0.
  [[nodiscard]] LoggedRequest* next();

  /// Reverses the last call of next(), whose entry can't be filled in.
  void takeBack() noexcept;

  /// Adds the response to an entry that was made without it, if the log still has the entry.
  void complete(std::uint64_t number, const HttpResponse& response);

  /// The entries with numbers greater than `after`, oldest first, at most `most`.
  [[nodiscard]] std::vector<LoggedRequest> entries(
      std::uint64_t after = 0, std::size_t most = std::numeric_limits<std::size_t>::max()) const;

  /// The entry with that number; null if the log does not have it.
  [[nodiscard]] const LoggedRequest* find(std::uint64_t number) const {
    const std::uint64_t gone = cleared_ + dropped_;
    return number <= gone || number > last() ? nullptr : &entries_[place(number - gone - 1)];
  }

  /// The number of the oldest entry, or the next one if there is none.
  [[nodiscard]] std::uint64_t first() const noexcept { return cleared_ + dropped_ + 1; }

  /// The number of requests since clear() that the log does not contain any more, or never did.
  [[nodiscard]] std::uint64_t dropped() const noexcept { return dropped_; }

  /// How many of them have numbers greater than `after`.
  [[nodiscard]] std::uint64_t dropped(std::uint64_t after) const noexcept {
    return dropped_ - std::min(dropped_, after - std::min(after, cleared_));
  }

  /// The number of the last request; 0 if there was none.
  [[nodiscard]] std::uint64_t last() const noexcept { return cleared_ + dropped_ + count_; }

  /// Forgets all entries. Numbers continue.
  void clear();

  [[nodiscard]] std::size_t size() const noexcept { return count_; }

 private:
  void grow();
  void addUp();
  void makeRoom();
  void forgetOldest();
  [[nodiscard]] std::size_t place(std::uint64_t age) const {
    return static_cast<std::size_t>((oldest_ + age) % entries_.size());
  }

  std::size_t capacity_;
  std::size_t mostBytes_;
  std::size_t oldest_ = 0;
  std::size_t count_ = 0;
  std::size_t bare_ = 0;       // how many of the oldest entries have lost their response
  std::size_t bytes_ = 0;      // of all entries but the last, which the caller may not have filled in yet
  std::uint64_t cleared_ = 0;  // the number of the last request that clear() forgot
  std::uint64_t dropped_ = 0;
  std::vector<LoggedRequest> entries_{};
};

}  // namespace tally::fake::detail

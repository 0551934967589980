#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iterator>

namespace tally::detail {

using Count = std::atomic<std::int64_t>;

inline void add(Count& count, std::int64_t number = 1) noexcept {
  count.fetch_add(number, std::memory_order_relaxed);
}

inline std::int64_t read(const Count& count) noexcept {
  return count.load(std::memory_order_relaxed);
}

/// A histogram of durations. Thread-safe.
class Histogram {
 public:
  /// The upper bounds, inclusive, of all buckets but the last.
  static constexpr std::array bounds = {
      std::chrono::milliseconds{5},     std::chrono::milliseconds{10},     std::chrono::milliseconds{25},
      std::chrono::milliseconds{50},    std::chrono::milliseconds{100},    std::chrono::milliseconds{250},
      std::chrono::milliseconds{500},   std::chrono::milliseconds{1'000},  std::chrono::milliseconds{2'500},
      std::chrono::milliseconds{5'000}, std::chrono::milliseconds{10'000}, std::chrono::milliseconds{30'000},
      std::chrono::milliseconds{60'000}};

  void add(std::chrono::nanoseconds duration) noexcept {
    const auto bound = std::ranges::lower_bound(bounds, duration);
    detail::add(buckets_[static_cast<std::size_t>(std::distance(bounds.begin(), bound))]);
    detail::add(sum_, duration.count());
  }

  [[nodiscard]] std::int64_t inBucket(std::size_t index) const noexcept { return read(buckets_[index]); }
  [[nodiscard]] std::chrono::nanoseconds sum() const noexcept { return std::chrono::nanoseconds{read(sum_)}; }

 private:
  std::array<Count, bounds.size() + 1> buckets_{};
  Count sum_{};  // nanoseconds
};

}  // namespace tally::detail

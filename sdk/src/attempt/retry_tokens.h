#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

#include <tally/options.h>

namespace tally::detail {

/// The tokens left of a RetryBudget. Thread-safe.
class RetryTokens {
 public:
  explicit RetryTokens(const RetryBudget& budget)
      : most_(inBillionths(budget.maxTokens)),
        tokensPerSuccess_(inBillionths(budget.tokensPerSuccess)),
        left_(most_) {}

  /// Takes a token; false if none is left.
  [[nodiscard]] bool take() noexcept {
    std::int64_t left = left_.load(std::memory_order_relaxed);
    while (left >= one)
      if (left_.compare_exchange_weak(left, left - one, std::memory_order_relaxed)) return true;
    return false;
  }

  /// Returns a token that was not used.
  void giveBack() noexcept { add(one); }

  void succeeded() noexcept { add(tokensPerSuccess_); }

 private:
  static constexpr std::int64_t one = 1'000'000'000;

  void add(std::int64_t billionths) noexcept {
    std::int64_t left = left_.load(std::memory_order_relaxed);
    while (left < most_ && !left_.compare_exchange_weak(left, std::min(left + billionths, most_),
                                                        std::memory_order_relaxed)) {
    }
  }

  static std::int64_t inBillionths(double tokens) {
    constexpr double atMost = 1e9;
    return static_cast<std::int64_t>(std::clamp(tokens, 0.0, atMost) * static_cast<double>(one));
  }

  std::int64_t most_;
  std::int64_t tokensPerSuccess_;
  std::atomic<std::int64_t> left_;
};

}  // namespace tally::detail

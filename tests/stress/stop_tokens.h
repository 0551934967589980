#pragma once

#include <cstddef>
#include <deque>
#include <mutex>
#include <stop_token>

#include "random_source.h"

namespace tally::stress {

/// Stop tokens for calls, one of which is stopped occasionally. Thread-safe.
class StopTokens {
 public:
  [[nodiscard]] std::stop_token next() {
    const std::lock_guard guard{mutex_};
    sources_.emplace_back();
    if (sources_.size() > kept) sources_.pop_front();
    return sources_.back().get_token();
  }

  void stopOne(RandomSource& random) {
    std::stop_source source{std::nostopstate};
    {
      const std::lock_guard guard{mutex_};
      if (!sources_.empty()) source = random.oneOf(sources_);
    }
    source.request_stop();
  }

 private:
  static constexpr std::size_t kept = 8;

  std::mutex mutex_{};
  std::deque<std::stop_source> sources_{};
};

}  // namespace tally::stress

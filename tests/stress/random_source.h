#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

#include "text/random.h"

namespace tally::stress {

/// All random choices, determined by a seed.
class RandomSource {
 public:
  explicit RandomSource(std::uint64_t seed) : state_(seed) {}

  std::uint64_t number() { return detail::nextRandom(state_); }
  std::size_t below(std::size_t end) { return static_cast<std::size_t>(number() % end); }
  bool oneIn(std::size_t times) { return below(times) == 0; }
  std::chrono::milliseconds upTo(std::chrono::milliseconds most) {
    return std::chrono::milliseconds{below(static_cast<std::size_t>(most.count()) + 1)};
  }
  template <class List>
  auto& oneOf(List& list) {
    return list[below(std::size(list))];
  }

 private:
  std::uint64_t state_;
};

}  // namespace tally::stress

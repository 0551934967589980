#pragma once

#include <cstdint>

namespace tally::detail {

/// The next number of a SplitMix64 sequence: uniform, fast, and the same on every platform.
inline std::uint64_t nextRandom(std::uint64_t& state) {
  state += 0x9E3779B97F4A7C15U;
  std::uint64_t mixed = state;
  mixed = (mixed ^ (mixed >> 30U)) * 0xBF58476D1CE4E5B9U;
  mixed = (mixed ^ (mixed >> 27U)) * 0x94D049BB133111EBU;
  return mixed ^ (mixed >> 31U);
}

/// The same as a fraction in [0, 1).
inline double nextFraction(std::uint64_t& state) {
  return static_cast<double>(nextRandom(state) >> 11U) * 0x1.0p-53;
}

}  // namespace tally::detail

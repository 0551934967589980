#pragma once

#include <cstdint>

namespace tally::detail {

/// The next number of the SplitMix64 sequence that `state` is in: even, fast, and the same everywhere.
inline std::uint64_t nextRandom(std::uint64_t& state) {
  state += 0x9E3779B97F4A7C15U;
  std::uint64_t mixed = state;
  mixed = (mixed ^ (mixed >> 30U)) * 0xBF58476D1CE4E5B9U;
  mixed = (mixed ^ (mixed >> 27U)) * 0x94D049BB133111EBU;
  return mixed ^ (mixed >> 31U);
}

/// The same as a fraction, from 0 up to but not 1.
inline double nextFraction(std::uint64_t& state) {
  return static_cast<double>(nextRandom(state) >> 11U) * 0x1.0p-53;
}

}  // namespace tally::detail

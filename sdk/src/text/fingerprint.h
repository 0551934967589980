#pragma once

#include <cstdint>
#include <string_view>

namespace tally::detail {

/// FNV-1a hash: the same in every process and on every machine. Texts of equal length that differ in one
/// character never collide; deliberate collisions are easy.
constexpr std::uint32_t fingerprint(std::string_view text) noexcept {
  constexpr std::uint32_t basis = 2'166'136'261U;
  constexpr std::uint32_t prime = 16'777'619U;
  std::uint32_t hash = basis;
  for (const char c : text)
    hash = (hash ^ static_cast<unsigned char>(c)) * prime;
  return hash;
}

/// The same with 64 bits.
constexpr std::uint64_t longFingerprint(std::string_view text) noexcept {
  constexpr std::uint64_t basis = 14'695'981'039'346'656'037U;
  constexpr std::uint64_t prime = 1'099'511'628'211U;
  std::uint64_t hash = basis;
  for (const char c : text)
    hash = (hash ^ static_cast<unsigned char>(c)) * prime;
  return hash;
}

}  // namespace tally::detail

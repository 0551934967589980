#include "tables/id_generator.h"

#include <array>
#include <cstddef>
#include <cstring>

#include "text/random.h"

namespace tally::fake::detail {

namespace {

constexpr std::string_view alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
constexpr std::size_t charactersPerDraw = 8;  // 62^8 is far below 2^64, so the modulo bias is negligible
constexpr std::size_t draws = 3;

/// All pairs of characters: dividing by their number takes half as many divisions.
constexpr auto pairs = [] {
  constexpr std::size_t count = alphabet.size();
  std::array<std::array<char, 2>, count * count> all{};
  for (std::size_t i = 0; i < all.size(); ++i)
    all[i] = {alphabet[i % count], alphabet[i / count]};
  return all;
}();

/// Copies both characters at once, unlike std::copy(). Returns where the next pair belongs.
char* copied(const std::array<char, 2>& pair, char* to) {
  std::memcpy(to, pair.data(), pair.size());
  return to + pair.size();
}

/// Prevents neighboring seeds from producing overlapping sequences.
std::uint64_t mixed(std::uint64_t seed) {
  return tally::detail::nextRandom(seed);
}

}  // namespace

IdGenerator::IdGenerator(std::uint64_t seed, std::uint64_t stream) : state_(mixed(mixed(seed) ^ stream)) {}

IdGenerator::IdGenerator(const Branch& branch, std::uint64_t stream)
    : IdGenerator(mixed(branch.service) ^ branch.keys, branch.number << 8U | stream) {}

std::uint64_t IdGenerator::nextNumber() {
  return tally::detail::nextRandom(state_);
}

std::string IdGenerator::next(std::string_view prefix) {
  std::array<char, draws * charactersPerDraw> characters{};
  auto* next = characters.data();
  for (std::size_t draw = 0; draw < draws; ++draw) {
    std::uint64_t number = nextNumber();
    for (std::size_t i = 0; i < charactersPerDraw; i += 2, number /= pairs.size())
      next = copied(pairs[static_cast<std::size_t>(number % pairs.size())], next);
  }
  std::string id;
  id.reserve(prefix.size() + characters.size());
  id += prefix;
  id.append(characters.data(), characters.size());
  return id;
}

}  // namespace tally::fake::detail

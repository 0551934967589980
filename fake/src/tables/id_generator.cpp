#include "tables/id_generator.h"

#include "text/random.h"

namespace tally::fake::detail {

namespace {

constexpr std::string_view alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
constexpr std::size_t charactersPerDraw = 8;  // 62^8 is far below 2^64, so the modulo bias is negligible
constexpr std::size_t draws = 3;

/// Prevents neighbouring seeds from producing overlapping sequences.
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
  std::string id;
  id.reserve(prefix.size() + draws * charactersPerDraw);
  id += prefix;
  for (std::size_t draw = 0; draw < draws; ++draw) {
    std::uint64_t number = nextNumber();
    for (std::size_t i = 0; i < charactersPerDraw; ++i, number /= alphabet.size())
      id += alphabet[number % alphabet.size()];
  }
  return id;
}

}  // namespace tally::fake::detail

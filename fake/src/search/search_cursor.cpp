#include "search/search_cursor.h"

#include <array>
#include <charconv>

#include "tables/parsed_number.h"
#include "text/random.h"

namespace tally::fake::detail {

namespace {

constexpr std::string_view prefix = "page_";
constexpr std::size_t digits = 16;

std::uint64_t mix(std::uint64_t state, std::uint64_t word) {
  state ^= word;
  return tally::detail::nextRandom(state);
}

/// Mixes in the size first, so that different sequences of strings never yield the same bytes.
std::uint64_t mix(std::uint64_t state, std::string_view text) {
  state = mix(state, text.size());
  for (const char c : text)
    state = mix(state, static_cast<unsigned char>(c));
  return state;
}

void writeHex(std::string& out, std::uint64_t number) {
  std::array<char, digits> text{};
  const auto end = std::to_chars(text.data(), text.data() + digits, number, 16).ptr;
  const auto size = static_cast<std::size_t>(end - text.data());
  out.append(digits - size, '0');
  out.append(text.data(), size);
}

std::optional<std::uint64_t> readHex(std::string_view text) {
  return parsedNumber<std::uint64_t>(text, 16);
}

}  // namespace

SearchCursors::SearchCursors(std::uint64_t secret, std::string_view scope, std::string_view query)
    : key_(mix(mix(secret, scope), query)) {}

std::uint64_t SearchCursors::checksum(Position last) const {
  return mix(mix(mix(key_, static_cast<std::uint64_t>(last.created)), last.sequence), key_);
}

std::string SearchCursors::write(Position last) const {
  std::string cursor{prefix};
  writeHex(cursor, static_cast<std::uint64_t>(last.created));
  writeHex(cursor, last.sequence);
  writeHex(cursor, checksum(last));
  return cursor;
}

/// Only one spelling of a position is valid, which includes its checksum.
std::optional<Position> SearchCursors::read(std::string_view cursor) const {
  if (cursor.size() != prefix.size() + 3 * digits) return std::nullopt;
  const auto created = readHex(cursor.substr(prefix.size(), digits));
  const auto sequence = readHex(cursor.substr(prefix.size() + digits, digits));
  if (!created || !sequence) return std::nullopt;
  const Position last{static_cast<std::int64_t>(*created), *sequence};
  return cursor == write(last) ? std::optional{last} : std::nullopt;
}

}  // namespace tally::fake::detail

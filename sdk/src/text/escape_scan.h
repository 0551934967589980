#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace tally::detail {

enum class Charset : std::uint8_t { ascii, any };

/// Whether `c` needs no escape in a JSON string and belongs to `allowed`.
template <Charset allowed>
bool isPlain(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x20 && c != '"' && c != '\\' && (allowed == Charset::any || byte < 0x80);
}

/// How many characters plainInWord() tests at once.
inline constexpr std::size_t plainWord = sizeof(std::uint64_t);

/// How many of the `plainWord` characters at `from` are plain before the first that is not. A subtraction
/// that underflows sets the highest bit of a byte, which ASCII characters leave clear.
template <Charset allowed>
std::size_t plainInWord(const char* from) {
  constexpr std::uint64_t ones = 0x0101010101010101;
  constexpr std::uint64_t highs = ones * 0x80;
  std::uint64_t word = 0;
  std::memcpy(&word, from, sizeof word);
  const std::uint64_t control = word - ones * 0x20;
  const std::uint64_t quote = (word ^ ones * '"') - ones;
  const std::uint64_t backslash = (word ^ ones * '\\') - ones;
  const std::uint64_t special = control | quote | backslash;
  const std::uint64_t found = (allowed == Charset::ascii ? special | word : special & ~word) & highs;
  if (found == 0) return plainWord;
  // Borrows can cause false positives above the first match, never below it.
  if constexpr (std::endian::native == std::endian::little)
    return static_cast<std::size_t>(std::countr_zero(found)) / 8;
  return static_cast<std::size_t>(std::find_if_not(from, from + plainWord, isPlain<allowed>) - from);
}

#ifdef __SSE2__
/// How many characters plainInBlock() tests at once.
inline constexpr std::size_t plainBlock = sizeof(__m128i);

/// How many of the `plainBlock` characters at `from` are plain before the first that is not.
template <Charset allowed>
std::size_t plainInBlock(const char* from) {
  constexpr char lastControl = 0x1F;
  __m128i block{};
  std::memcpy(&block, from, sizeof block);
  // Signed, a character beyond ASCII is less than a control character.
  const __m128i outside = allowed == Charset::ascii
                              ? _mm_cmpgt_epi8(_mm_set1_epi8(lastControl + 1), block)
                              : _mm_cmpeq_epi8(_mm_min_epu8(block, _mm_set1_epi8(lastControl)), block);
  const __m128i quote = _mm_cmpeq_epi8(block, _mm_set1_epi8('"'));
  const __m128i backslash = _mm_cmpeq_epi8(block, _mm_set1_epi8('\\'));
  const int found = _mm_movemask_epi8(_mm_or_si128(_mm_or_si128(outside, quote), backslash));
  return static_cast<std::size_t>(std::countr_zero(static_cast<unsigned>(found) | 1U << plainBlock));
}
#else
inline constexpr std::size_t plainBlock = plainWord;

template <Charset allowed>
std::size_t plainInBlock(const char* from) {
  return plainInWord<allowed>(from);
}
#endif

/// The first character that is not plain, or `end`. Tests many bytes at a time, since nearly all texts are
/// plain.
template <Charset allowed>
const char* endOfPlain(const char* from, const char* end) {
  while (end - from >= static_cast<std::ptrdiff_t>(plainBlock)) {
    const std::size_t plain = plainInBlock<allowed>(from);
    from += plain;
    if (plain < plainBlock) return from;
  }
  if (end - from >= static_cast<std::ptrdiff_t>(plainWord)) {
    const std::size_t plain = plainInWord<allowed>(from);
    from += plain;
    if (plain < plainWord) return from;
  }
  return std::find_if_not(from, end, isPlain<allowed>);
}

/// The same for texts of which most end in the first block, which is tested inline.
template <Charset allowed>
inline const char* endOfShortPlain(const char* from, const char* end) {
  if (end - from >= static_cast<std::ptrdiff_t>(plainBlock)) {
    const std::size_t plain = plainInBlock<allowed>(from);
    from += plain;
    if (plain < plainBlock) return from;
  }
  return endOfPlain<allowed>(from, end);
}

}  // namespace tally::detail

#include "packing/shared_text.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstring>
#include <limits>
#include <utility>

namespace tally::fake::detail {

namespace {

// A packed text consists of steps. Each appends new characters, which follow its head, and then characters of
// the shared text. The head: the numbers of both, in a byte each, and the place of the latter, in two.

constexpr std::size_t headSize = 4;
constexpr std::size_t mostPerStep = std::numeric_limits<unsigned char>::max();
constexpr std::size_t mostShared = std::numeric_limits<std::uint16_t>::max();

/// What is looked up: shorter parts are not worth a step.
constexpr std::size_t wordSize = sizeof(std::uint64_t);

std::uint64_t wordAt(const char* at) {
  std::uint64_t word = 0;
  std::memcpy(&word, at, sizeof word);
  return word;
}

std::size_t byteAt(const char* at) {
  return static_cast<unsigned char>(*at);
}

char byteOf(std::size_t value) {
  return static_cast<char>(static_cast<unsigned char>(value));
}

/// With how many characters both begin.
std::size_t commonSize(std::string_view one, std::string_view other) {
  const std::size_t end = std::min(one.size(), other.size());
  std::size_t at = 0;
  while (end - at >= wordSize && wordAt(one.data() + at) == wordAt(other.data() + at))
    at += wordSize;
  while (at < end && one[at] == other[at])
    ++at;
  return at;
}

/// Where shared parts may begin. Elsewhere, what JSON repeats is in the middle of a value, and short.
constexpr auto begins = [] {
  std::array<bool, 256> of{};
  for (const char c : {'"', ',', ':', '{', '}', '[', ']'})
    of[static_cast<unsigned char>(c)] = true;
  return of;
}();

/// The next place from `at` on where a shared part may begin, or the end.
std::size_t nextBegin(std::string_view text, std::size_t at) {
  while (at < text.size() && !begins[byteAt(&text[at])])
    ++at;
  return at;
}

class Packer {
 public:
  explicit Packer(std::string& packed) : packed_(packed) {}

  void step(std::string_view fresh, std::size_t at, std::size_t shared) {
    for (; fresh.size() > mostPerStep; fresh.remove_prefix(mostPerStep))
      write(fresh.substr(0, mostPerStep), 0, 0);
    for (; shared > mostPerStep; shared -= mostPerStep, at += mostPerStep)
      write(std::exchange(fresh, {}), at, mostPerStep);
    write(fresh, at, shared);
  }

 private:
  void write(std::string_view fresh, std::size_t at, std::size_t shared) {
    const char head[] = {byteOf(fresh.size()), byteOf(shared), byteOf(at & 0xFF), byteOf(at >> 8)};
    packed_.append(head, sizeof head).append(fresh);
  }

  std::string& packed_;
};

}  // namespace

SharedText::SharedText(std::string text) : text_(std::move(text)) {
  text_.resize(std::min(text_.size(), mostShared));
  slotBits_ = static_cast<unsigned>(std::bit_width(2 * text_.size() + 1));
  first_.resize(std::size_t{1} << slotBits_);
  next_.resize(text_.size());
  if (text_.size() < wordSize) return;
  for (std::size_t at = text_.size() - wordSize + 1; at-- > 0;) {
    std::uint16_t& first = first_[slotOf(wordAt(text_.data() + at))];
    next_[at] = first;
    first = static_cast<std::uint16_t>(at + 1);
  }
}

const SharedText& SharedText::none() {
  static const SharedText text{{}};
  return text;
}

std::size_t SharedText::slotOf(std::uint64_t word) const noexcept {
  constexpr std::uint64_t factor = 0x9E3779B97F4A7C15;
  return static_cast<std::size_t>(word * factor >> (64 - slotBits_));
}

/// The part of the shared text that `rest` begins with: the first one from `expected` on, or the first of
/// all. Texts have their parts in the order of the shared one.
SharedText::Match SharedText::match(std::string_view rest, std::size_t expected) const {
  const std::uint64_t word = wordAt(rest.data());
  std::size_t found = 0;
  for (std::size_t place = first_[slotOf(word)]; place != 0; place = next_[place - 1]) {
    if (wordAt(text_.data() + place - 1) != word) continue;
    if (found == 0 || place > expected) found = place;
    if (place > expected) break;
  }
  if (found == 0) return {};
  const std::size_t at = found - 1;
  return {at, commonSize(rest, std::string_view{text_}.substr(at, text_.size() - at))};
}

void SharedText::pack(std::string_view text, std::string& packed) const {
  Packer packer{packed};
  std::size_t expected = 0;
  std::size_t begin = 0;  // of the new characters
  for (std::size_t at = 0; text.size() - at >= wordSize; at = nextBegin(text, at)) {
    const Match found = match(text.substr(at), expected);
    if (found.size == 0) {
      ++at;
      continue;
    }
    packer.step(text.substr(begin, at - begin), found.at, found.size);
    at += found.size;
    begin = at;
    expected = found.at + found.size;
  }
  if (begin != text.size()) packer.step(text.substr(begin), 0, 0);
}

void SharedText::unpack(std::string_view packed, std::size_t size, std::string& text) const {
  const std::size_t before = text.size();
  text.resize(before + size);
  char* to = text.data() + before;
  const char* const end = packed.data() + packed.size();
  for (const char* at = packed.data(); at != end;) {
    const std::size_t fresh = byteAt(at);
    const std::size_t shared = byteAt(at + 1);
    const char* const from = text_.data() + (byteAt(at + 2) | byteAt(at + 3) << 8);
    at += headSize;
    // g++ compiles a memcpy() of less than 256 characters as a string instruction, which starts slowly.
    std::memmove(to, at, fresh);
    at += fresh;
    to += fresh;
    std::memmove(to, from, shared);
    to += shared;
  }
  assert(to == text.data() + text.size());
}

}  // namespace tally::fake::detail

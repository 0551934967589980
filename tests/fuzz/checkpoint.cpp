// A checkpoint that is read and written is read as the same position, and a checkpoint with one byte changed
// is refused.
#include "pagination/checkpoint.h"

#include <string>
#include <variant>

#include "fuzz.h"
#include "text/fingerprint.h"

namespace tally::fuzz {

namespace {

using detail::Standing;

constexpr detail::WalkName walk{.operation = "payment_records.list", .params = 0x12345678};

std::string hex(std::uint32_t number) {
  std::string text;
  for (int shift = 28; shift >= 0; shift -= 4)
    text += "0123456789abcdef"[number >> shift & 0xFU];
  return text;
}

bool same(const Standing& a, const Standing& b) {
  return a.ended == b.ended && a.cursor == b.cursor && a.behind == b.behind;
}

void check(const Standing& standing) {
  const std::string text = detail::writeCheckpoint(walk, standing);
  require(text.find_first_not_of("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-._~") ==
              std::string::npos,
          "a checkpoint is a word that URLs hold unchanged");
  const auto read = detail::readCheckpoint(walk, text);
  require(std::holds_alternative<Standing>(read), "a checkpoint is read");
  require(same(std::get<Standing>(read), standing), "a checkpoint is read as the same position");
}

void read(std::string_view text) {
  const auto read = detail::readCheckpoint(walk, text);
  if (const auto* standing = std::get_if<Standing>(&read)) return check(*standing);
  require(!std::get<std::string>(read).empty(), "a problem has a description");
}

}  // namespace

void test(std::string_view input) {
  read(input);
  // With the right checksum, which hardly any input has.
  const std::string start = "tally1~payment_records.list~12345678~";
  for (const std::string& text : {std::string{input}, start + std::string{input}})
    read(text + '~' + hex(detail::fingerprint(text)));

  Choices choices{input};
  const bool ended = choices.oneIn(2);
  const std::size_t place = choices.byte();
  const char other = static_cast<char>(choices.byte());
  const std::string cursor{choices.until('\n')};
  const Standing standing{.ended = ended, .cursor = cursor, .behind = std::string{choices.rest()}};
  check(standing);
  std::string changed = detail::writeCheckpoint(walk, standing);
  char& byte = changed[place % changed.size()];
  if (byte == other) return;
  byte = other;
  require(std::holds_alternative<std::string>(detail::readCheckpoint(walk, changed)),
          "a changed checkpoint is refused");
}

}  // namespace tally::fuzz

// A recording that is read, and written, is read as the same exchanges. A recording that is not cut off is
// JSON for Boost.JSON, and has as many entries there. A part of a recording has the exchanges of its
// beginning.
#include <algorithm>
#include <cmath>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz.h"
#include "har/har_reader.h"
#include "har/har_text.h"

namespace tally::fuzz {

namespace {

using detail::Exchange;

constexpr std::size_t largePiece = 8'192;  // longer than most inputs; the usual one takes longer to fill
constexpr std::string_view byteOrderMark = "\xEF\xBB\xBF";

struct Recording {
  std::vector<Exchange> exchanges{};
  std::vector<std::string> redacted{};
  bool cutOff = false;
  bool refused = false;
};

/// By default, in pieces that are often smaller than a member.
Recording read(std::string_view text, std::size_t pieceSize = 32) {
  std::istringstream in{std::string{text}};
  detail::HarReader reader{in, pieceSize};
  Recording recording;
  try {
    while (auto exchange = reader.next()) {
      require(reader.position() + reader.size() <= text.size(), "an entry lies within the text");
      const auto entry = detail::readHarEntry(text.substr(reader.position(), reader.size()));
      require(entry == *exchange, "an entry can be read alone");
      recording.exchanges.push_back(*std::move(exchange));
    }
  } catch (const detail::HarError& problem) {
    require(*problem.what() != '\0', "a problem has a description");
    recording.refused = true;
  }
  recording.cutOff = reader.cutOff();
  recording.redacted = reader.redacted();
  return recording;
}

std::string written(const Recording& recording) {
  std::string text = detail::harBegin(recording.redacted);
  for (const Exchange& exchange : recording.exchanges) {
    if (&exchange != recording.exchanges.data()) text += detail::harSeparator;
    appendHarEntry(text, exchange);
  }
  return text += detail::harEnd;
}

/// Milliseconds are read as doubles, which have 53 bits.
void roundDuration(Exchange& exchange) {
  constexpr std::int64_t exact = std::int64_t{1} << 52U;
  if (exchange.duration.count() > exact) exchange.duration = std::chrono::nanoseconds{exact};
}

void checkWritten(Recording recording) {
  const std::string text = written(recording);
  require(parsedJson(text).has_value(), "what is written is JSON");
  Recording again = read(text);
  require(!again.refused && !again.cutOff, "what is written is read");
  std::ranges::for_each(recording.exchanges, roundDuration);
  std::ranges::for_each(again.exchanges, roundDuration);
  require(again.exchanges == recording.exchanges, "what is written is read as the same exchanges");
  require(again.redacted == recording.redacted, "the names of what is redacted are kept");
}

/// What is refused as an empty file, or ends within the byte order mark.
bool isEmpty(std::string_view text) {
  return text.size() < byteOrderMark.size() || text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

}  // namespace

void test(std::string_view input) {
  const Recording recording = read(input);
  const Recording other = read(input, largePiece);
  require(other.exchanges == recording.exchanges && other.refused == recording.refused &&
              other.cutOff == recording.cutOff,
          "the size of the pieces does not matter");
  require(!(recording.refused && recording.cutOff), "a text is not both refused and cut off");
  checkWritten(recording);
  if (!recording.refused && !recording.cutOff) {
    const auto json = parsedJson(input.substr(input.starts_with(byteOrderMark) ? byteOrderMark.size() : 0));
    require(json.has_value(), "what is accepted is JSON");
    require(json->at("log").at("entries").as_array().size() == recording.exchanges.size(),
            "each entry is an exchange");
  }
  const std::string_view part = input.substr(0, input.size() / 2);
  const Recording half = read(part);
  if (recording.refused) return;
  require(!half.refused || isEmpty(part), "a part of a recording is cut off");
  require(half.exchanges.size() <= recording.exchanges.size() &&
              std::equal(half.exchanges.begin(), half.exchanges.end(), recording.exchanges.begin()),
          "a part of a recording has its first exchanges");
}

}  // namespace tally::fuzz

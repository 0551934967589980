#include "json/compact_json.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "json/json_cursor.h"
#include "json/raw_json_reader.h"

namespace tally::detail {

namespace {

constexpr std::size_t usualDepth = 32;

TEST(CompactLength, IsTheLengthOfTheFirstValue) {
  EXPECT_EQ(compactLength(R"({"a":[1,-2.50,"\"\\\n",true,false,null,{},[]]},)", usualDepth), 46U);
  EXPECT_EQ(compactLength("0", usualDepth), 1U);
  EXPECT_EQ(compactLength("12]", usualDepth), 2U);
  EXPECT_EQ(compactLength("\"\xC3\xA9\"", usualDepth), 4U);
}

TEST(CompactLength, IsZeroForJsonThatIsNotCompact) {
  for (const std::string_view json :
       {" 1", "{ }", R"("\/")", R"("\u0041")", R"("\b")", "1e3", "1.5E3", R"({"a" :1})", "[1, 2]"})
    EXPECT_EQ(compactLength(json, usualDepth), 0U) << json;
}

TEST(CompactLength, IsZeroForInvalidJson) {
  for (const std::string_view json :
       {"", "-", "01", "1.", ".5", "tru", "[", "[1", "[1,]", "{1:2}", R"({"a"})", R"({"a":})", R"("a)",
        R"("\)", "\"\t\"", "\"\xC3\"", "[}", "nul"})
    EXPECT_EQ(compactLength(json, usualDepth), 0U) << json;
}

TEST(CompactLength, IsZeroForJsonThatIsNestedTooDeeply) {
  EXPECT_EQ(compactLength("[[1]]", 2), 5U);
  EXPECT_EQ(compactLength("[[1]]", 1), 0U);
  EXPECT_EQ(compactLength("[[1],[2],[3]]", 2), 13U);
  EXPECT_EQ(compactLength(std::string(100'000, '['), 1'000'000), 0U);
}

/// What one of two functions made of a text: how much it read, and what it wrote; nothing if that failed.
std::pair<std::size_t, std::string> readBy(std::string_view json, std::size_t deepest) {
  boost::system::error_code failed;
  std::string out;
  const std::size_t size = appendRawJson(out, json, failed, deepest);
  return failed ? std::pair{std::size_t{0}, std::string{}} : std::pair{size, out};
}

std::string nearlyCompact() {
  std::string text =
      R"({"a":[1,-2.5,"plain","\"\\\n\t\r",true,false,null,{},[]],"b":{"c":{"d":"é"}},"e":0,"":[[[3]]]})";
  for (int left = *rc::gen::inRange(0, 4); left > 0; --left) {
    const auto at = *rc::gen::inRange<std::size_t>(0, text.size());
    const char c = *rc::gen::oneOf(rc::gen::elementOf(std::string{" {}[]:,\"\\019-+.eEtfnulb/\x7f\xc3\xa9"}),
                                   rc::gen::arbitrary<char>());
    *rc::gen::arbitrary<bool>() ? text.insert(at, 1, c) : text.replace(at, 1, 1, c);
  }
  return text.substr(*rc::gen::elementOf(std::vector<std::size_t>{0, 0, 0, 5, 55}),
                     *rc::gen::elementOf(std::vector<std::size_t>{1'000, 60}));
}

/// A space before the text leaves it to Boost.JSON.
RC_GTEST_PROP(CompactLength, AgreesWithBoostJson, ()) {
  const std::string text = nearlyCompact();
  const std::size_t deepest = *rc::gen::element(std::size_t{usualDepth}, std::size_t{2});
  const std::vector<char> exact{text.begin(), text.end()};  // without a terminating null
  const std::size_t length = compactLength({exact.data(), exact.size()}, deepest);
  RC_CLASSIFY(length != 0, "compact");
  if (length == 0) return;
  auto [size, written] = readBy(' ' + text.substr(0, length), deepest);
  RC_ASSERT(size == length + 1);
  RC_ASSERT(written == text.substr(0, length));
  // What follows does not matter to Boost.JSON, either.
  RC_ASSERT(readBy(' ' + text, deepest).second == written);
}

TEST(JsonCursor, UnescapesAStringInMemoryInProportionToItsLength) {
  std::string text = "\"";
  for (int n = 0; n < 1'000; ++n)
    text += "\\n";
  text += '"';
  JsonCursor cursor{text};
  EXPECT_EQ(cursor.string(), std::string(1'000, '\n'));
  EXPECT_LT(cursor.releaseBuffer().size(), 8 * text.size());
}

/// Reads one string in two ways: with its escapes as they are, and with each as that of a code point.
RC_GTEST_PROP(JsonCursor, ReadsEscapesAsBoostJsonDoes, ()) {
  constexpr std::string_view escapes = "\"\\/bfnrt";
  constexpr std::string_view meanings = "\"\\/\b\f\n\r\t";
  std::string json = "\"";
  std::string meant;
  for (int left = *rc::gen::inRange(0, 40); left > 0; --left) {
    const auto plain = std::string(*rc::gen::inRange<std::size_t>(0, 30), *rc::gen::inRange('a', 'z'));
    const auto escape = *rc::gen::inRange<std::size_t>(0, escapes.size());
    json += plain + '\\' + escapes[escape];
    meant += plain + meanings[escape];
  }
  const std::string whole = json + '"';
  const std::string coded = json + "\\u0041\"";  // which Boost.JSON reads as a whole
  JsonCursor cursor{whole};
  JsonCursor other{coded};
  RC_ASSERT(std::string{cursor.string().value()} == meant);
  RC_ASSERT(cursor.atEnd());
  RC_ASSERT(std::string{other.string().value()} == meant + 'A');
}

}  // namespace

}  // namespace tally::detail

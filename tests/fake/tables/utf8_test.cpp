#include "tables/utf8.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace tally::fake::detail {

namespace {

TEST(Utf8, AcceptsSequencesOfEveryLength) {
  EXPECT_TRUE(isUtf8(""));
  EXPECT_TRUE(isUtf8("plain"));
  EXPECT_TRUE(isUtf8("caf\xC3\xA9"));
  EXPECT_TRUE(isUtf8("\xE2\x82\xAC"));
  EXPECT_TRUE(isUtf8("\xF0\x9F\x98\x80"));
  EXPECT_TRUE(isUtf8(std::string_view{"\0", 1}));
}

TEST(Utf8, RefusesInvalidSequences) {
  EXPECT_FALSE(isUtf8("\x80"));
  EXPECT_FALSE(isUtf8("\xC3"));
  EXPECT_FALSE(isUtf8("\xC3("));
  EXPECT_FALSE(isUtf8("\xC0\xAF")) << "overlong";
  EXPECT_FALSE(isUtf8("\xE0\x80\xAF")) << "overlong";
  EXPECT_FALSE(isUtf8("\xF0\x80\x80\xAF")) << "overlong";
  EXPECT_FALSE(isUtf8("\xED\xA0\x80")) << "a surrogate";
  EXPECT_FALSE(isUtf8("\xF4\x90\x80\x80")) << "beyond Unicode";
  EXPECT_FALSE(isUtf8("\xF5\x80\x80\x80"));
  EXPECT_FALSE(isUtf8("\xE2\x82")) << "cut off";
  EXPECT_FALSE(isUtf8("\xE2\x82("));
  EXPECT_FALSE(isUtf8("caf\xC3\xA9 or \xFF")) << "behind a valid one";
}

TEST(ReadableText, ContainsQuestionMarksInPlaceOfInvalidBytes) {
  EXPECT_EQ(readable("caf\xC3\xA9"), "caf\xC3\xA9");
  EXPECT_EQ(readable("a\xFF\xC3"
                     "b"),
            "a??b");
}

TEST(ConversionToUtf8, ReplacesOnlyInvalidBytes) {
  EXPECT_EQ(asUtf8("caf\xC3\xA9"), "caf\xC3\xA9");
  EXPECT_EQ(asUtf8("a\xFF\xC3"
                   "b"),
            "a\uFFFD\uFFFD"
            "b");
  EXPECT_EQ(asUtf8(std::string(1'000, '\xFF')).size(), 3'000U) << "it is not cut";
}

TEST(ReadableText, IsTruncatedBetweenCharacters) {
  std::string text;
  for (int i = 0; i < 150; ++i)
    text += "\xC3\xA9";
  EXPECT_EQ(readable(text), text.substr(0, 200) + "...");
  EXPECT_EQ(readable("x" + text), "x" + text.substr(0, 198) + "...");
}

RC_GTEST_PROP(ReadableText, IsAlwaysUtf8, (const std::string& bytes)) {
  RC_ASSERT(isUtf8(readable(bytes)));
}

TEST(Utf8, FindsTextIgnoringTheCaseOfAsciiLetters) {
  for (const char* part : {"", "a", "AbC", "abcd", "D", "1é", "d-Ab"})
    EXPECT_TRUE(containsIgnoringCase("ABCd-abCD1é", part)) << part;
  for (const char* part : {"abe", "d-abcde", "abcd-abcd1é!", "É", "[", "{"})
    EXPECT_FALSE(containsIgnoringCase("ABCd-abCD1é", part)) << part;
  EXPECT_FALSE(containsIgnoringCase("", "a"));
  EXPECT_FALSE(containsIgnoringCase("{", "["));
  EXPECT_TRUE(containsIgnoringCase("aab aAaB", "AAAB"));
}

}  // namespace

}  // namespace tally::fake::detail

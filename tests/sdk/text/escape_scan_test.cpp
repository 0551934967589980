#include "text/escape_scan.h"

#include <string>

#include <gtest/gtest.h>

#include "text/appender.h"

namespace tally::detail {

namespace {

template <Charset allowed>
void expectPlain(const std::string& text, std::size_t plain) {
  const char* const begin = text.data();
  EXPECT_EQ(endOfPlain<allowed>(begin, begin + text.size()) - begin, static_cast<std::ptrdiff_t>(plain));
  if (text.size() >= plainWord) {
    EXPECT_EQ(plainInWord<allowed>(begin), std::min(plain, plainWord));
  }
  if (text.size() >= plainBlock) {
    EXPECT_EQ(plainInBlock<allowed>(begin), std::min(plain, plainBlock));
  }
  std::string copy = "before";
  Appender appender{copy, copy.size()};
  EXPECT_EQ(appender.appendPlain<allowed>(begin, begin + text.size()) - begin,
            static_cast<std::ptrdiff_t>(plain));
  appender.finish();
  EXPECT_EQ(copy, "before" + text.substr(0, plain));
}

/// Each byte at each place of texts around the sizes that are tested at once.
template <Charset allowed>
void expectEveryByteFound() {
  for (std::size_t size = 1; size <= 40; ++size)
    for (std::size_t at = 0; at < size; ++at)
      for (unsigned byte = 0; byte < 256; ++byte) {
        std::string text(size, 'x');
        text[at] = static_cast<char>(byte);
        const bool control = byte < 0x20;
        const bool plain =
            !control && byte != '"' && byte != '\\' && (byte < 0x80 || allowed == Charset::any);
        expectPlain<allowed>(text, plain ? size : at);
        if (testing::Test::HasFailure()) FAIL() << "byte " << byte << " at " << at << " of " << size;
      }
}

TEST(EscapeScan, FindsEachCharacterThatNeedsAnEscape) {
  expectEveryByteFound<Charset::any>();
}

TEST(EscapeScan, FindsEachCharacterBeyondAscii) {
  expectEveryByteFound<Charset::ascii>();
}

TEST(EscapeScan, FindsTheFirstOfSeveralCharactersThatNeedAnEscape) {
  for (const std::string text : {"a\"b\\c", "abcdefg\"\"hijklmnop\"", "0123456789abcdef\"\\\x01"}) {
    const std::size_t first = text.find_first_of("\"\\");
    expectPlain<Charset::any>(text, first);
    expectPlain<Charset::ascii>(text, first);
  }
}

}  // namespace

}  // namespace tally::detail

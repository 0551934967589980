#include "text/decimal.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace tally::detail {
namespace {

TEST(Decimal, ReadsWhatItWrites) {
  using Limits = std::numeric_limits<std::int64_t>;
  for (const std::int64_t number :
       {Limits::min(), std::int64_t{-1}, std::int64_t{0}, std::int64_t{42}, Limits::max()}) {
    std::string text;
    appendDecimal(text, number);
    EXPECT_EQ(decimalIn(text), number);
  }
}

TEST(Decimal, ReadsNoDigitsPastTheEndOfTheText) {
  constexpr std::string_view digits = "1234";
  EXPECT_EQ(decimalIn(digits.substr(0, 2)), 12);
  EXPECT_EQ(decimalIn(digits.substr(2, 0)), std::nullopt);
}

TEST(Decimal, RefusesTextThatIsNotANumber) {
  for (const char* const text : {"", "-", "+1", " 1", "1 ", "0x1", "1.0", "9223372036854775808"})
    EXPECT_EQ(decimalIn(text), std::nullopt) << text;
}

TEST(RealNumber, ReadsFractionsAndExponents) {
  EXPECT_EQ(realNumberIn("12"), 12);
  EXPECT_EQ(realNumberIn("-0.25"), -0.25);
  EXPECT_EQ(realNumberIn("1.5e3"), 1500);
  EXPECT_EQ(realNumberIn("9.007199254740993e15"), 9'007'199'254'740'993.0);
}

TEST(RealNumber, RefusesTextThatIsNotANumber) {
  for (const char* const text : {"", "-", "+1", " 1", "1 ", "1,5", "0x1p3", "inf", "nan", "1e", "1e999"})
    EXPECT_EQ(realNumberIn(text), std::nullopt) << text;
}

}  // namespace
}  // namespace tally::detail

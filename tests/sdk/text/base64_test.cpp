#include "text/base64.h"

#include <gtest/gtest.h>

namespace tally::detail {

namespace {

TEST(Base64, DecodesTextWithAndWithoutPadding) {
  EXPECT_EQ(decodeBase64(""), "");
  EXPECT_EQ(decodeBase64("Zg=="), "f");
  EXPECT_EQ(decodeBase64("Zm8="), "fo");
  EXPECT_EQ(decodeBase64("Zm9v"), "foo");
  EXPECT_EQ(decodeBase64("Zm9vYg"), "foob");
  EXPECT_EQ(decodeBase64("//79"), "\xFF\xFE\xFD");
}

TEST(Base64, EncodesTextWithPadding) {
  EXPECT_EQ(encodeBase64(""), "");
  EXPECT_EQ(encodeBase64("f"), "Zg==");
  EXPECT_EQ(encodeBase64("fo"), "Zm8=");
  EXPECT_EQ(encodeBase64("foo"), "Zm9v");
  EXPECT_EQ(encodeBase64("foob"), "Zm9vYg==");
  EXPECT_EQ(encodeBase64("\xFF\xFE\xFD"), "//79");
}

TEST(Base64, RefusesInvalidText) {
  EXPECT_EQ(decodeBase64("Z"), std::nullopt);
  EXPECT_EQ(decodeBase64("Zm9="), "fo") << "the remainder is ignored";
  EXPECT_EQ(decodeBase64("Zm=9"), std::nullopt);
  EXPECT_EQ(decodeBase64("Zm 9"), std::nullopt);
}

}  // namespace

}  // namespace tally::detail

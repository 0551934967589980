#include "emit/text/docs_text.h"

#include <string>

#include <gtest/gtest.h>

namespace tally::codegen::emit {

namespace {

TEST(Literal, UsesTheFewestEscapes) {
  EXPECT_EQ(literal("plain"), R"("plain")");
  EXPECT_EQ(literal("a\\b"), "R\"(a\\b)\"");
  EXPECT_EQ(literal("(\"a\")\""), R"("(\"a\")\"")");
}

TEST(Literal, IsNotRawIfItIsLong) {
  EXPECT_EQ(literal(std::string(80, 'x') + '"'), '"' + std::string(80, 'x') + "\\\"\"");
}

TEST(Literal, IsEmptyForAnEmptyString) {
  EXPECT_EQ(literal(""), "");
}

}  // namespace

}  // namespace tally::codegen::emit

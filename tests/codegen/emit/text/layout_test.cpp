#include "emit/text/layout.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tally::codegen::emit {

namespace {

using testing::ElementsAre;

const std::string x40(40, 'x');
const std::string y50(50, 'y');

TEST(Layout, LeavesShortLinesAlone) {
  EXPECT_EQ(fit(2, "return ", {"f(", {{"a"}, {"b"}}, ")"}, ";"), "  return f(a, b);");
}

TEST(Layout, AlignsArguments) {
  EXPECT_EQ(fit(0, "", {"f(", {{x40}, {x40}, {x40}}, ")"}, ";"),
            "f(" + x40 + ", " + x40 + ",\n  " + x40 + ");");
}

TEST(Layout, HangsArgumentsThatCannotBeAligned) {
  EXPECT_EQ(fit(2, "", {y50 + x40 + "(", {{x40}, {x40}}, ")"}, " const;"),
            "  " + y50 + x40 + "(\n      " + x40 + ", " + x40 + ") const;");
}

TEST(Layout, CountsWhatFollowsTheBracket) {
  const Expression call{"f(", {{y50}, {y50}}, ")"};  // 105 columns
  EXPECT_EQ(fit(0, "", call, ";"), "f(" + y50 + ", " + y50 + ");");
  EXPECT_EQ(fit(0, "", call, " const;"), "f(" + y50 + ",\n  " + y50 + ") const;");
}

TEST(Layout, BreaksTheInnerCallWhenTheOuterOneCannotBeBroken) {
  const Expression inner{y50 + "(", {{y50}, {"b"}}, ")"};
  EXPECT_EQ(fit(4, "", {"outer(", {{"\"pr_\""}, inner}, ")"}, ","),
            "    outer(\"pr_\", " + y50 + "(\n                     " + y50 + ", b)),");
}

TEST(Layout, BreaksAssignmentsAfterTheOperator) {
  EXPECT_EQ(assignment(0, "a", {"b"}, ";"), "a = b;");
  EXPECT_EQ(assignment(0, y50, {y50 + x40}, ";"), y50 + " =\n    " + y50 + x40 + ";");
}

TEST(Layout, HangsTheArgumentsOfAnAssignedCallThatFitsNoLine) {
  const Expression call{y50 + '(', {{y50}, {"b"}}, ")"};  // 105 columns
  EXPECT_EQ(assignment(0, "a", call, ";"), "a = " + call.flat() + ';');
  EXPECT_EQ(assignment(0, y50, call, ";"), y50 + " =\n    " + call.flat() + ';');
  EXPECT_EQ(assignment(2, y50, call, ";"), "  " + y50 + " = " + y50 + "(\n      " + y50 + ", b);");
  EXPECT_EQ(assignment(2, y50 + x40, call, ";"),
            "  " + y50 + x40 + " =\n      " + y50 + '(' + y50 + ",\n" + std::string(57, ' ') + "b);");
}

TEST(Layout, SplitsTextAtSpaces) {
  EXPECT_EQ(textAssignment(4, ".a", "say \"hi\"", ","), "    .a = R\"(say \"hi\")\",");
  const std::string text = x40 + ' ' + x40 + ' ' + x40;
  EXPECT_EQ(textAssignment(4, ".a", text, ","),
            "    .a =\n        \"" + x40 + ' ' + x40 + " \"\n        \"" + x40 + "\",");
}

TEST(Layout, WritesLiteralsWithTheFewestEscapes) {
  EXPECT_EQ(literal("plain"), R"("plain")");
  EXPECT_EQ(literal("a\\b"), "R\"(a\\b)\"");
  EXPECT_EQ(literal("(\"a\")\""), R"("(\"a\")\"")");
}

TEST(Layout, BreaksSumsAfterTheOperator) {
  EXPECT_EQ(sumAssignment(0, "a", {"b", "c"}, ","), "a = b | c,");
  EXPECT_EQ(sumAssignment(2, "a", {x40, x40, x40}, ","),
            "  a = " + x40 + " | " + x40 + " |\n      " + x40 + ',');
}

TEST(Layout, AlignsConsecutiveComments) {
  EXPECT_THAT(remarked(2, {{"a;", "one"}, {"bbb;", "two"}, {"cccccc;", ""}, {"d;", "three"}}),
              ElementsAre("  a;    ///< one", "  bbb;  ///< two", "  cccccc;", "  d;  ///< three"));
}

TEST(Layout, PutsCommentsAboveWhenOneIsTooLong) {
  EXPECT_THAT(remarked(2, {{"a;", "one"}, {"bbb;", y50 + ' ' + y50 + ' ' + x40}}),
              ElementsAre("  /// one", "  a;", "  /// " + y50 + ' ' + y50, "  /// " + x40, "  bbb;"));
}

TEST(Layout, FitsTheWidthWhereverALineHasASpace) {
  std::string text;
  for (std::size_t word = 1; word < 60; ++word)
    text += std::string(word % 13 + 1, 'w') + ' ';
  const Lines lines = wrapped(6, text);
  EXPECT_GT(lines.size(), 1U);
  for (const std::string& line : lines)
    EXPECT_LE(line.size() + 6, lineWidth);
}

}  // namespace

}  // namespace tally::codegen::emit

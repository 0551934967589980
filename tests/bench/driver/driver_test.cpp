// The options, results and comparison of ./dev bench.
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bench/driver/command_line.h"
#include "bench/driver/comparison.h"
#include "bench/driver/results.h"

namespace tally::bench {

namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr std::string_view names[] = {"decode", "outbox", "outbox", "outbox-large"};

CommandLine parsed(const std::vector<std::string_view>& arguments) {
  return parseCommandLine(arguments, names);
}

std::string problemOf(const std::vector<std::string_view>& arguments) {
  try {
    (void)parsed(arguments);
  } catch (const std::invalid_argument& problem) {
    return problem.what();
  }
  return "none";
}

TEST(BenchOptions, SelectAllRowsByDefault) {
  EXPECT_TRUE(isWanted(parsed({}), "decode"));
  EXPECT_EQ(parsed({}).runs, 1);
}

TEST(BenchOptions, SelectRowsByNameOrPattern) {
  EXPECT_FALSE(isWanted(parsed({"outbox"}), "outbox-large"));
  EXPECT_TRUE(isWanted(parsed({"outbox*"}), "outbox-large"));
  EXPECT_FALSE(isWanted(parsed({"outbox*"}), "decode"));
  EXPECT_TRUE(isWanted(parsed({"outbox*", "decode"}), "decode"));
}

TEST(BenchOptions, DefaultToThreeRunsWhenResultsAreSavedOrCompared) {
  EXPECT_EQ(parsed({"--json", "a"}).runs, 3);
  EXPECT_EQ(parsed({"--compare", "a"}).runs, 3);
  EXPECT_EQ(parsed({"--compare", "a", "--runs", "5"}).runs, 5);
}

TEST(BenchOptions, AreRefusedWithAnExplanationWhenInvalid) {
  EXPECT_EQ(problemOf({"paint"}), "no row is named 'paint'; there are: decode outbox outbox-large");
  EXPECT_EQ(problemOf({"--fast"}), "unknown option --fast; see ./dev bench --help");
  EXPECT_EQ(problemOf({"--json"}), "--json takes a value");
  for (const std::string_view runs : {"0", "101", "2x", ""})
    EXPECT_THAT(problemOf({"--runs", runs}), HasSubstr("--runs takes a number from 1 to 100, not '")) << runs;
}

Row row(const std::string& ratio, const std::string& goal = "≤ 1.5") {
  return {.what = "decode a page", .figure = "2 µs", .reference = "4 µs", .ratio = ratio, .goal = goal};
}

RowResults results(const std::vector<std::string>& ratios, const std::string& goal = "≤ 1.5") {
  RowResults made{.name = "decode"};
  for (const std::string& ratio : ratios)
    made.runs.push_back(row(ratio, goal));
  return made;
}

TEST(BenchResults, ReturnTheRunWithTheMedianRatio) {
  EXPECT_EQ(results({"0.9", "0.7", "0.8"}).median().ratio, "0.8");
  EXPECT_EQ(results({"0.9", "0.7"}).median().ratio, "0.7");
  EXPECT_EQ(results({"—"}).median().ratio, "—");
}

// Otherwise, the other runs would hide that a result was wrong.
TEST(BenchResults, ReturnTheRunThatFailedIfThereIsOne) {
  RowResults some = results({"0.9", "—", "0.8"});
  some.runs[1].figure = failedFigure;
  EXPECT_EQ(some.median().ratio, "—");
}

TEST(BenchResults, AreParsedIntoTheNumbersTheyContain) {
  EXPECT_THAT(numbersIn("1.04; 2"), ElementsAre(1.04, 2));
  EXPECT_THAT(numbersIn("+ 3.40 µs"), ElementsAre(3.4));
  EXPECT_THAT(numbersIn("—"), IsEmpty());
}

TEST(BenchResults, RoundTripThroughJson) {
  RowResults written = results({"0.9", "0.7"});
  written.runs.front().met = false;
  const auto read = readResults(toJson(std::vector{written}));
  ASSERT_EQ(read.size(), 1U);
  EXPECT_EQ(read.front().name, "decode");
  ASSERT_EQ(read.front().runs.size(), 2U);
  const Row& first = read.front().runs.front();
  EXPECT_EQ(first.what, "decode a page");
  EXPECT_EQ(first.figure + first.reference + first.ratio + first.goal, "2 µs4 µs0.9≤ 1.5");
  EXPECT_EQ(first.met, false);
  EXPECT_EQ(read.front().runs.back().met, std::nullopt);
}

TEST(BenchResults, AreRefusedWhenMalformed) {
  for (const std::string_view text :
       {"", "{}", "[]", R"({"format":"tally bench 2","rows":[]})",
        R"({"format":"tally bench 1","rows":[{"name":"a","what":"b","runs":[]}]})",
        R"({"format":"tally bench 1","rows":[{"name":1}]})"})
    EXPECT_THROW((void)readResults(text), std::runtime_error) << text;
}

std::string compared(const RowResults& before, const RowResults& now) {
  return comparisonOf({before}, {now});
}

TEST(BenchComparison, ShowsMediansWithTheirSpread) {
  const std::string text = compared(results({"1.0", "1.2", "1.1"}), results({"0.9", "0.88", "0.89"}));
  EXPECT_THAT(text, HasSubstr("1.100 (1.000 to 1.200)"));
  EXPECT_THAT(text, HasSubstr("0.890 (0.880 to 0.900)"));
  EXPECT_THAT(text, HasSubstr("− 19.1 %"));
  EXPECT_THAT(text, HasSubstr("better"));
}

TEST(BenchComparison, ReportsAChangeOnlyOutsideTheSpread) {
  const RowResults before = results({"1.0", "1.2"});
  EXPECT_THAT(compared(before, results({"1.2", "1.3"})), HasSubstr("within the spread"));
  EXPECT_THAT(compared(before, results({"1.3"})), HasSubstr("WORSE"));
  EXPECT_THAT(compared(before, results({"1.3"})), Not(HasSubstr("within")));
}

TEST(BenchComparison, JudgesAChangeByTheDirectionOfTheGoal) {
  EXPECT_THAT(compared(results({"1"}, "≥ 1"), results({"2"}, "≥ 1")), HasSubstr("better"));
  EXPECT_THAT(compared(results({"2"}, "≥ 1"), results({"1"}, "≥ 1")), HasSubstr("WORSE"));
  EXPECT_THAT(compared(results({"1"}, "—"), results({"2"}, "—")), HasSubstr("more"));
}

TEST(BenchComparison, ComparesEachNumberOfARatio) {
  const std::string text = compared(results({"1.0; 5"}), results({"2.0; 5"}));
  EXPECT_THAT(text, HasSubstr("WORSE"));
  EXPECT_THAT(text, HasSubstr("within the spread"));
}

TEST(BenchComparison, MarksNewAndPreviouslySkippedRowsAsNew) {
  EXPECT_THAT(comparisonOf({}, {results({"1"})}), HasSubstr("new"));
  EXPECT_THAT(compared(results({"—"}), results({"1"})), AllOf(HasSubstr("new"), Not(HasSubstr("WORSE"))))
      << "it was skipped";
}

}  // namespace

}  // namespace tally::bench

#include <regex>
#include <stdexcept>
#include <string>

#include "bench/rows/rows.h"
#include "bench/support/measure.h"

namespace tally::bench {

namespace {

constexpr double longLogGoal = 1.5;
constexpr double throughputGoal = 0.95;

/// What the program prints; empty without Chromium.
const std::string& printed() {
  static const std::string output = run("/usr/bin/python3 " TALLY_BENCH_PAGE " " TALLY_FAKE).output;
  return output;
}

Row skipped(const std::string& what, const std::string& goal) {
  return {.what = what, .figure = "skipped, no Chromium", .reference = "—", .ratio = "—", .goal = goal};
}

/// The numbers in the line that `pattern` describes.
std::smatch numbersIn(const std::string& pattern) {
  std::smatch found;
  if (!std::regex_search(printed(), found, std::regex{pattern}))
    throw std::runtime_error{"no line '" + pattern + "' in " + printed()};
  return found;
}

/// What takes with 100,000 logged requests hardly longer than with 1,000.
Row longLog(const std::string& part) {
  const std::string what = "the web page of tally-fake with a log of 100,000 requests: " + part;
  const std::string goal = "≤ " + fixed(longLogGoal, 1);
  if (printed().empty()) return skipped(what, goal);
  const std::smatch found = numbersIn(part + " with 1000 requests: ([0-9.]+) ms; with 100000: ([0-9.]+) ms");
  const double few = std::stod(found[1]);
  const double many = std::stod(found[2]);
  return {.what = what,
          .figure = fixed(many, 1) + " ms",
          .reference = fixed(few, 1) + " ms, with 1,000",
          .ratio = fixed(many / few, 2),
          .goal = goal,
          .met = many / few <= longLogGoal};
}

}  // namespace

Row pageFirstPaint() {
  return longLog("first paint");
}

Row pageFilter() {
  return longLog("filter");
}

/// Its processor time.
Row pageWithANewRequest() {
  return longLog("one more request");
}

Row throughputWithThePage() {
  const std::string what = "tally-fake: lists by wrk on 8 connections with the page open";
  const std::string goal = "≥ " + fixed(throughputGoal, 2);
  if (printed().empty()) return skipped(what, goal);
  const std::smatch found = numbersIn("with the page open: ([0-9.]+); closed: ([0-9.]+)");
  const double open = std::stod(found[1]);
  const double closed = std::stod(found[2]);
  return {.what = what,
          .figure = fixed(open, 0) + "/s",
          .reference = fixed(closed, 0) + "/s, closed",
          .ratio = fixed(open / closed, 2),
          .goal = goal,
          .met = open / closed >= throughputGoal};
}

}  // namespace tally::bench

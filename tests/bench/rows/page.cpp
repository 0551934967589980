#include <regex>
#include <stdexcept>
#include <string>

#include "bench/rows/rows.h"
#include "bench/support/measure.h"

namespace tally::bench {

namespace {

/// What the program prints; empty without Chromium.
const std::string& printed() {
  static const std::string output = run("/usr/bin/python3 " TALLY_BENCH_PAGE " " TALLY_FAKE).output;
  return output;
}

/// A row from the line that begins with `line`.
Row row(const std::string& what, const std::string& line, double goal) {
  Row made{.what = what,
           .figure = "skipped, no Chromium",
           .reference = "—",
           .ratio = "—",
           .goal = "≤ " + fixed(goal, 0) + " ms"};
  if (printed().empty()) return made;
  std::smatch found;
  if (!std::regex_search(printed(), found, std::regex{line + ": ([0-9.]+) ms"}))
    throw std::runtime_error{"no line '" + line + "' in " + printed()};
  const double milliseconds = std::stod(found[1]);
  made.figure = fixed(milliseconds, 1) + " ms";
  made.met = milliseconds <= goal;
  return made;
}

}  // namespace

Row pageWithManyRequests() {
  return row("the web page of tally-fake: render 10,000 logged requests", "to render them", 500);
}

Row pageWithANewRequest() {
  return row("the web page of tally-fake: one more request, processor time", "for one more request", 16);
}

}  // namespace tally::bench

#include <string>

#include "bench/rows/rows.h"
#include "bench/support/measure.h"

namespace tally::bench {

namespace {

Pair measured(const std::string& what) {
  return pairOf(run(TALLY_BENCH_STORE " " + what).output);
}

std::string microseconds(double seconds) {
  return fixed(seconds * 1e6, 1) + " µs";
}

Row row(const Pair& pair, const std::string& what, const std::string& figure, const std::string& reference,
        double goal) {
  return {.what = what,
          .figure = figure,
          .reference = reference,
          .ratio = fixed(pair.ratio, 2),
          .goal = "≤ " + fixed(goal, 2),
          .met = pair.ratio <= goal};
}

}  // namespace

Row listPages() {
  const Pair pair = measured("pages");
  return row(pair, "a list page of 100 at any depth in 10 million payouts", microseconds(pair.figure),
             microseconds(pair.reference) + " in 1,000", 1.15);
}

Row storeMemory() {
  const Pair pair = measured("memory");
  return row(pair, "memory of the fake for a record, reported on", fixed(pair.figure, 0) + " B",
             fixed(pair.reference, 0) + " B, its JSON", 0.8);
}

Row searches() {
  const Pair pair = measured("searches");
  return row(pair, "search on an indexed field, 10 matches in 1 million records", microseconds(pair.figure),
             microseconds(pair.reference) + " at 1,000", 1.25);
}

}  // namespace tally::bench

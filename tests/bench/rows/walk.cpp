#include <cstdlib>
#include <string>

#include "bench/rows/rows.h"
#include "bench/support/measure.h"

namespace tally::bench {

namespace {

constexpr double goal = 1.05;

double peakKilobytes(const std::string& records) {
  return std::stod(run(TALLY_BENCH_WALK " " + records).output);
}

std::string megabytes(double kilobytes) {
  return fixed(kilobytes / 1024, 2) + " MB";
}

}  // namespace

Row walkMemory() {
  const Pair pair =
      measurePair(5, [] { return peakKilobytes("100000"); }, [] { return peakKilobytes("1000"); });
  return {.what = "peak memory of pagination over 100,000 records",
          .figure = megabytes(pair.figure),
          .reference = megabytes(pair.reference) + " at 1,000",
          .ratio = fixed(pair.ratio, 3),
          .goal = "≤ " + fixed(goal, 2),
          .met = pair.ratio <= goal};
}

}  // namespace tally::bench

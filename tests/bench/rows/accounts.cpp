#include <string>

#include "bench/rows/rows.h"
#include "bench/support/measure.h"

namespace tally::bench {

namespace {

Pair measured(const std::string& what) {
  return pairOf(run(TALLY_BENCH_ACCOUNTS " " + what).output);
}

Row row(const Pair& pair, const std::string& what, const std::string& figure, const std::string& goal,
        double most) {
  return {.what = what,
          .figure = figure,
          .reference = "—",
          .ratio = fixed(pair.ratio, 2),
          .goal = goal,
          .met = pair.ratio <= most};
}

std::string kibibytes(double bytes) {
  return fixed(bytes / 1'024, 1) + " KiB";
}

}  // namespace

Row idleAccountMemory() {
  const Pair pair = measured("idle");
  return row(pair, "memory of an account of tally-fake without requests", kibibytes(pair.figure), "≤ 16 KiB",
             1);
}

Row droppedAccountsMemory() {
  const Pair pair = measured("dropped");
  return row(pair, "memory that 100,000 accounts leave, created, used and deleted", kibibytes(pair.figure),
             "≤ 1 MiB", 1);
}

Row startWithAMillionRecords() {
  const Pair pair = measured("start");
  Row made = row(pair, "start with 1,000,000 records", fixed(pair.figure, 2) + " s", "≤ 1.5", 1.5);
  made.reference = fixed(pair.reference, 2) + " s, Boost.JSON parses as many";
  return made;
}

Row memoryOfAMillionRecords() {
  const Pair pair = measured("records");
  Row made = row(pair, "memory of 1,000,000 records", fixed(pair.figure / 1e6, 0) + " MB", "≤ 1.5", 1.5);
  made.reference = fixed(pair.reference / 1e6, 0) + " MB, their JSON";
  return made;
}

}  // namespace tally::bench

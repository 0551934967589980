#include <cstdio>
#include <string>

#include "bench/rows/rows.h"
#include "bench/support/measure.h"

namespace tally::bench {

namespace {

constexpr double rateGoal = 0.3;
constexpr double memoryGoal = 1.2;

/// A recording in a file, which exists as long as this.
class RecordingFile {
 public:
  explicit RecordingFile(const std::string& count) : name_("/tmp/tally_bench_" + count + ".har") {
    (void)run(TALLY_BENCH_COMPARE " write " + count + ' ' + name_);
  }
  RecordingFile(const RecordingFile&) = delete;
  RecordingFile& operator=(const RecordingFile&) = delete;
  ~RecordingFile() { (void)std::remove(name_.c_str()); }

  [[nodiscard]] std::string measured(const std::string& what) const {
    return run(TALLY_BENCH_COMPARE " " + what + ' ' + name_).output;
  }

 private:
  std::string name_;
};

}  // namespace

Row compareRecording() {
  const Pair pair = pairOf(RecordingFile{"100000"}.measured("rate"));
  const double ratio = pair.reference / pair.figure;
  return {.what = "compare 100,000 recorded requests",
          .figure = fixed(pair.figure, 2) + " s",
          .reference = fixed(pair.reference, 2) + " s, in process",
          .ratio = fixed(ratio, 2),
          .goal = "≥ 0.3",
          .met = ratio >= rateGoal};
}

Row compareMemory() {
  const double many = std::stod(RecordingFile{"100000"}.measured("peak"));
  const double few = std::stod(RecordingFile{"1000"}.measured("peak"));
  return {.what = "memory to compare 100,000 recorded requests",
          .figure = fixed(many / 1e6, 1) + " MB",
          .reference = fixed(few / 1e6, 1) + " MB for 1,000",
          .ratio = fixed(many / few, 2),
          .goal = "≤ 1.2",
          .met = many <= memoryGoal * few};
}

}  // namespace tally::bench

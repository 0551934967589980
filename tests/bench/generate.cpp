#include <algorithm>
#include <filesystem>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include "measure.h"
#include "rows.h"
#include "temporary_folder.h"

namespace tally::bench {

namespace {

constexpr double goal = 0.3;

/// Generates everything into an empty folder, so that every file has to be written.
double wallSeconds() {
  const test::TemporaryFolder folder;
  const std::string arguments = " --api " TALLY_BENCH_API " --out " + folder.path().string();
  const double seconds = run(TALLY_BENCH_CODEGEN + arguments).wallSeconds;
  for (const char* file : {"sdk/generated/include/tally/services.h", "fake/generated/sources.cmake"})
    if (!std::filesystem::exists(folder.path() / file))
      throw std::runtime_error{std::string{file} + " is missing"};
  static_cast<void>(run(TALLY_BENCH_CODEGEN + arguments + " --check"));
  return seconds;
}

}  // namespace

Row generateAll() {
  std::vector<double> times(9);
  std::generate(times.begin(), times.end(), wallSeconds);
  const double seconds = median(times);
  return {.what = "generate everything",
          .figure = fixed(seconds, 3) + " s",
          .reference = "—",
          .ratio = "—",
          .goal = "≤ " + fixed(goal, 1) + " s",
          .met = seconds <= goal};
}

}  // namespace tally::bench

#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include <boost/json/parse.hpp>

#include "bench/rows/rows.h"
#include "bench/support/measure.h"
#include "temporary_folder.h"

namespace tally::bench {

namespace {

constexpr double goal = 1.0;
constexpr int parsesInReference = 100;

std::vector<std::string> descriptions() {
  std::vector<std::string> texts;
  for (const auto& entry : std::filesystem::directory_iterator{TALLY_BENCH_API}) {
    std::ifstream file{entry.path()};
    texts.emplace_back(std::istreambuf_iterator<char>{file}, std::istreambuf_iterator<char>{});
  }
  return texts;
}

double secondsToParseAll(const std::vector<std::string>& texts) {
  return secondsOf([&] {
    for (int n = 0; n < parsesInReference; ++n)
      for (const std::string& text : texts)
        if (!boost::json::parse(text).is_object()) throw std::runtime_error{"no description"};
  });
}

/// Generates everything into an empty folder, so that every file is written. Without clang-format, which
/// takes ten times as long.
double wallSeconds() {
  const test::TemporaryFolder folder;
  const std::string arguments = " --unformatted --api " TALLY_BENCH_API " --out " + folder.path().string();
  const double seconds = run(TALLY_BENCH_CODEGEN + arguments).wallSeconds;
  for (const char* file : {"sdk/generated/include/tally/services.h", "fake/generated/sources.cmake"})
    if (!std::filesystem::exists(folder.path() / file))
      throw std::runtime_error{std::string{file} + " is missing"};
  static_cast<void>(run(TALLY_BENCH_CODEGEN + arguments + " --check"));
  return seconds;
}

}  // namespace

Row generateAll() {
  const std::vector<std::string> texts = descriptions();
  const Pair pair = measurePair(9, wallSeconds, [&] { return secondsToParseAll(texts); });
  return {.what = "generate everything, unformatted",
          .figure = fixed(pair.figure, 3) + " s",
          .reference = fixed(pair.reference, 3) + " s, Boost.JSON parses the description " +
                       std::to_string(parsesInReference) + " times",
          .ratio = fixed(pair.ratio, 2),
          .goal = "≤ " + fixed(goal, 2),
          .met = pair.ratio <= goal};
}

}  // namespace tally::bench

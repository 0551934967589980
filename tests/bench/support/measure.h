#pragma once

#include <chrono>
#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

namespace tally::bench {

/// Medians over several rounds. A round measures both values in succession, so other load on the machine
/// affects both. The ratio is the median of the rounds' ratios.
struct Pair {
  double figure = 0;
  double reference = 0;
  double ratio = 0;
};

/// Measures both in each of `rounds` rounds. The order alternates, so that a machine that slows down or
/// speeds up favors neither.
[[nodiscard]] Pair measurePair(int rounds, const std::function<double()>& figure,
                               const std::function<double()>& reference);

/// Writes a result to the output of a separate program, and reads it back.
std::ostream& operator<<(std::ostream& out, const Pair& pair);
[[nodiscard]] Pair pairOf(const std::string& printed);

/// CPU time of one iteration in seconds, measured by Google Benchmark.
[[nodiscard]] double secondsPerIteration(const std::string& name,
                                         const std::function<void(benchmark::State&)>& body);

/// The reference for in-process calls: Boost.JSON parses `json` into a DOM. Returns the CPU time in seconds.
[[nodiscard]] double secondsToParse(const std::string& json);

/// Does the work of a separate program, and returns its exit status. Prints what a std::exception says.
[[nodiscard]] int statusOf(const std::function<void()>& work);

/// Wall time of `body` in seconds.
template <class Body>
[[nodiscard]] double secondsOf(const Body& body) {
  const auto start = std::chrono::steady_clock::now();
  body();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// `numbers` must not be empty.
[[nodiscard]] double median(std::vector<double> numbers);

/// The output and duration of a command.
struct Ran {
  std::string output{};
  double wallSeconds = 0;
  double cpuSeconds = 0;
};

/// Runs a shell command to completion; throws std::runtime_error if it fails.
[[nodiscard]] Ran run(const std::string& command);

}  // namespace tally::bench

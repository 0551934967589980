#pragma once

#include <chrono>
#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

namespace tally::bench {

/// Medians over several rounds. Each round measures the one right after the other, and the ratio is that of a
/// round, so that what else the machine does falls on both alike.
struct Pair {
  double figure = 0;
  double reference = 0;
  double ratio = 0;
};

/// Measures both in each of `rounds` rounds. Which one comes first alternates, so that a machine that becomes
/// slower or faster favours neither.
[[nodiscard]] Pair measurePair(int rounds, const std::function<double()>& figure,
                               const std::function<double()>& reference);

/// How a program of its own tells what it measured, and how that is read.
std::ostream& operator<<(std::ostream& out, const Pair& pair);
[[nodiscard]] Pair pairOf(const std::string& printed);

/// The processor time of one iteration, in seconds, as Google Benchmark finds it.
[[nodiscard]] double secondsPerIteration(const std::string& name,
                                         const std::function<void(benchmark::State&)>& body);

/// A fixed piece of work to hold in-process calls against: Boost.JSON parses `json` into a DOM. Returns the
/// processor time of one time, in seconds.
[[nodiscard]] double secondsToParse(const std::string& json);

/// The seconds that `body` takes, by the clock.
template <class Body>
[[nodiscard]] double secondsOf(const Body& body) {
  const auto start = std::chrono::steady_clock::now();
  body();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// The middle of `numbers`, which are not empty.
[[nodiscard]] double median(std::vector<double> numbers);

/// What a command printed, and what it took.
struct Ran {
  std::string output{};
  double wallSeconds = 0;
  double cpuSeconds = 0;
};

/// Runs a shell command to its end; throws std::runtime_error if it fails.
[[nodiscard]] Ran run(const std::string& command);

}  // namespace tally::bench

#include "bench/support/measure.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <ostream>
#include <sstream>
#include <stdexcept>

#include <boost/json/parse.hpp>
#include <sys/resource.h>

namespace tally::bench {

namespace {

/// Keeps the last run. Prints nothing, because the table shows the result.
class Collector final : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context& /*context*/) override { return true; }

  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      if (run.error_occurred) throw std::runtime_error{run.benchmark_name() + ": " + run.error_message};
      seconds = run.cpu_accumulated_time / static_cast<double>(run.iterations);
    }
  }

  double seconds = 0;
};

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

double childrensCpuSeconds() {
  rusage usage{};
  getrusage(RUSAGE_CHILDREN, &usage);
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

}  // namespace

Pair measurePair(int rounds, const std::function<double()>& figure,
                 const std::function<double()>& reference) {
  std::vector<double> figures;
  std::vector<double> references;
  std::vector<double> ratios;
  for (int round = 0; round < rounds; ++round) {
    const bool figureFirst = round % 2 == 0;
    if (figureFirst) figures.push_back(figure());
    references.push_back(reference());
    if (!figureFirst) figures.push_back(figure());
    ratios.push_back(figures.back() / references.back());
  }
  return {median(figures), median(references), median(ratios)};
}

std::ostream& operator<<(std::ostream& out, const Pair& pair) {
  return out << pair.figure << ' ' << pair.reference << ' ' << pair.ratio;
}

Pair pairOf(const std::string& printed) {
  Pair pair;
  std::istringstream text{printed};
  if (!(text >> pair.figure >> pair.reference >> pair.ratio)) throw std::runtime_error{"no pair: " + printed};
  return pair;
}

int statusOf(const std::function<void()>& work) {
  try {
    work();
    return EXIT_SUCCESS;
  } catch (const std::exception& problem) {
    std::cerr << problem.what() << '\n';
    return EXIT_FAILURE;
  }
}

double secondsPerIteration(const std::string& name, const std::function<void(benchmark::State&)>& body) {
  Collector collector;
  benchmark::RegisterBenchmark(name.c_str(), body)->MinTime(0.1);
  benchmark::RunSpecifiedBenchmarks(&collector);
  benchmark::ClearRegisteredBenchmarks();
  return collector.seconds;
}

double secondsToParse(const std::string& json) {
  return secondsPerIteration("parse", [&](benchmark::State& state) {
    for ([[maybe_unused]] auto _ : state) {
      const boost::json::value value = boost::json::parse(json);
      if (!value.is_object()) return state.SkipWithError("no object");
    }
  });
}

double median(std::vector<double> numbers) {
  const auto middle = numbers.begin() + static_cast<std::ptrdiff_t>(numbers.size() / 2);
  std::nth_element(numbers.begin(), middle, numbers.end());
  return *middle;
}

Ran run(const std::string& command) {
  using Clock = std::chrono::steady_clock;
  Ran ran;
  const auto start = Clock::now();
  const double cpuBefore = childrensCpuSeconds();
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error{"can't run: " + command};
  std::array<char, 4096> chunk{};
  while (const std::size_t read = std::fread(chunk.data(), 1, chunk.size(), pipe))
    ran.output.append(chunk.data(), read);
  if (pclose(pipe) != 0) throw std::runtime_error{"failed: " + command + '\n' + ran.output};
  ran.cpuSeconds = childrensCpuSeconds() - cpuBefore;
  ran.wallSeconds = std::chrono::duration<double>(Clock::now() - start).count();
  return ran;
}

}  // namespace tally::bench

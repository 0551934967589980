#include <regex>
#include <stdexcept>
#include <string>

#include "bench/rows/rows.h"
#include "bench/support/measure.h"
#include "fake/server/support/program.h"

namespace tally::bench {

namespace {

constexpr double retrieveGoal = 1.05;
constexpr double prefetchGoal = 1.05;
constexpr double walkGoal = 1.4;

/// A tally-fake with `records` records in the sandbox, and the program that calls it.
class Served {
 public:
  explicit Served(const std::string& records)
      : program_{{"--port", "0", "--no-limits", "--records", records}} {}

  [[nodiscard]] Pair measured(const std::string& what) const { return pairOf(run(command(what)).output); }

  /// Instructions per retrieve. The difference of two runs cancels the startup.
  [[nodiscard]] double instructions(const std::string& way) const {
    constexpr int few = 100;
    constexpr int many = 500;
    return (counted(way, many) - counted(way, few)) / (many - few);
  }

 private:
  [[nodiscard]] std::string command(const std::string& what) const {
    return TALLY_BENCH_LOOPBACK " " + what + ' ' + greeting_.url + ' ' + greeting_.sandboxKey;
  }

  [[nodiscard]] double counted(const std::string& way, int times) const {
    const std::string output = run("valgrind --tool=callgrind --callgrind-out-file=/dev/null " +
                                   command(way) + ' ' + std::to_string(times) + " 2>&1")
                                   .output;
    std::smatch found;
    if (!std::regex_search(output, found, std::regex{"Collected : ([0-9]+)"}))
      throw std::runtime_error{output};
    return std::stod(found[1]);
  }

  test::Program program_;
  test::Greeting greeting_ = test::greetingOf(program_.line());
};

std::string microseconds(double seconds) {
  return fixed(seconds * 1e6, 1) + " µs";
}

std::string milliseconds(double seconds) {
  return fixed(seconds * 1e3, 1) + " ms";
}

Row walkRow(const std::string& what, const Pair& pair, double goal) {
  return {.what = what,
          .figure = milliseconds(pair.figure),
          .reference = milliseconds(pair.reference) + ", the same pages by plain libcurl",
          .ratio = fixed(pair.ratio, 2),
          .goal = "≤ " + fixed(goal, 2),
          .met = pair.ratio <= goal};
}

}  // namespace

Row retrieveOverLoopback() {
  const Served served{"1"};
  const Pair pair = served.measured("retrieves");
  const double plain = served.instructions("plain");
  const double added = served.instructions("client") - plain;
  return {.what = "retrieve over loopback HTTP, with instruction count",
          .figure = microseconds(pair.figure) + ", +" + fixed(added, 0),
          .reference = microseconds(pair.reference) + ", " + fixed(plain, 0) + ", plain libcurl",
          .ratio = fixed(pair.ratio, 2),
          .goal = "≤ " + fixed(retrieveGoal, 2),
          .met = pair.ratio <= retrieveGoal};
}

Row retrieveBesideSocket() {
  const Pair pair = Served{"1"}.measured("exchanges");
  return {.what = "the same retrieve",
          .figure = microseconds(pair.figure),
          .reference = microseconds(pair.reference) + ", a socket that exchanges the same bytes",
          .ratio = fixed(pair.ratio, 2)};
}

Row walkOverLoopback() {
  return walkRow("pagination over 4,000 records via loopback HTTP, 100 per page, with prefetch",
                 Served{"4000"}.measured("walks_ahead"), prefetchGoal);
}

Row walkOverLoopbackPageByPage() {
  return walkRow("the same pagination without prefetch", Served{"4000"}.measured("walks"), walkGoal);
}

}  // namespace tally::bench

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <regex>
#include <sstream>
#include <stdexcept>
#include <string>

#include <unistd.h>

#include "bench/rows/rows.h"
#include "bench/support/measure.h"
#include "fake/server/support/peer.h"
#include "fake/server/support/program.h"
#include "support/process.h"
#include "temporary_folder.h"

namespace tally::bench {

namespace {

constexpr int rows = 100'000;
constexpr double journalGoal = 1.15;
constexpr double memoryGoal = 1.10;
constexpr double restartGoal = 0.1;
constexpr int paced = 5'000;
constexpr double limitGoal = 1.02;

/// What the program prints.
struct Job {
  double seconds = 0;
  double kibibytes = 0;
  double secondsToFirst = 0;
};

/// A server without limits, and a folder for journals.
class Bulk {
 public:
  explicit Bulk(const std::string& options = "--no-limits")
      : program_{{"--port", "0", "--request-log", "0", "--records", "1000", options}},
        greeting_{test::greetingOf(program_.line())} {
    setenv("TALLY_API_KEY", greeting_.sandboxKey.c_str(), 1);
  }

  [[nodiscard]] std::string journal() const { return (folder_.path() / "journal").string(); }
  void forget() const { std::filesystem::remove(journal()); }

  [[nodiscard]] Job runJob(int count, const std::string& journalPath) const {
    Job job;
    std::istringstream{run(std::string{TALLY_BENCH_BULK} + " run " + greeting_.url + ' ' +
                           std::to_string(count) + ' ' + journalPath)
                           .output} >>
        job.seconds >> job.kibibytes >> job.secondsToFirst;
    return job;
  }

  /// Starts the job with a journal, and kills it when it has sent most of its reports.
  void killJob() const {
    test::Process job{TALLY_BENCH_BULK, {"run", greeting_.url, std::to_string(rows), journal()}};
    constexpr std::uintmax_t mostOfTheRows = 10'000'000;  // bytes of the journal
    std::error_code missing;
    while (std::filesystem::file_size(journal(), missing) < mostOfTheRows || missing)
      usleep(10'000);
    job.endAtOnce();
  }

 private:
  test::Program program_;
  test::Greeting greeting_;
  test::TemporaryFolder folder_{};
};

}  // namespace

Row bulkWithJournal() {
  const Bulk bulk;
  const Pair pair = measurePair(
      3,
      [&] {
        bulk.forget();
        return bulk.runJob(rows, bulk.journal()).seconds;
      },
      [&] { return bulk.runJob(rows, "-").seconds; });
  return {.what = "reportAll: 100,000 rows with the journal",
          .figure = fixed(pair.figure, 2) + " s",
          .reference = fixed(pair.reference, 2) + " s, without a journal",
          .ratio = fixed(pair.ratio, 2),
          .goal = "≤ " + fixed(journalGoal, 2),
          .met = pair.ratio <= journalGoal};
}

Row bulkMemory() {
  const Bulk bulk;
  const double many = bulk.runJob(rows, bulk.journal()).kibibytes;
  bulk.forget();
  const double few = bulk.runJob(1'000, bulk.journal()).kibibytes;
  return {.what = "reportAll: peak memory, 100,000 rows",
          .figure = fixed(many / 1024, 1) + " MiB",
          .reference = fixed(few / 1024, 1) + " MiB, 1,000 rows",
          .ratio = fixed(many / few, 2),
          .goal = "≤ " + fixed(memoryGoal, 2),
          .met = many / few <= memoryGoal};
}

Row bulkRestart() {
  const Bulk bulk;
  bulk.killJob();
  const double seconds = bulk.runJob(rows, bulk.journal()).secondsToFirst;
  bulk.forget();
  const double whole = bulk.runJob(rows, bulk.journal()).seconds;
  return {.what = "reportAll: restart after SIGKILL, to the first report",
          .figure = fixed(seconds, 2) + " s",
          .reference = fixed(whole, 2) + " s, the whole job",
          .ratio = fixed(seconds / whole, 3),
          .goal = "≤ " + fixed(restartGoal, 1),
          .met = seconds / whole <= restartGoal};
}

Row bulkAtTheLimit() {
  const test::TemporaryFolder folder;
  const std::string scenario = folder.write("live.json", R"({"accounts": [{"records": [
    {"resource": "payment_record", "livemode": true, "count": 5000}]}]})");
  test::Program program{{"--port", "0", "--scenario", scenario}};
  const test::Greeting greeting = test::greetingOf(program.line());
  setenv("TALLY_API_KEY", greeting.liveKey.c_str(), 1);
  const double seconds = std::stod(
      run(std::string{TALLY_BENCH_BULK} + " limits " + greeting.url + ' ' + std::to_string(paced)).output);
  constexpr double rate = 3 * 25;  // three endpoints
  const double ratio = seconds * rate / paced;
  return {.what = "reportAll: 5,000 reports at the live limits",
          .figure = fixed(seconds, 1) + " s",
          .reference = fixed(paced / rate, 1) + " s, the limits",
          .ratio = fixed(ratio, 3),
          .goal = "≤ " + fixed(limitGoal, 2),
          .met = ratio <= limitGoal};
}

}  // namespace tally::bench

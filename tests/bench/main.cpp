#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bench/driver/command_line.h"
#include "bench/driver/comparison.h"
#include "bench/driver/results.h"
#include "bench/rows/rows.h"

namespace {

using tally::bench::CommandLine;
using tally::bench::Row;
using tally::bench::RowResults;

struct Benchmark {
  std::string_view name{};
  Row (*run)() = nullptr;
};

constexpr Benchmark benchmarks[] = {
    {"decode", tally::bench::decodePage},
    {"decode", tally::bench::decodePageOnDemand},
    {"retrieve", tally::bench::retrieve},
    {"report", tally::bench::report},
    {"report", tally::bench::reportWithLimits},
    {"observed", tally::bench::observedByCounters},
    {"start", tally::bench::startService},
    {"start", tally::bench::startProgram},
    {"threads", tally::bench::sharedByThreads},
    {"virtual_time", tally::bench::threadsInVirtualTime},
    {"loopback", tally::bench::retrieveOverLoopback},
    {"loopback", tally::bench::retrieveBesideSocket},
    {"loopback", tally::bench::walkOverLoopback},
    {"loopback", tally::bench::walkOverLoopbackPageByPage},
    {"walk", tally::bench::walkMemory},
    {"async", tally::bench::asyncGets},
    {"async", tally::bench::asyncGetsWaiting},
    {"async", tally::bench::asyncConnections},
    {"async", tally::bench::asyncPolled1},
    {"async", tally::bench::asyncPolled64},
    {"async", tally::bench::asyncPolled500},
    {"async", tally::bench::asyncPolled2000},
    {"async", tally::bench::asyncAwaited},
    {"async", tally::bench::asyncFutures},
    {"async", tally::bench::asyncExecutor},
    {"async", tally::bench::asyncMemoryWaiting},
    {"async", tally::bench::asyncMemoryInFlight},
    {"simulation", tally::bench::simulatedRetrieves},
    {"simulation", tally::bench::simulatedReports},
    {"simulation", tally::bench::simulationMemory},
    {"pages", tally::bench::listPages},
    {"memory", tally::bench::storeMemory},
    {"searches", tally::bench::searches},
    {"accounts", tally::bench::idleAccountMemory},
    {"accounts", tally::bench::droppedAccountsMemory},
    {"million", tally::bench::startWithAMillionRecords},
    {"million", tally::bench::memoryOfAMillionRecords},
    {"aside", tally::bench::besideASearch},
    {"aside", tally::bench::besideASearchServed},
    {"aside", tally::bench::readsBesideASearchOfAMillion},
    {"compare", tally::bench::compareRecording},
    {"compare", tally::bench::compareMemory},
    {"compile", tally::bench::compileTime},
    {"compile", tally::bench::compileTimeAsync},
    {"compile", tally::bench::compileTimeAsio},
    {"size", tally::bench::sizeOfOneCall},
    {"generate", tally::bench::generateAll},
    {"served", tally::bench::servedOnOneConnection},
    {"served", tally::bench::servedOnEightConnections},
    {"served", tally::bench::servedPipelined},
    {"recorded", tally::bench::recorded},
    {"page", tally::bench::pageFirstPaint},
    {"page", tally::bench::pageFilter},
    {"page", tally::bench::pageWithANewRequest},
    {"page", tally::bench::throughputWithThePage},
    {"bulk", tally::bench::bulkWithJournal},
    {"bulk", tally::bench::bulkMemory},
    {"bulk", tally::bench::bulkRestart},
    {"bulk", tally::bench::bulkAtTheLimit},
    {"outbox", tally::bench::outboxOnSqlite},
    {"outbox", tally::bench::outboxOnPostgres},
    {"outbox", tally::bench::outboxArrays},
    {"outbox", tally::bench::outboxSingleCalls},
    {"outbox", tally::bench::outboxLatency},
    {"outbox", tally::bench::outboxWrites},
    {"outbox", tally::bench::outboxIdle},
    {"outbox", tally::bench::outboxTakeover},
    {"outbox-large", tally::bench::outboxWithManyReports},
    {"outbox-bloat", tally::bench::outboxBloat},
    {"sharing", tally::bench::sharedSteadily},
    {"sharing", tally::bench::sharedChangingly},
};

std::vector<std::string_view> names() {
  std::vector<std::string_view> all;
  for (const Benchmark& benchmark : benchmarks)
    all.push_back(benchmark.name);
  return all;
}

std::vector<RowResults> earlierResults(const std::string& file) {
  std::ifstream in{file, std::ios::binary};
  const std::string text{std::istreambuf_iterator<char>{in}, {}};
  if (!in) throw std::runtime_error{"can't read " + file};
  return tally::bench::readResults(text);
}

/// Opened before anything is measured, so that a file that can't be written costs no time. Earlier results
/// stay until the new ones are complete.
class ResultsFile {
 public:
  explicit ResultsFile(std::string name) : name_(std::move(name)), out_(part_, std::ios::binary) { check(); }

  void write(const std::vector<RowResults>& results) {
    out_ << tally::bench::toJson(results) << std::flush;
    check();
    std::filesystem::rename(part_, name_);
  }

 private:
  void check() const {
    if (!out_) throw std::runtime_error{"can't write " + part_};
  }

  std::string name_;
  std::string part_ = name_ + ".part";
  std::ofstream out_;
};

/// What can't be measured misses its goal, so that the other rows are not lost.
Row measured(const Benchmark& benchmark) {
  try {
    return benchmark.run();
  } catch (const std::exception& problem) {
    std::cerr << benchmark.name << ": " << problem.what() << '\n';
    return {.what = std::string{benchmark.name},
            .figure = tally::bench::failedFigure,
            .ratio = "—",
            .met = false};
  }
}

/// At once, since all rows together take long.
void report(const Row& row) {
  std::cerr << row.what << ": " << row.figure << ", " << row.ratio << ", goal " << row.goal << std::endl;
}

/// Run by run, so that the runs of a row are far apart.
std::vector<RowResults> measure(const CommandLine& line) {
  std::vector<RowResults> results;
  for (int run = 0; run < line.runs; ++run) {
    auto row = results.begin();
    for (const Benchmark& benchmark : benchmarks) {
      if (!isWanted(line, benchmark.name)) continue;
      if (run == 0) row = results.insert(results.end(), {.name = std::string{benchmark.name}});
      row->runs.push_back(measured(benchmark));
      report(row->runs.back());
      ++row;
    }
  }
  return results;
}

/// Names each row that misses its goal. Returns whether any did.
bool reportMissed(const std::vector<Row>& rows) {
  bool missed = false;
  for (const Row& row : rows)
    if (row.met == false) {
      std::cerr << "goal missed: " << row.what << ": " << row.ratio << ", goal " << row.goal << '\n';
      missed = true;
    }
  return missed;
}

int bench(const CommandLine& line) {
  std::optional<ResultsFile> file;
  if (!line.json.empty()) file.emplace(line.json);
  const auto before = line.compare.empty() ? std::vector<RowResults>{} : earlierResults(line.compare);
  const std::vector<RowResults> results = measure(line);
  std::vector<Row> rows;
  for (const RowResults& each : results)
    rows.push_back(each.median());
  std::cout << tally::bench::table(rows);
  if (!line.compare.empty()) std::cout << '\n' << tally::bench::comparisonOf(before, results);
  if (file) file->write(results);
  return reportMissed(rows) ? EXIT_FAILURE : EXIT_SUCCESS;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string_view> arguments{argv + 1, argv + argc};
  try {
    const CommandLine line = tally::bench::parseCommandLine(arguments, names());
    if (!line.help) return bench(line);
    std::cout << tally::bench::usageText(names());
    return EXIT_SUCCESS;
  } catch (const std::exception& problem) {
    std::cerr << problem.what() << '\n';
    return EXIT_FAILURE;
  }
}

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "bench/rows/rows.h"

namespace {

struct Benchmark {
  std::string_view name{};
  tally::bench::Row (*run)() = nullptr;
};

constexpr Benchmark benchmarks[] = {
    {"decode", tally::bench::decodePage},
    {"retrieve", tally::bench::retrieve},
    {"report", tally::bench::report},
    {"report", tally::bench::reportWithLimits},
    {"observed", tally::bench::observedByCounters},
    {"start", tally::bench::startService},
    {"start", tally::bench::startProgram},
    {"threads", tally::bench::sharedByThreads},
    {"virtual_time", tally::bench::threadsInVirtualTime},
    {"loopback", tally::bench::retrieveOverLoopback},
    {"loopback", tally::bench::walkOverLoopback},
    {"loopback", tally::bench::walkOverLoopbackPageByPage},
    {"walk", tally::bench::walkMemory},
    {"async", tally::bench::asyncGets},
    {"async", tally::bench::asyncGetsWaiting},
    {"async", tally::bench::asyncConnections},
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
    {"generate", tally::bench::generateAll},
    {"served", tally::bench::servedOnOneConnection},
    {"served", tally::bench::servedOnEightConnections},
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

/// Names each row that misses its goal. Returns whether any did.
bool reportMissed(const std::vector<tally::bench::Row>& rows) {
  bool missed = false;
  for (const tally::bench::Row& row : rows)
    if (row.met == false) {
      std::cerr << "goal missed: " << row.what << ": " << row.ratio << ", goal " << row.goal << '\n';
      missed = true;
    }
  return missed;
}

/// Whether there are benchmarks of all these names. Says which name is wrong, and which ones there are.
bool areKnown(const std::vector<std::string_view>& names) {
  for (const std::string_view name : names) {
    if (std::ranges::count(benchmarks, name, &Benchmark::name) > 0) continue;
    std::cerr << "no row is named '" << name << "'; there are:";
    std::string_view last;
    for (const Benchmark& benchmark : benchmarks)
      if (benchmark.name != std::exchange(last, benchmark.name)) std::cerr << ' ' << benchmark.name;
    std::cerr << '\n';
    return false;
  }
  return true;
}

}  // namespace

// Measures the rows named by the arguments, or all. Fails if a result is wrong or a goal is missed.
int main(int argc, char** argv) {
  const std::vector<std::string_view> wanted{argv + 1, argv + argc};
  if (!areKnown(wanted)) return EXIT_FAILURE;
  try {
    std::vector<tally::bench::Row> rows;
    for (const Benchmark& benchmark : benchmarks)
      if (wanted.empty() || std::ranges::count(wanted, benchmark.name) > 0) rows.push_back(benchmark.run());
    std::cout << tally::bench::table(rows);
    return reportMissed(rows) ? EXIT_FAILURE : EXIT_SUCCESS;
  } catch (const std::exception& e) {
    std::cerr << e.what() << '\n';
    return EXIT_FAILURE;
  }
}

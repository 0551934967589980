#include <cstdlib>
#include <sstream>
#include <string>
#include <string_view>

#include "bench/rows/rows.h"
#include "bench/support/measure.h"
#include "fake/server/support/peer.h"
#include "fake/server/support/program.h"
#include "outbox/postgres_server.h"
#include "temporary_folder.h"

namespace tally::bench {

namespace {

constexpr int rounds = 3;
const std::string rowCount = "50000";
constexpr double sqliteGoal = 0.8;
constexpr double postgresGoal = 0.6;

/// A server without limits, and a folder for files.
class Reports {
 public:
  Reports() { setenv("TALLY_API_KEY", greeting_.sandboxKey.c_str(), 1); }

  /// The seconds of a job of reportAll() with a journal.
  [[nodiscard]] double inOneProcess() {
    return first(
        run(std::string{TALLY_BENCH_BULK} + " run " + greeting_.url + ' ' + rowCount + ' ' + file()).output);
  }

  /// The seconds in which a worker sends what waits in a new outbox.
  [[nodiscard]] double throughOutbox(const std::string& database) const {
    double enqueued = 0;
    double sent = 0;
    std::istringstream{
        run(std::string{TALLY_BENCH_OUTBOX} + " run '" + database + "' " + greeting_.url + ' ' + rowCount)
            .output} >>
        enqueued >> sent;
    return sent;
  }

  [[nodiscard]] std::string file() { return (folder_.path() / std::to_string(++files_)).string(); }

 private:
  static double first(const std::string& output) { return std::stod(output); }

  test::Program program_{{"--port", "0", "--request-log", "0", "--records", "1000", "--no-limits"}};
  test::Greeting greeting_{test::greetingOf(program_.line())};
  test::TemporaryFolder folder_{};
  int files_ = 0;
};

Row rowOf(const std::string& where, const Pair& pair, double goal) {
  const double rate = pair.reference / pair.figure;
  return {.what = "outbox on " + where + ": 50,000 reports",
          .figure = fixed(pair.figure, 2) + " s",
          .reference = fixed(pair.reference, 2) + " s, reportAll() with SqliteJournal",
          .ratio = fixed(rate, 2) + " of its rate",
          .goal = "≥ " + fixed(goal, 1),
          .met = rate >= goal};
}

}  // namespace

Row outboxOnSqlite() {
  Reports reports;
  return rowOf("SQLite",
               measurePair(
                   rounds, [&] { return reports.throughOutbox("sqlite:" + reports.file()); },
                   [&] { return reports.inOneProcess(); }),
               sqliteGoal);
}

Row outboxOnPostgres() {
  if (!test::PostgresServer::isInstalled()) return {.what = "outbox on PostgreSQL: not installed"};
  Reports reports;
  return rowOf(
      "PostgreSQL",
      measurePair(
          rounds, [&] { return reports.throughOutbox(test::PostgresServer::instance().urlOfNewDatabase()); },
          [&] { return reports.inOneProcess(); }),
      postgresGoal);
}

}  // namespace tally::bench

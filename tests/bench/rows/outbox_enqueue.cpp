#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include <tally/outbox_postgres.h>

#include "bench/rows/rows.h"
#include "bench/support/measure.h"
#include "bench/support/outbox_database.h"
#include "outbox/postgres_server.h"

namespace tally::bench {

namespace {

constexpr int rounds = 3;
constexpr int reportCount = 20'000;
constexpr int arraySize = 1'000;
constexpr int pipelined = 100;  // twice as many fill no buffer
constexpr double arrayGoal = 0.5;
constexpr double singleGoal = 0.2;

/// Reports on new objects.
std::vector<OutboxReport> reports() {
  std::vector<OutboxReport> all;
  for (int i = 0; i < reportCount; ++i)
    all.push_back({.report = {.id = "pr_" + std::to_string(i),
                              .outcome = "failed",
                              .time = std::chrono::sys_seconds{std::chrono::seconds{1767225600}},
                              .metadata = {{"order", std::to_string(i)}}},
                   .key = "order-" + std::to_string(i)});
  return all;
}

/// The rows that enqueuing writes, in transactions of the size of an array.
double secondsToCopy(const std::vector<OutboxReport>& all) {
  const OutboxDatabase database;
  database.run("INSERT INTO tally.domain (domain) VALUES ('shop')");
  const std::string hash = "\\\\x" + std::string(64, 'a');
  return secondsOf([&] {
    for (std::size_t begin = 0; begin < all.size(); begin += arraySize) {
      std::string rows;
      std::string keys;
      for (std::size_t i = begin; i < begin + arraySize; ++i) {
        const OutboxReport& one = all[i];
        const std::string number = std::to_string(i + 1);
        rows +=
            number + "\tshop\t" + one.report.id + "\t0\t" + one.key + "\t\t" + one.report.toText() + "\t0\n";
        keys += "shop\t" + one.key + '\t' + hash + '\t' + number + '\n';
      }
      database.run("BEGIN");
      database.copy(
          "COPY tally.report (id, domain, object, prev, key, account, contents, priority) FROM STDIN", rows);
      database.copy("COPY tally.report_key FROM STDIN", keys);
      database.run("COMMIT");
    }
  });
}

double secondsInArrays(const std::vector<OutboxReport>& all) {
  const OutboxDatabase database;
  return secondsOf([&] {
    for (std::size_t begin = 0; begin < all.size(); begin += arraySize)
      if (!enqueueAll(database.connection(), "shop", std::span{all}.subspan(begin, arraySize)))
        throw std::runtime_error{"a report was refused"};
  });
}

/// The results of the calls that were sent.
void receive(PGconn* connection, int calls) {
  for (int i = 0; i < calls; ++i) {
    PGresult* const result = PQgetResult(connection);
    const bool ok = PQresultStatus(result) == PGRES_TUPLES_OK;
    PQclear(result);
    if (!ok) throw std::runtime_error{PQerrorMessage(connection)};
    PQclear(PQgetResult(connection));  // the end of a call
  }
  PQclear(PQgetResult(connection));  // that of the synchronization
}

/// In transactions of the size of the pipeline, of which the next is sent before the results of one are
/// received.
double secondsPipelined(const std::vector<OutboxReport>& all) {
  const OutboxDatabase database;
  PGconn* const connection = database.connection();
  const double seconds = secondsOf([&] {
    PQclear(PQprepare(connection, "enqueue", "SELECT tally.enqueue('shop', $1, $2)", 2, nullptr));
    if (PQenterPipelineMode(connection) != 1) throw std::runtime_error{PQerrorMessage(connection)};
    int sent = 0;
    for (const OutboxReport& one : all) {
      const std::string contents = one.report.toText();
      const char* const values[] = {contents.c_str(), one.key.c_str()};
      if (PQsendQueryPrepared(connection, "enqueue", 2, values, nullptr, nullptr, 0) != 1)
        throw std::runtime_error{PQerrorMessage(connection)};
      if (++sent % pipelined != 0) continue;
      PQpipelineSync(connection);
      PQflush(connection);
      if (sent > pipelined) receive(connection, pipelined);
    }
    receive(connection, pipelined);
    PQexitPipelineMode(connection);
  });
  if (database.number("SELECT count(*) FROM tally.report") != reportCount)
    throw std::runtime_error{"reports are missing"};
  return seconds;
}

Row rowOf(const std::string& what, double goal, double (*seconds)(const std::vector<OutboxReport>&)) {
  if (!test::PostgresServer::isInstalled()) return {.what = what + ": PostgreSQL is not installed"};
  const auto all = reports();
  const Pair pair = measurePair(rounds, [&] { return seconds(all); }, [&] { return secondsToCopy(all); });
  const double rate = pair.reference / pair.figure;
  return {.what = what + ": 20,000 reports",
          .figure = fixed(pair.figure, 2) + " s",
          .reference = fixed(pair.reference, 2) + " s, COPY into the same indexes",
          .ratio = fixed(rate, 2) + " of its rate",
          .goal = "≥ " + fixed(goal, 1),
          .met = rate >= goal};
}

}  // namespace

Row outboxArrays() {
  return rowOf("enqueue in arrays of 1,000", arrayGoal, secondsInArrays);
}

Row outboxSingleCalls() {
  return rowOf("enqueue in single calls, prepared and pipelined", singleGoal, secondsPipelined);
}

}  // namespace tally::bench

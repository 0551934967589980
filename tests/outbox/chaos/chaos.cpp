// Kills, pauses and restarts workers and their database at random while an application enqueues, then
// compares what the outbox believes with what the service did. `outbox_chaos [--seconds N] [--seed N]
// [--workers N] [--server-restarts N]`

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <tally/fake/http_server.h>
#include <tally/fake/service.h>
#include <tally/outbox_postgres.h>
#include <tally/tally.h>

#include <libpq-fe.h>
#include <sys/wait.h>
#include <unistd.h>

#include "outbox/chaos/history.h"
#include "outbox/postgres_server.h"
#include "stress/random_source.h"

namespace tally::test {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

struct Plan {
  int seconds = 20;
  std::uint64_t seed = 1;
  int workers = 4;
  int serverRestarts = 2;
  std::size_t calm = 12;  // one of this many transactions is followed by a disturbance
  std::size_t objects = 40;
  std::chrono::seconds lease{2};
};

/// A worker process.
class WorkerProcess {
 public:
  WorkerProcess(const std::string& database, const std::string& url, const std::string& key, const Plan& plan,
                const std::string& log) {
    process_ = ::fork();
    if (process_ != 0) return;
    ::setenv("TALLY_API_KEY", key.c_str(), 1);
    (void)std::freopen(log.c_str(), "a", stderr);
    const std::string lease = std::to_string(plan.lease.count());
    const std::string attempt = std::to_string(plan.lease.count() / 2);
    ::execl(TALLY_OUTBOX, "tally-outbox", "work", "--database", database.c_str(), "--base-url", url.c_str(),
            "--domain", "shop=TALLY_API_KEY", "--lease", lease.c_str(), "--timeout", attempt.c_str(),
            "--allow-loss-on-power-failure", nullptr);
    ::_exit(127);
  }
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;
  ~WorkerProcess() { end(SIGKILL); }

  /// Whether it has ended by itself, as when it finds no database at its start.
  bool hasEnded() {
    if (process_ != -1 && ::waitpid(process_, nullptr, WNOHANG) == process_) process_ = -1;
    return process_ == -1;
  }
  void signal(int number) const { ::kill(process_, number); }
  void end(int number) {
    if (process_ == -1) return;
    ::kill(process_, SIGCONT);
    ::kill(process_, number);
    ::waitpid(std::exchange(process_, -1), nullptr, 0);
  }

 private:
  pid_t process_ = -1;
};

class Chaos {
 public:
  explicit Chaos(Plan plan) : plan_(plan), random_(plan.seed) {}

  int run() {
    prepare();
    const auto until = Clock::now() + std::chrono::seconds{plan_.seconds};
    int restarts = plan_.serverRestarts;
    while (Clock::now() < until) {
      std::this_thread::sleep_for(random_.upTo(40ms));
      if (isRoom()) enqueueSome();
      restartEnded();
      if (random_.oneIn(plan_.calm)) disturb();
      const auto left = std::chrono::duration_cast<std::chrono::seconds>(until - Clock::now()).count();
      if (restarts > 0 && left < plan_.seconds * restarts / (plan_.serverRestarts + 1)) {
        --restarts;
        server().restart();
        ++counts_["restart of the server"];
      }
    }
    for (const auto& paused : paused_)
      workers_[paused]->signal(SIGCONT);
    return settle() ? check() : EXIT_FAILURE;
  }

 private:
  static PostgresServer& server() { return PostgresServer::instance(); }

  void prepare() {
    database_ = server().url("chaos");
    execute(server().url("postgres"), "CREATE DATABASE chaos");
    const std::unique_ptr<PGconn, decltype(&PQfinish)> connection{PQconnectdb(database_.c_str()), &PQfinish};
    PQsetNoticeProcessor(connection.get(), [](void*, const char*) {}, nullptr);
    migrateOutbox(connection.get());
    service_.clock()->run();
    for (std::size_t object = 0; object < plan_.objects; ++object)
      objects_.push_back(service_.insert<PaymentRecord>(key_).id.str());
    for (int worker = 0; worker < plan_.workers; ++worker)
      workers_.push_back(start());
  }

  void restartEnded() {
    for (auto& worker : workers_)
      if (worker->hasEnded()) worker = start();
  }

  /// Each worker has an address of its own, which tells its requests from those of others.
  std::unique_ptr<WorkerProcess> start() {
    addresses_.push_back(std::make_unique<fake::HttpServer>(service_, fake::HttpServerOptions{.threads = 1}));
    return std::make_unique<WorkerProcess>(database_, addresses_.back()->url(), key_, plan_,
                                           "/tmp/tally-chaos.log");
  }

  static std::string execute(const std::string& url, const std::string& sql) {
    const std::unique_ptr<PGconn, decltype(&PQfinish)> connection{PQconnectdb(url.c_str()), &PQfinish};
    const std::unique_ptr<PGresult, decltype(&PQclear)> result{PQexec(connection.get(), sql.c_str()),
                                                               &PQclear};
    return PQntuples(result.get()) == 1 ? PQgetvalue(result.get(), 0, 0) : PQerrorMessage(connection.get());
  }

  /// Whether what waits can be sent within the limits of the account soon after the end.
  bool isRoom() {
    return execute(database_,
                   "SELECT count(*) < 500 FROM tally.report r LEFT JOIN tally.outcome o ON o.report = r.id "
                   "WHERE o.report IS NULL") == "t";
  }

  /// In one transaction, which may be rolled back; a commit whose reply is lost is repeated with the same
  /// keys.
  void enqueueSome() {
    std::vector<OutboxReport> reports;
    const std::size_t count = 1 + random_.below(10);
    const std::string& object = random_.oneOf(objects_);
    for (std::size_t at = 0; at < count; ++at) {
      const std::string& id = random_.oneIn(2) ? object : random_.oneOf(objects_);
      OutboxReport one{.report = {.id = id,
                                  .outcome = random_.oneIn(2) ? "failed" : "canceled",
                                  .time = Timestamp{std::chrono::seconds{1'767'225'600}}}};
      reports.push_back(one);
    }
    const bool commits = !random_.oneIn(5);
    for (OutboxReport& one : reports) {
      const std::string sequence = std::to_string(++sequence_);
      one.report.metadata.set("sequence", sequence);
      one.key = "k" + sequence;
      if (!commits) rolledBack_.push_back(sequence_);
      if (commits) enqueued_.push_back(sequence_);
    }
    while (!tryToEnqueue(reports, commits))
      std::this_thread::sleep_for(50ms);
  }

  bool tryToEnqueue(const std::vector<OutboxReport>& reports, bool commits) {
    const std::unique_ptr<PGconn, decltype(&PQfinish)> connection{PQconnectdb(database_.c_str()), &PQfinish};
    if (PQstatus(connection.get()) != CONNECTION_OK) return false;
    const auto execute = [&](const char* sql) {
      const std::unique_ptr<PGresult, decltype(&PQclear)> result{PQexec(connection.get(), sql), &PQclear};
      return PQresultStatus(result.get()) == PGRES_COMMAND_OK;
    };
    try {
      if (!execute("BEGIN")) return false;
      if (!enqueueAll(connection.get(), "shop", reports)) throw std::logic_error{"a report was refused"};
      return execute(commits ? "COMMIT" : "ROLLBACK") || !commits;
    } catch (const OutboxError&) {
      return false;
    }
  }

  void disturb() {
    const std::size_t victim = random_.below(workers_.size());
    if (paused_.contains(victim)) {
      workers_[victim]->signal(SIGCONT);
      paused_.erase(victim);
      return;
    }
    switch (random_.below(3)) {
      case 0:
        ++counts_["SIGKILL"];
        workers_[victim]->end(SIGKILL);
        workers_[victim] = start();
        break;
      case 1:
        ++counts_["SIGSTOP"];
        workers_[victim]->signal(SIGSTOP);
        paused_.insert(victim);
        break;
      default:
        ++counts_["cut connection"];
        execute(server().url("postgres"),
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'chaos' ORDER BY "
                "random() LIMIT 1");
    }
  }

  bool settle() {
    const auto until = Clock::now() + 120s;
    std::string undecided;
    while (Clock::now() < until) {
      undecided = execute(database_,
                          "SELECT count(*) FROM tally.report r LEFT JOIN tally.outcome o ON o.report = r.id "
                          "WHERE o.report IS NULL");
      if (undecided == "0") return true;
      restartEnded();
      // Those that many workers were sending when they were killed.
      execute(database_,
              "SELECT tally.release(p.report) FROM tally.parked p WHERE NOT EXISTS (SELECT FROM "
              "tally.request q WHERE q.report = p.report AND q.answer IS NULL)");
      std::this_thread::sleep_for(200ms);
    }
    std::cout << undecided << " reports are still undecided\n";
    std::cout << execute(database_,
                         "SELECT string_agg(format('%s %s %s %s', id, object, state, reason), E'\\n') FROM "
                         "(SELECT * FROM tally.reports WHERE decided_at IS NULL ORDER BY id LIMIT 20) r")
              << '\n';
    std::cout << execute(database_, "SELECT string_agg(d::text, E'\\n') FROM tally.domain d") << '\n';
    std::cout << execute(database_, "SELECT string_agg(d::text, E'\\n') FROM tally.settled d") << '\n';
    std::cout << execute(database_, "SELECT string_agg(d::text, E'\\n') FROM tally.worker d") << '\n';
    return false;
  }

  int check() {
    const History history{service_.requests().list()};
    std::map<std::string, int> ends;
    std::vector<std::uint64_t> lost;
    for (const std::uint64_t sequence : enqueued_)
      if (history.effects(sequence) == 0) lost.push_back(sequence);
    std::size_t ghosts = 0;
    for (const std::uint64_t sequence : rolledBack_)
      ghosts += history.effects(sequence) != 0 ? 1 : 0;
    const std::vector<std::uint64_t> doubled = undetected(history);
    std::cout << enqueued_.size() << " reports of " << history.senders() << " workers";
    for (const auto& [what, count] : counts_)
      std::cout << ", " << count << " x " << what;
    std::cout << "\noutcomes: "
              << execute(database_,
                         "SELECT string_agg(format('%s %s', count, outcome), ', ') FROM (SELECT outcome, "
                         "count(*) FROM tally.outcome GROUP BY 1) o")
              << "\nlate requests: " << repeated_["without effect"] << " without effect, "
              << repeated_["detected"] << " detected; sent again: " << repeated_["repair"]
              << "\nnot applied: " << lost.size() << ", doubled: " << doubled.size()
              << ", out of order: " << history.outOfOrder().size() << ", rolled back but applied: " << ghosts
              << '\n';
    for (const std::uint64_t one : lost)
      std::cout << "not applied: " << one << ' ' << stateOf(one) << '\n';
    for (const std::uint64_t one : doubled)
      std::cout << "doubled: " << one << ' ' << stateOf(one) << '\n';
    for (const std::string& one : history.outOfOrder())
      std::cout << "out of order: " << one << '\n';
    return lost.empty() && doubled.empty() && history.outOfOrder().empty() && ghosts == 0 ? EXIT_SUCCESS
                                                                                          : EXIT_FAILURE;
  }

  /// Reports that were applied again, which is neither a repair nor a late request that was detected or has
  /// changed nothing.
  std::vector<std::uint64_t> undetected(const History& history) {
    std::vector<std::uint64_t> found;
    for (const History::Repetition& one : history.repetitions()) {
      std::string kind;
      if (one.isDeliberate) {
        if (hasFinding(one, "k.sequence = $1 AND f.finding LIKE '%sent again%'")) kind = "repair";
      } else if (!one.isOverLater) {
        kind = "without effect";
      } else if (hasFinding(one, "k.sequence >= $1")) {
        kind = "detected";
      }
      if (kind.empty()) found.push_back(one.sequence);
      ++repeated_[kind];
    }
    return found;
  }

  bool hasFinding(const History::Repetition& about, std::string condition) {
    const std::string sequence = std::to_string(about.sequence);
    condition.replace(condition.find("$1"), 2, sequence);
    return execute(
               database_,
               "SELECT count(*) > 0 FROM tally.late_findings f JOIN (SELECT id, substr(key, 2)::bigint AS "
               "sequence FROM tally.report) k ON k.id = f.report WHERE f.object = '" +
                   about.object + "' AND " + condition) == "t";
  }

  std::string stateOf(std::uint64_t sequence) {
    return execute(database_,
                   "SELECT format('%s %s: %s', object, state, reason) FROM tally.reports WHERE key = 'k" +
                       std::to_string(sequence) + "'");
  }

  Plan plan_;
  stress::RandomSource random_;
  fake::Service service_{
      {.limits = false, .requestLog = 1'000'000, .requestLogBytes = std::size_t{1} << 30U}};
  std::string key_ = service_.addAccount().sandboxKey;
  std::vector<std::unique_ptr<fake::HttpServer>> addresses_{};
  std::string database_{};
  std::vector<std::string> objects_{};
  std::vector<std::unique_ptr<WorkerProcess>> workers_{};
  std::set<std::size_t> paused_{};
  std::uint64_t sequence_ = 0;
  std::vector<std::uint64_t> enqueued_{};
  std::vector<std::uint64_t> rolledBack_{};
  std::map<std::string, int> counts_{};
  std::map<std::string, int> repeated_{};  // reports, by what explains it
};

}  // namespace
}  // namespace tally::test

int main(int argc, char** argv) {
  tally::test::Plan plan;
  for (int at = 1; at + 1 < argc; at += 2) {
    const std::string option = argv[at];
    const int value = std::stoi(argv[at + 1]);
    if (option == "--seconds") plan.seconds = value;
    if (option == "--seed") plan.seed = static_cast<std::uint64_t>(value);
    if (option == "--workers") plan.workers = value;
    if (option == "--calm") plan.calm = static_cast<std::size_t>(value);
    if (option == "--server-restarts") plan.serverRestarts = value;
  }
  return tally::test::Chaos{plan}.run();
}

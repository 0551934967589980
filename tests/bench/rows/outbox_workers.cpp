// Workers of an outbox on PostgreSQL: what they cost the server, and how long they take to notice something.

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <csignal>
#include <cstdlib>
#include <map>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <tally/observer.h>
#include <tally/outbox_postgres.h>

#include "bench/rows/rows.h"
#include "bench/support/measure.h"
#include "bench/support/outbox_database.h"
#include "bench/support/outbox_work.h"
#include "fake/server/support/peer.h"
#include "fake/server/support/program.h"
#include "outbox/postgres_server.h"

namespace tally::bench {

namespace {

using namespace std::chrono_literals;
using SteadyTime = std::chrono::steady_clock::time_point;

/// Notes when the first attempt of each report starts.
class Attempts final : public Observer {
 public:
  void on(const Event& event) noexcept override {
    if (event.kind != EventKind::attemptStarted) return;
    const std::scoped_lock lock{mutex_};
    const SteadyTime now = std::chrono::steady_clock::now();
    first_.try_emplace(std::string{event.object}, now);
    if (!earliest_) earliest_ = now;
    changed_.notify_all();
  }

  [[nodiscard]] SteadyTime await(const std::string& object) {
    std::unique_lock lock{mutex_};
    if (!changed_.wait_for(lock, 60s, [&] { return first_.contains(object); }))
      throw std::runtime_error{"nothing was sent on " + object};
    return first_.at(object);
  }
  [[nodiscard]] SteadyTime awaitAny() {
    std::unique_lock lock{mutex_};
    if (!changed_.wait_for(lock, 10min, [&] { return earliest_.has_value(); }))
      throw std::runtime_error{"nothing was sent"};
    return *earliest_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::string, SteadyTime> first_;
  std::optional<SteadyTime> earliest_;
};

/// A service without limits, an outbox, and what the account has.
struct Shop {
  [[nodiscard]] ClientOptions client() const {
    return {.apiKey = greeting.sandboxKey, .baseUrl = greeting.url, .timeout = 5s, .observer = attempts};
  }

  /// Reports on all records, `count` in all.
  void enqueueReports(int count) {
    for (int row = 0; row < count;) {
      std::vector<OutboxReport> some;
      for (; row < count && some.size() < 1'000; ++row)
        some.push_back(reportOn(records[next % records.size()], next)), ++next;
      if (!enqueueAll(database.connection(), "shop", some)) throw std::runtime_error{"a report was refused"};
    }
  }

  test::Program program{{"--port", "0", "--request-log", "0", "--records", "1000", "--no-limits"}};
  test::Greeting greeting{test::greetingOf(program.line())};
  OutboxDatabase database{};
  std::shared_ptr<Attempts> attempts = std::make_shared<Attempts>();
  std::vector<PaymentRecord> records{
      recordsOf(Client{{.apiKey = greeting.sandboxKey, .baseUrl = greeting.url}})};
  std::uint64_t next = 0;
};

/// A worker in a thread, until the end of the scope.
class Worker {
 public:
  explicit Worker(const Shop& shop) : Worker(shop, workOn(shop.client())) {}
  ~Worker() {
    stop_.request_stop();
    thread_.join();
  }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  void awaitDecided(std::uint64_t reports) {
    while (decided_ < reports)
      decided_.wait(decided_.load());
  }

 private:
  Worker(const Shop& shop, OutboxOptions options) {
    options.onEvent = [this](const OutboxEvent& event) {
      if (event.kind != OutboxEvent::Kind::reportApplied) return;
      ++decided_;
      decided_.notify_all();
    };
    thread_ = std::thread{
        [this, url = shop.database.url(), options] { Outbox{url, options}.run(stop_.get_token()); }};
  }

  StopSource stop_;
  std::atomic<std::uint64_t> decided_{0};
  std::thread thread_;
};

std::string milliseconds(double seconds) {
  return fixed(seconds * 1'000, 1) + " ms";
}

double percentile(std::vector<double> values, double part) {
  std::ranges::sort(values);
  return values.at(static_cast<std::size_t>(part * static_cast<double>(values.size() - 1)));
}

template <class Measure>
Row ifInstalled(const std::string& what, Measure measure) {
  if (!test::PostgresServer::isInstalled()) return {.what = what + ": PostgreSQL is not installed"};
  Row row = measure();
  row.what = what;
  return row;
}

}  // namespace

Row outboxLatency() {
  return ifInstalled("outbox: commit of an enqueue → start of its request, with LISTEN", [] {
    constexpr int samples = 200;
    constexpr double medianGoal = 0.004;
    constexpr double tailGoal = 0.012;
    Shop shop;
    shop.database.run("UPDATE tally.schema SET notifies = true");
    const Worker worker{shop};
    std::vector<double> delays;
    for (int i = 0; i <= samples; ++i) {
      const OutboxReport report =
          reportOn(shop.records.at(static_cast<std::size_t>(i)), static_cast<std::uint64_t>(i));
      shop.database.run("BEGIN");
      if (!enqueue(shop.database.connection(), "shop", report))
        throw std::runtime_error{"a report was refused"};
      const SteadyTime begin = std::chrono::steady_clock::now();
      shop.database.run("COMMIT");
      const auto delay =
          std::chrono::duration<double>{shop.attempts->await(report.report.id) - begin}.count();
      if (i != 0) delays.push_back(delay);  // the worker had not begun yet
      std::this_thread::sleep_for(10ms);    // it is idle again
    }
    const double middle = median(delays);
    const double tail = percentile(delays, 0.99);
    return Row{.figure = milliseconds(middle) + "; p99 " + milliseconds(tail),
               .goal = "≤ 4 ms; ≤ 12 ms",
               .met = middle <= medianGoal && tail <= tailGoal};
  });
}

Row outboxWrites() {
  return ifInstalled("outbox: write-ahead log and writing transactions of a report", [] {
    constexpr int reports = 20'000;
    Shop shop;
    // Autovacuum would write now or later.
    shop.database.run("ALTER SYSTEM SET full_page_writes = off");
    shop.database.run("ALTER SYSTEM SET autovacuum = off");
    shop.database.run("SELECT pg_reload_conf()");
    const auto position = [&] { return shop.database.number("SELECT pg_current_wal_insert_lsn() - '0/0'"); };
    const auto transactions = [&] { return shop.database.number("SELECT pg_current_xact_id()::text"); };
    const double before = position();
    shop.enqueueReports(reports);
    const double enqueued = position();
    const double firstTransaction = transactions();
    {
      Worker worker{shop};
      worker.awaitDecided(reports);
    }
    const double after = position();
    const double commits = (transactions() - firstTransaction) / reports;
    shop.database.run("ALTER SYSTEM RESET full_page_writes");
    shop.database.run("ALTER SYSTEM RESET autovacuum");
    shop.database.run("SELECT pg_reload_conf()");
    const double bytes = (after - before) / reports;
    return Row{.figure = fixed(bytes, 0) + " bytes, " + fixed((enqueued - before) / reports, 0) +
                         " of them to enqueue; " + fixed(commits, 4) + " transactions",
               .goal = "≤ 1,536 bytes; ≤ 0.02",
               .met = bytes <= 1'536 && commits <= 0.02};
  });
}

Row outboxIdle() {
  return ifInstalled("outbox: transactions a second of an idle owner", [] {
    constexpr auto duration = 20s;
    constexpr double goal = 2;
    Shop shop;
    shop.enqueueReports(10);
    Worker worker{shop};
    worker.awaitDecided(10);
    const auto flushed = [&](const std::string& sql) {
      std::this_thread::sleep_for(2s);  // the server counts with a delay of up to a second
      return shop.database.number(sql);
    };
    const std::string commits =
        "SELECT xact_commit + xact_rollback FROM pg_stat_database WHERE datname = current_database()";
    std::this_thread::sleep_for(12s);  // the owner has recorded how far the domain is settled
    const double before = flushed(commits);
    const std::string written = "SELECT sum(n_tup_ins + n_tup_upd + n_tup_del) FROM pg_stat_user_tables";
    const double firstWrite = shop.database.number(written);
    std::this_thread::sleep_for(duration);
    const double rate = (flushed(commits) - before - 1) / (duration + 2s).count();
    const double writes = shop.database.number(written) - firstWrite;
    const double heartbeats = (duration + 2s) / 3s;  // a fifth of the lease
    return Row{.figure = fixed(rate, 2) + "/s; " + fixed(writes, 0) + " rows written",
               .reference = fixed(heartbeats, 0) + " heartbeats",
               .goal = "≤ 2/s; no write but the heartbeat",
               .met = rate <= goal && writes <= heartbeats + 1};
  });
}

Row outboxTakeover() {
  return ifInstalled("outbox: takeover after SIGKILL, 2 workers, lease of 2 s", [] {
    constexpr int kills = 20;
    constexpr double lease = 2;
    Shop shop;
    setenv("SHOP_KEY", shop.greeting.sandboxKey.c_str(), 1);
    const auto start = [&] {
      return std::make_unique<test::Process>(
          TALLY_OUTBOX,
          std::vector<std::string>{"work", "--database", shop.database.url(), "--domain", "shop=SHOP_KEY",
                                   "--base-url", shop.greeting.url, "--lease", "2",
                                   "--allow-loss-on-power-failure"},
          test::Process::Reader::gone);
    };
    const auto owner = [&] {
      return shop.database.run("SELECT coalesce(owner::text, '') FROM tally.domain");
    };
    const auto processOfOwner = [&] {
      return shop.database.number(
          "SELECT w.process FROM tally.domain d JOIN tally.worker w ON w.incarnation = d.owner");
    };
    std::array workers{start(), start()};
    std::vector<double> delays;
    for (int i = 0; i < kills; ++i) {
      while (owner().empty() || shop.database.number("SELECT count(*) FROM tally.worker") != 2)
        std::this_thread::sleep_for(50ms);
      std::this_thread::sleep_for(std::chrono::milliseconds{900 + 37 * i});  // any part of a heartbeat
      const std::string killed = owner();
      auto& victim = *std::ranges::find(workers, static_cast<pid_t>(processOfOwner()),
                                        [](const auto& one) { return one->id(); });
      victim->endAtOnce();
      delays.push_back(secondsOf([&] {
        while (owner().empty() || owner() == killed)
          std::this_thread::sleep_for(2ms);
      }));
      victim = start();
    }
    const double middle = median(delays) / lease;
    const double tail = std::ranges::max(delays) / lease;
    return Row{.figure = fixed(median(delays), 2) + " s; the longest of 20 " +
                         fixed(std::ranges::max(delays), 2) + " s",
               .reference = "the lease",
               .ratio = fixed(middle, 2) + "; " + fixed(tail, 2),
               .goal = "≤ 1.3; ≤ 1.5",
               .met = middle <= 1.3 && tail <= 1.5};
  });
}

namespace {

/// Fills the outbox as if reports had been decided, were parked, and waited.
void fill(const Shop& shop, std::uint64_t decided, int parked, int waiting) {
  const OutboxDatabase& database = shop.database;
  const auto range = [](std::uint64_t first, std::uint64_t count) {
    return "generate_series(" + std::to_string(first) + "::bigint, " + std::to_string(first + count - 1) +
           ") i";
  };
  database.run("INSERT INTO tally.domain (domain) VALUES ('shop')");
  const auto add = [&](const std::string& prefix, std::uint64_t first, std::uint64_t count) {
    database.run(
        "INSERT INTO tally.report (id, domain, object, prev, key, account, contents, priority)"
        " SELECT i, 'shop', '" +
        prefix +
        "' || i, 0, 'k' || i, '',"
        " jsonb_build_object('id', '" +
        prefix + "' || i, 'outcome', 'failed', 'time', 1767225600), 0 FROM " + range(first, count));
  };
  const std::uint64_t firstParked = decided + 1;
  const std::uint64_t firstWaiting = firstParked + static_cast<std::uint64_t>(parked);
  if (decided != 0) {
    add("pr_d", 1, decided);
    database.run(
        "INSERT INTO tally.outcome (report, domain, outcome, incarnation)"
        " SELECT i, 'shop', 'applied', '00000000-0000-0000-0000-000000000000' FROM " +
        range(1, decided));
  }
  if (parked != 0) {
    add("pr_p", firstParked, static_cast<std::uint64_t>(parked));
    database.run(
        "INSERT INTO tally.parked (report, domain, reason) SELECT i, 'shop', 'three workers died' FROM " +
        range(firstParked, static_cast<std::uint64_t>(parked)));
  }
  add("pr_w", firstWaiting, static_cast<std::uint64_t>(waiting));
  database.run("SELECT setval('tally.report_id', " +
               std::to_string(firstWaiting + static_cast<std::uint64_t>(waiting)) + ")");
  // As far as a worker would have come.
  database.run("INSERT INTO tally.settled SELECT 'shop', 0, '3:3:', pg_current_snapshot(), xid, " +
               std::to_string(firstWaiting - 1) +
               " FROM tally.report WHERE id = " + std::to_string(firstWaiting));
  database.run("VACUUM ANALYZE");
}

struct Times {
  double untilRequest = 0;
  double status = 0;
};

Times timesWith(std::uint64_t decided, int parked, int waiting) {
  Shop shop;
  fill(shop, decided, parked, waiting);
  Outbox outbox{shop.database.url()};
  std::vector<double> statuses;
  for (int i = 0; i < 5; ++i)
    statuses.push_back(secondsOf([&] { (void)outbox.status(); }));
  const SteadyTime begin = std::chrono::steady_clock::now();
  const Worker worker{shop};
  return {.untilRequest = std::chrono::duration<double>{shop.attempts->awaitAny() - begin}.count(),
          .status = median(statuses)};
}

}  // namespace

Row outboxWithManyReports() {
  return ifInstalled(
      "outbox with 10 million decided, 1,000 parked, 1 million waiting: takeover → request; status", [] {
        constexpr std::uint64_t decided = 10'000'000;
        constexpr double goal = 2;
        const Times few = timesWith(0, 0, 1'000);
        const Times many = timesWith(decided, 1'000, 1'000'000);
        const double requests = many.untilRequest / few.untilRequest;
        const double statuses = many.status / few.status;
        return Row{.figure = milliseconds(many.untilRequest) + "; " + milliseconds(many.status),
                   .reference = milliseconds(few.untilRequest) + "; " + milliseconds(few.status) +
                                " with 1,000 waiting",
                   .ratio = fixed(requests, 2) + "; " + fixed(statuses, 2),
                   .goal = "≤ 2; ≤ 2",
                   .met = requests <= goal && statuses <= goal};
      });
}

Row outboxBloat() {
  return ifInstalled("outbox: reports a second after a transaction was open for 100,000 reports", [] {
    constexpr int before = 100'000;
    constexpr int measured = 20'000;
    constexpr double goal = 0.95;
    const auto rate = [](bool isOpen, double& dead) {
      Shop shop;
      const std::unique_ptr<PGconn, decltype(&PQfinish)> other{PQconnectdb(shop.database.url().c_str()),
                                                               &PQfinish};
      if (isOpen)
        for (const char* const sql : {"BEGIN ISOLATION LEVEL REPEATABLE READ", "SELECT pg_current_xact_id()"})
          PQclear(PQexec(other.get(), sql));
      Worker worker{shop};
      shop.enqueueReports(before);
      worker.awaitDecided(before);
      const double seconds = secondsOf([&] {
        shop.enqueueReports(measured);
        worker.awaitDecided(before + measured);
      });
      dead = shop.database.number("SELECT sum(n_dead_tup) FROM pg_stat_user_tables");
      return measured / seconds;
    };
    double dead = 0;
    double deadOtherwise = 0;
    const Pair pair =
        measurePair(1, [&] { return rate(true, dead); }, [&] { return rate(false, deadOtherwise); });
    return Row{.figure = fixed(pair.figure, 0) + "/s; " + fixed(dead, 0) + " dead tuples",
               .reference = fixed(pair.reference, 0) + "/s; " + fixed(deadOtherwise, 0) + " without it",
               .ratio = fixed(pair.ratio, 2),
               .goal = "≥ 0.95; ≤ 5,000 dead tuples",
               .met = pair.ratio >= goal && dead <= 5'000};
  });
}

}  // namespace tally::bench

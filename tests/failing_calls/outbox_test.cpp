// The outbox in SQLite and in PostgreSQL: enqueuing, and a worker that sends.

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <tally/outbox.h>
#include <tally/pacer.h>

#include <gtest/gtest.h>
#include <unistd.h>

#include "failing_calls/support/durable_files.h"
#include "failing_calls/support/search.h"
#include "failing_calls/support/served_fake.h"
#include "outbox/failed_report.h"
#include "outbox/postgres_server.h"

namespace tally::test {

namespace {

using namespace std::chrono_literals;

constexpr std::size_t reports = 3;
constexpr const char* domainName = "a shop with a long name";  // which takes memory

using Numbers = std::map<std::string, std::uint64_t>;

/// An outbox with a worker, which stops when it has decided all reports.
class OutboxRun {
 public:
  /// stop: it also stops once a report has to wait, or after a while.
  enum class AtTrouble : std::uint8_t { stop, goOn };

  OutboxRun(std::string url, std::string domain, ClientOptions client, AtTrouble atTrouble)
      : url_(std::move(url)), domain_(std::move(domain)), atTrouble_(atTrouble) {
    options_.domains = {{.name = domain_, .client = std::move(client)}};
    options_.domains[0].client.timeout = 400ms;
    options_.lease = 1s;
    options_.retryTimeout = 1s;
    options_.allowLossOnPowerFailure = true;
    options_.onEvent = [this](const OutboxEvent& event) { note(event); };
  }

  /// Enqueues the reports, of which none is enqueued twice, and sends those that are not decided.
  void run(const std::vector<std::string>& ids, Numbers& numbers) {
    Outbox outbox{url_, options_};
    for (const std::string& id : ids) {
      const auto number = outbox.enqueue(domain_, failedReport(id, "key " + id));
      if (number) numbers[id] = *number;
    }
    for (const OutboxStatus& status : outbox.status())
      if (status.domain == domain_) left_ = status.waiting;
    if (left_ != 0) outbox.run(stop_.get_token());
  }

 private:
  void note(const OutboxEvent& event) {
    using enum OutboxEvent::Kind;
    constexpr int patience = 25;  // five times the lease
    const bool isDecided =
        event.kind == reportApplied || event.kind == reportRefused || event.kind == reportUnknown;
    if (isDecided && --left_ == 0) stop_.request_stop();
    if (atTrouble_ == AtTrouble::goOn) return;
    if (event.kind == trouble || event.kind == reportDeferred) stop_.request_stop();
    if (event.kind == heartbeat && ++heartbeats_ == patience) stop_.request_stop();
  }

  std::string url_;
  std::string domain_;
  AtTrouble atTrouble_;
  OutboxOptions options_{};
  StopSource stop_{};
  std::uint64_t left_ = 0;
  int heartbeats_ = 0;
};

void migrate(const std::string& url) {
  Outbox{url}.migrate();
}

std::string urlIn(const std::filesystem::path& folder) {
  return "sqlite:" + (folder / "outbox").string();
}

/// That of a worker waits for a second, in real time.
ClientOptions withPacer(ClientOptions client) {
  client.pacer = std::make_shared<Pacer>();
  return client;
}

void checkApplied(Trial& trial, const Fake& fake, const std::vector<std::string>& ids) {
  for (const std::string& id : ids)
    trial.check(fake.timesApplied(id) == 1,
                "a report was applied " + std::to_string(fake.timesApplied(id)) + " times");
}

}  // namespace

TEST(EachFailingCall, IsHandledByAnOutboxInSqlite) {
  const auto scenario = [](Trial& trial) {
    const TemporaryFolder folder;
    const DurableFiles durable{folder.path()};
    Fake fake;
    const std::vector<std::string> ids = fake.newRecords(reports);
    Numbers numbers;
    std::string thrown;
    {
      OutboxRun run{urlIn(folder.path()), domainName, fake.options(), OutboxRun::AtTrouble::stop};
      thrown = trial.attempt([&] {
        migrate(urlIn(folder.path()));
        run.run(ids, numbers);
      });
    }
    const bool isSent = thrown.empty() && numbers.size() == reports;
    trial.check(!trial.isClean() || isSent, "reports are not sent, although no call fails: " + thrown);
    const bool losesPower = trial.place() != nullptr && trial.place()->number % 2 == 0;
    const auto left = losesPower ? durable.left() : folder.path();
    OutboxRun next{urlIn(left), domainName, fake.options(), OutboxRun::AtTrouble::goOn};
    Numbers again;
    migrate(urlIn(left));
    next.run(ids, again);
    for (const auto& [id, number] : numbers)
      trial.check(again[id] == number, "a report that was enqueued is lost");
    checkApplied(trial, fake, ids);
  };
  testFailingCalls(scenario);
}

TEST(EachFailingCall, IsHandledByAMigrationInPostgres) {
  if (!PostgresServer::isInstalled()) GTEST_SKIP() << "PostgreSQL is not installed";
  const std::string url = PostgresServer::instance().urlOfEmptyOutbox();
  const auto scenario = [&](Trial& trial) {
    const std::string thrown = trial.attempt([&] { migrate(url); });
    trial.check(!trial.isClean() || thrown.empty(), "a migration fails, although no call does: " + thrown);
    migrate(url);
  };
  testFailingCalls(scenario);
}

TEST(EachFailingCall, IsHandledByAnOutboxInPostgres) {
  if (!PostgresServer::isInstalled()) GTEST_SKIP() << "PostgreSQL is not installed";
  const std::string url = PostgresServer::instance().urlOfEmptyOutbox();
  const auto scenario = [&](Trial& trial) {
    static int runs = 0;
    const std::string domain = domainName + std::to_string(getpid()) + '.' + std::to_string(++runs);
    ServedFake fake;
    const std::vector<std::string> ids = fake.newRecords(reports);
    Numbers numbers;
    std::string thrown;
    {
      OutboxRun run{url, domain, withPacer(fake.options(trial)), OutboxRun::AtTrouble::stop};
      thrown = trial.attempt([&] { run.run(ids, numbers); });
    }
    const bool isSent = thrown.empty() && numbers.size() == reports;
    trial.check(!trial.isClean() || isSent, "reports are not sent, although no call fails: " + thrown);
    OutboxRun next{url, domain, withPacer(fake.options(trial)), OutboxRun::AtTrouble::goOn};
    Numbers again;
    next.run(ids, again);
    for (const auto& [id, number] : numbers)
      trial.check(again[id] == number, "a report that was enqueued is lost");
    fake.stop();
    checkApplied(trial, fake, ids);
  };
  testFailingCalls(scenario, Side::client, {.places = 4});  // some take seconds: leases are in real time
}

}  // namespace tally::test

// The outbox in SQLite and in PostgreSQL: enqueuing, and a worker that sends.

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <tally/outbox.h>

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

using Numbers = std::map<std::string, std::uint64_t>;

/// An outbox with a worker, which stops when it has decided all reports, or has been idle for a while.
class OutboxRun {
 public:
  enum class AtTrouble : std::uint8_t { stop, goOn };

  OutboxRun(std::string url, std::string domain, ClientOptions client, AtTrouble atTrouble)
      : url_(std::move(url)), domain_(std::move(domain)), atTrouble_(atTrouble) {
    options_.domains = {{.name = domain_, .client = std::move(client)}};
    options_.domains[0].client.timeout = 400ms;
    options_.lease = 1s;
    options_.allowLossOnPowerFailure = true;
    options_.onEvent = [this](const OutboxEvent& event) { note(event); };
  }

  /// Enqueues the reports, of which none is enqueued twice, and sends those that are not decided.
  void run(const std::vector<std::string>& ids, Numbers& numbers) {
    Outbox outbox{url_, options_};
    outbox.migrate();
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
    if (event.kind == trouble && atTrouble_ == AtTrouble::stop) stop_.request_stop();
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
      OutboxRun run{"sqlite:" + (folder.path() / "outbox").string(), "shop", fake.options(),
                    OutboxRun::AtTrouble::stop};
      thrown = trial.attempt([&] { run.run(ids, numbers); });
    }
    const bool isSent = thrown.empty() && numbers.size() == reports;
    trial.check(!trial.isClean() || isSent, "reports are not sent, although no call fails: " + thrown);
    const bool losesPower = trial.place() != nullptr && trial.place()->number % 2 == 0;
    const auto left = losesPower ? durable.left() : folder.path();
    OutboxRun next{"sqlite:" + (left / "outbox").string(), "shop", fake.options(),
                   OutboxRun::AtTrouble::goOn};
    Numbers again;
    next.run(ids, again);
    for (const auto& [id, number] : numbers)
      trial.check(again[id] == number, "a report that was enqueued is lost");
    checkApplied(trial, fake, ids);
  };
  testFailingCalls(scenario);
}

TEST(EachFailingCall, IsHandledByAnOutboxInPostgres) {
  if (!PostgresServer::isInstalled()) GTEST_SKIP() << "PostgreSQL is not installed";
  const std::string url = PostgresServer::instance().urlOfEmptyOutbox();
  const auto scenario = [&](Trial& trial) {
    static int runs = 0;
    const std::string domain = "shop" + std::to_string(getpid()) + '.' + std::to_string(++runs);
    ServedFake fake;
    const std::vector<std::string> ids = fake.newRecords(reports);
    Numbers numbers;
    std::string thrown;
    {
      OutboxRun run{url, domain, fake.options(trial), OutboxRun::AtTrouble::stop};
      thrown = trial.attempt([&] { run.run(ids, numbers); });
    }
    const bool isSent = thrown.empty() && numbers.size() == reports;
    trial.check(!trial.isClean() || isSent, "reports are not sent, although no call fails: " + thrown);
    OutboxRun next{url, domain, fake.options(trial), OutboxRun::AtTrouble::goOn};
    Numbers again;
    next.run(ids, again);
    for (const auto& [id, number] : numbers)
      trial.check(again[id] == number, "a report that was enqueued is lost");
    fake.stop();
    checkApplied(trial, fake, ids);
  };
  testFailingCalls(scenario, Side::client, {.places = 4});  // each takes seconds: leases are in real time
}

}  // namespace tally::test

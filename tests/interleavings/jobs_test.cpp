// Bulk reporting and workers of an outbox.

#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <tally/client.h>
#include <tally/fake/service.h>
#include <tally/outbox.h>
#include <tally/payment_records.h>
#include <tally/report_all.h>
#include <tally/sqlite_journal.h>

#include <gtest/gtest.h>

#include "interleavings/support/explore.h"
#include "interleavings/support/scheduler.h"
#include "memory/memory_store.h"
#include "outbox/failed_report.h"
#include "temporary_folder.h"
#include "worker/worker.h"

namespace tally::test {

namespace {

using namespace std::chrono_literals;

constexpr Exploration aFewJobs{.preemptions = 1, .seeds = 50, .maxSchedules = 300};

/// How many requests have applied a report to each object.
std::map<std::string, int> effectsOf(const fake::Service& service) {
  std::map<std::string, int> effects;
  for (const fake::LoggedRequest& request : service.requests().list())
    if (request.method == "POST" && request.status == 200) ++effects[request.object];
  return effects;
}

}  // namespace

TEST(Interleavings, NeverLetTwoJobsWithOneJournalRepeatAReport) {
  const auto scenario = [] {
    const TemporaryFolder folder;
    fake::Service service{{.limits = false}};
    const std::string key = service.addAccount().sandboxKey;
    const Client client{service.clientOptions(key)};
    const std::vector<Report> reports{failedReport(service.insert<PaymentRecord>(key).id.str()).report};
    const auto job = [&](ReportSummary& summary) {
      summary =
          reportAll(client, reports, {.journal = std::make_shared<SqliteJournal>(folder.path() / "journal")});
    };
    ReportSummary first;
    ReportSummary second;
    std::thread other{job, std::ref(first)};
    job(second);
    other.join();
    check(first.isComplete || second.isComplete,
          "no job is complete: " + first.problem + "; " + second.problem);
    for (const auto& [object, count] : effectsOf(service))
      check(count == 1, object + " was reported " + std::to_string(count) + " times");
  };
  testInterleavings(scenario, {.preemptions = 1, .seeds = 20, .maxSchedules = 100});
}

TEST(Interleavings, NeverLetTwoWorkersSendTheSameReport) {
  const auto scenario = [] {
    fake::Service service{{.limits = false}};
    const std::string key = service.addAccount().sandboxKey;
    const auto database = std::make_shared<detail::MemoryDatabase>(service.clock());
    detail::MemoryStore store{database};
    const std::string id = service.insert<PaymentRecord>(key).id.str();
    (void)store.enqueueAll("shop", std::vector{failedReport(id)}, {}).value();
    StopSource stop;
    OutboxOptions options;
    options.domains = {{.name = "shop", .client = service.clientOptions(key)}};
    options.domains.front().client.timeout = 5s;
    options.onEvent = [&](const OutboxEvent& event) {
      if (event.kind == OutboxEvent::Kind::reportApplied) stop.request_stop();
    };
    service.clock()->runThreads(2,
                                [&](std::size_t) { detail::Worker{store, options}.run(stop.get_token()); });
    check(database->backup()->reports().begin()->second.end.has_value(), "the report is not decided");
    const auto effects = effectsOf(service);
    check(effects.size() == 1 && effects.begin()->second == 1, "the report does not have exactly one effect");
  };
  testInterleavings(scenario, aFewJobs);
}

}  // namespace tally::test

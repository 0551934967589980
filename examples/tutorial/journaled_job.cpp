// Reports 200 failed payments, is stopped halfway, and continues from its journal.

#include <chrono>
#include <filesystem>
#include <iostream>
#include <stop_token>
#include <string>
#include <vector>

#include <tally/fake/service.h>
#include <tally/report_all.h>
#include <tally/sqlite_journal.h>

#include <unistd.h>

namespace {

/// One run of the job. It is stopped once `enough` reports have ended.
void run(const tally::Client& client, const std::vector<tally::Report>& reports,
         const std::filesystem::path& journal, std::uint64_t enough) {
  std::stop_source stop;
  std::uint64_t ended = 0;
  const auto summary = tally::reportAll(client, reports,
                                        {.journal = std::make_shared<tally::SqliteJournal>(journal),
                                         .maxInFlight = 8,
                                         .stop = stop.get_token()},
                                        [&](const tally::ReportResult&) {
                                          if (++ended == enough) stop.request_stop();
                                        });
  std::cout << (summary.isComplete ? "complete" : "stopped") << ": " << summary.progress.applied
            << " applied, " << summary.progress.fromEarlierRun << " of them before\n";
}

}  // namespace

int main() {
  tally::fake::Service service;
  const std::string key = service.addAccount().sandboxKey;
  std::vector<tally::Report> reports;
  for (int n = 0; n < 200; ++n) {
    const auto payment = service.insert<tally::PaymentRecord>(key);
    reports.push_back({.id = payment.id.str(),
                       .outcome = "failed",
                       .time = std::chrono::sys_days{std::chrono::year{2026} / 1 / 31},
                       .attempt = payment.latestPaymentAttemptRecord.str()});
  }
  const auto folder =
      std::filesystem::temp_directory_path() / ("tally_tutorial_" + std::to_string(::getpid()));
  std::filesystem::create_directory(folder);
  const tally::Client client{service.clientOptions(key)};

  run(client, reports, folder / "journal", 100);
  run(client, reports, folder / "journal", 1'000);
  std::cout << service.requests().count({.operation = "payment_records.report_failed", .status = 200})
            << " reports took effect\n";
  std::filesystem::remove_all(folder);
}

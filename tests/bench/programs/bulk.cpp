// Bulk reporting over loopback, measured by the benchmark. A separate program, so that its peak memory is
// that of the job. The key is in the environment variable TALLY_API_KEY.
//
//   run URL ROWS JOURNAL      reports ROWS rows, with a journal in that file, `-`: without. Prints the
//   seconds of the
//                             job, the peak memory in KiB, and the seconds from the start to the first new
//                             result.
//   limits URL ROWS           the same with the documented limits and a pacer. Prints the seconds.

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <memory>
#include <ranges>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tally/observer.h>
#include <tally/pacer.h>
#include <tally/report_all.h>
#include <tally/sqlite_journal.h>
#include <tally/tally.h>

#include "bench/support/measure.h"

namespace {

using namespace tally;
using Steady = std::chrono::steady_clock;

constexpr std::chrono::sys_seconds when{std::chrono::seconds{1767225600}};

std::vector<PaymentRecord> recordsOf(const Client& client) {
  std::vector<PaymentRecord> records;
  for (auto& record : client.paymentRecords().list({.limit = 100}))
    records.push_back(std::move(record).value());
  return records;
}

/// Row by row, so that the input takes no memory.
auto reportsOn(const std::vector<PaymentRecord>& records, std::uint64_t rows, bool withGuaranteed) {
  return std::views::iota(std::uint64_t{0}, rows) |
         std::views::transform([&records, withGuaranteed](std::uint64_t row) {
           constexpr const char* outcomes[] = {"canceled", "failed", "guaranteed"};
           const PaymentRecord& record = records[row % records.size()];
           return Report{.id = record.id.str(),
                         .outcome = outcomes[row % (withGuaranteed ? 3 : 2)],
                         .time = when,
                         .metadata = {{"row", std::to_string(row)}},
                         .attempt = record.latestPaymentAttemptRecord.str()};
         });
}

class Refusals final : public Observer {
 public:
  void on(const Event& event) noexcept override { count += event.status == 429 ? 1 : 0; }
  std::atomic<int> count{0};
};

long peakKibibytes() {
  std::ifstream status{"/proc/self/status"};
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmHWM:")) return std::stol(line.substr(6));
  return 0;
}

/// After a kill, the records do not show what became of the reports in flight, because many reports share a
/// record.
void check(const ReportSummary& summary, std::uint64_t rows) {
  if (!summary.isComplete || summary.progress.applied + summary.progress.unknown != rows)
    throw std::runtime_error{"not all reports: " + summary.problem};
}

void run(const Client& client, std::uint64_t rows, const std::string& path, Steady::time_point start) {
  const auto records = recordsOf(client);
  ReportAllOptions options{.source = "bench"};
  double toFirst = 0;
  const double seconds = bench::secondsOf([&] {
    if (path != "-") options.journal = std::make_shared<SqliteJournal>(path);
    check(reportAll(client, reportsOn(records, rows, false), options,
                    [&](const ReportResult& result) {
                      if (!result.fromEarlierRun && toFirst == 0)
                        toFirst = std::chrono::duration<double>(Steady::now() - start).count();
                    }),
          rows);
  });
  std::cout << seconds << ' ' << peakKibibytes() << ' ' << toFirst << '\n';
}

}  // namespace

int main(int argc, char** argv) {
  const auto start = Steady::now();
  const char* const key = std::getenv("TALLY_API_KEY");
  if (argc < 4 || key == nullptr) {
    std::cerr << "run URL ROWS JOURNAL, or limits URL ROWS\n";
    return EXIT_FAILURE;
  }
  try {
    ClientOptions options{.apiKey = key, .baseUrl = argv[2]};
    const std::uint64_t rows = std::stoull(argv[3]);
    if (std::string_view{argv[1]} == "run") {
      run(Client{options}, rows, argv[4], start);
      return EXIT_SUCCESS;
    }
    options.pacer = std::make_shared<Pacer>();
    const auto refusals = std::make_shared<Refusals>();
    options.observer = refusals;
    const Client client{options};
    const auto records = recordsOf(client);
    std::cout << bench::secondsOf([&] { check(reportAll(client, reportsOn(records, rows, true)), rows); })
              << '\n';
    if (refusals->count != 0) throw std::runtime_error{"the service has refused requests"};
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return EXIT_FAILURE;
  }
}

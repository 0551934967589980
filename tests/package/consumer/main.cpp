#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <memory>
#include <vector>

#include <tally/fake/http_server.h>
#include <tally/fake/service.h>
#include <tally/report_all.h>
#include <tally/sqlite_journal.h>
#include <tally/tally.h>

int main() {
  using namespace std::chrono;
  std::filesystem::remove("reports.journal");  // of an earlier run

  tally::fake::Service service;
  const auto account = service.addAccount();
  const auto record = service.insert<tally::PaymentRecord>(account.sandboxKey);

  const tally::Client client{service.clientOptions(account.sandboxKey)};
  const auto reported =
      client.paymentRecords().reportFailed(record.id, {.failedAt = sys_days{2026y / January / 2}});
  if (!reported) {
    std::cerr << reported.error() << '\n';
    return EXIT_FAILURE;
  }
  const tally::fake::HttpServer server{service};
  const tally::Client overHttp{{.apiKey = account.sandboxKey, .baseUrl = server.url()}};
  const auto retrieved = overHttp.paymentRecords().retrieve(record.id);
  if (!retrieved) {
    std::cerr << retrieved.error() << '\n';
    return EXIT_FAILURE;
  }
  using q = tally::PaymentRecordSearchFields;
  auto found =
      overHttp.paymentRecords().search(q::created > sys_days{2025y / March / 1} && q::metadata("a") != "b" &&
                                       q::amountRequested.value < 1'000'000'000);
  if (found.begin() == found.end()) return EXIT_FAILURE;
  const std::vector<tally::Report> reports{
      {.id = record.id.str(), .outcome = "canceled", .time = sys_days{2026y / January / 3}}};
  const auto summary = tally::reportAll(
      client, reports,
      {.journal = std::make_shared<tally::SqliteJournal>("reports.journal"), .source = "one"});
  if (!summary.isComplete) {
    std::cerr << summary.progress << '\n';
    return EXIT_FAILURE;
  }
  const bool moved = retrieved.value().amountFailed == record.amountRequested;
  std::cout << "tally " << tally::version << ": " << record.id << (moved ? " failed" : " did not fail")
            << '\n';
  return moved ? EXIT_SUCCESS : EXIT_FAILURE;
}
